import AetherCore
import AetherEngine

/// Keys that change subtitles, but for the choice of the first track.
extension AppModel {
    mutating func nextSecondSubtitles(_ now: HostTime) -> [AppEffect] {
        let tracks = snapshot.subtitleTracks.filter { $0.id != snapshot.activeSubtitleTrack }
        guard !tracks.isEmpty else {
            say(translated("No second subtitles"), now)
            return []
        }
        // Behind the last there is the station without any.
        let station = tracks.firstIndex { $0.id == snapshot.activeSecondarySubtitleTrack }.map { $0 + 1 } ?? 0
        return selectSecondSubtitles(station < tracks.count ? tracks[station].id : nil, now)
    }

    mutating func selectSecondSubtitles(_ id: TrackID?, _ now: HostTime) -> [AppEffect] {
        let track = snapshot.subtitleTracks.first { $0.id == id }
        snapshot.activeSecondarySubtitleTrack = track?.id
        intents.secondSubtitleTrack = .init(value: track?.id, until: now + Intents.life)
        say(track.map { translated("Second subtitles: \(TrackLabel.full($0))") } ?? translated("Second subtitles off"), now)
        return [.send(.selectSecondarySubtitleTrack(track?.id))]
    }

    // MARK: - After a skip back

    /// A person who skips back to hear words again reads them for a while, where subtitles are off. `target` is where the skip goes.
    mutating func showAfterSkipBack(to target: MediaTime, _ now: HostTime) -> [AppEffect] {
        guard subtitles.afterSkipBack > .zero else { return [] }
        let until = target + subtitles.afterSkipBack
        if let shown = subtitles.readingBack, shown.track == snapshot.activeSubtitleTrack {
            subtitles.readingBack = SubtitleMemory.ReadingBack(track: shown.track, until: until)
            return []
        }
        guard snapshot.activeSubtitleTrack == nil, let track = trackOfWhatIsSaid else { return [] }
        subtitles.readingBack = SubtitleMemory.ReadingBack(track: track, until: until)
        snapshot.activeSubtitleTrack = track
        intents.subtitleTrack = .init(value: track, until: now + Intents.life)
        return [.send(.selectSubtitleTrack(track))]
    }

    /// The track that was shown last, else the full one in the language that is heard, else the first.
    private var trackOfWhatIsSaid: TrackID? {
        let tracks = snapshot.subtitleTracks
        if let last = tracks.first(where: { $0.id == subtitles.last }) { return last.id }
        let heard = snapshot.audioTracks.first { $0.id == snapshot.activeAudioTrack }?.language
        let full = tracks.filter { !$0.isForced && !$0.isCommentary }
        let same = full.first { track in
            guard let heard, let written = track.language else { return false }
            return LanguageName.isSame(written, heard)
        }
        return (same ?? full.first ?? tracks.first)?.id
    }

    /// Takes the subtitles away when the video has come far enough, or was sent elsewhere; a choice of the person's stays.
    mutating func endReadingBack(_ now: HostTime) -> [AppEffect] {
        guard let shown = subtitles.readingBack else { return [] }
        guard snapshot.activeSubtitleTrack == shown.track else {
            subtitles.readingBack = nil
            return []
        }
        guard snapshot.seekTarget == nil, snapshot.phase != .seeking, snapshot.position >= shown.until else { return [] }
        subtitles.readingBack = nil
        snapshot.activeSubtitleTrack = nil
        intents.subtitleTrack = .init(value: nil, until: now + Intents.life)
        return [.send(.selectSubtitleTrack(nil))]
    }

    mutating func delaySubtitles(_ seconds: Double, _ now: HostTime) -> [AppEffect] {
        let delay = DelayStep(seconds: seconds, limit: 3600).from(snapshot.subtitleDelay)
        say(words(for: .subtitleDelay(delay)), now)
        return set(.subtitleDelay(delay), now)
    }

    /// In rows for text in cells; what is drawn in pixels moves by the same share of the screen.
    mutating func liftSubtitles(_ rows: Int, _ now: HostTime) -> [AppEffect] {
        let lift = min(max(0, scene.subtitleLift + rows), max(0, size.rows - 3))
        scene.subtitleLift = lift
        say(lift == 0 ? translated("Subtitles at the bottom") : translated("Subtitles \(lift) higher"), now)
        return [.redraw] + set(.subtitlePosition(Double(lift) / Double(max(1, size.rows)) * 100), now)
    }

    mutating func growSubtitles(_ steps: Int, _ now: HostTime) -> [AppEffect] {
        let scale = min(max((snapshot.subtitleScale * 10).rounded() + Double(steps), 5), 30) / 10
        say(words(for: .subtitleScale(scale)), now)
        return set(.subtitleScale(scale), now)
    }
}
