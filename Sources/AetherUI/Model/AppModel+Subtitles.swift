import AetherCore
import AetherEngine

/// What keys do to subtitles, but for the choice of the first track.
extension AppModel {
    mutating func nextSecondSubtitles(_ now: HostTime) -> [AppEffect] {
        let tracks = snapshot.subtitleTracks.filter { $0.id != snapshot.activeSubtitleTrack }
        guard !tracks.isEmpty else {
            say("No second subtitles", now)
            return []
        }
        // Behind the last there is the station without any.
        let station = tracks.firstIndex { $0.id == snapshot.activeSecondarySubtitleTrack }.map { $0 + 1 } ?? 0
        let track = station < tracks.count ? tracks[station] : nil
        snapshot.activeSecondarySubtitleTrack = track?.id
        intents.secondSubtitleTrack = .init(value: track?.id, until: now + Intents.life)
        say(track.map { "Second subtitles: \(TrackLabel.full($0))" } ?? "Second subtitles off", now)
        return [.send(.selectSecondarySubtitleTrack(track?.id))]
    }

    mutating func delaySubtitles(_ seconds: Double, _ now: HostTime) -> [AppEffect] {
        // To the next multiple of the step, so that ten back and ten forward end at 0.
        let step = abs(seconds)
        let present = (snapshot.subtitleDelay.seconds / step).rounded()
        let delay = TimeSpan.seconds(min(max((present + (seconds < 0 ? -1 : 1)) * step, -3600), 3600))
        snapshot.subtitleDelay = delay
        intents.subtitleDelay = .init(value: delay, until: now + Intents.life)
        let size = Figures.decimal(abs(delay.seconds), places: 1)
        say(delay == .zero ? "Subtitles in time" : "Subtitles \(size) s \(delay > .zero ? "later" : "earlier")", now)
        return [.send(.setSubtitleDelay(delay))]
    }

    /// In rows for text in cells; what is drawn in pixels moves by the same share of the screen.
    mutating func liftSubtitles(_ rows: Int, _ now: HostTime) -> [AppEffect] {
        subtitleLift = min(max(0, subtitleLift + rows), max(0, size.rows - 3))
        say(subtitleLift == 0 ? "Subtitles at the bottom" : "Subtitles \(subtitleLift) higher", now)
        let share = Double(subtitleLift) / Double(max(1, size.rows)) * 100
        return [.redraw, .send(.setSubtitleLook(scale: snapshot.subtitleScale, position: share))]
    }

    mutating func growSubtitles(_ steps: Int, _ now: HostTime) -> [AppEffect] {
        let scale = min(max((snapshot.subtitleScale * 10).rounded() + Double(steps), 5), 30) / 10
        snapshot.subtitleScale = scale
        intents.subtitleScale = .init(value: scale, until: now + Intents.life)
        say("Letters \(Int((scale * 100).rounded())) %", now)
        return [.send(.setSubtitleLook(scale: scale, position: Double(subtitleLift) / Double(max(1, size.rows)) * 100))]
    }
}
