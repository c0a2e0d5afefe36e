public import AetherCore
import AetherEngine
import AetherFormats

/// The screen of a source without a video.
extension AppModel {
    /// The cells that the video or cover shall be drawn in; nil: the whole screen.
    public var coverArea: CellRect? { isAudioOnly ? SongLayout(scene).cover : nil }

    /// The time at which the spectrum is to be drawn next; nil: not at all.
    func spectrumDue(after now: HostTime) -> HostTime? {
        guard isAudioOnly, SongLayout(scene).spectrum != nil, snapshot.phase == .playing || !scene.song.spectrum.isSilent else {
            return nil
        }
        return max(now, scene.song.drawnAt.map { $0 + SongScene.interval } ?? now)
    }

    /// Takes in what is heard now.
    mutating func hear(_ samples: [Float]?, now: HostTime) {
        scene.song.spectrum.resize(bandCount: SongLayout(scene).bandCount)
        scene.song.spectrum.advance(snapshot.phase == .playing ? samples : nil, now: now)
        scene.song.drawnAt = now
    }

    /// Reads the words in the tags, unless a file brought better ones; returns whether something changed.
    mutating func followLyrics() -> Bool {
        guard snapshot.metadata.lyrics != scene.song.tag else { return false }
        scene.song.tag = snapshot.metadata.lyrics
        guard !scene.song.isFromFile else { return false }
        let lyrics = scene.song.tag.map { Lyrics($0) }
        scene.song.lyrics = lyrics?.isEmpty == false ? lyrics : nil
        return true
    }

    /// Words were found in a file: they win, unless only those of the tags have times.
    mutating func take(_ lyrics: Lyrics) {
        if scene.song.lyrics?.isSynced == true, !lyrics.isSynced { return }
        scene.song.lyrics = lyrics
        scene.song.isFromFile = true
    }

    /// The time at which the next line is sung; nil: never.
    func lyricsDue(after now: HostTime) -> HostTime? {
        guard isAudioOnly, snapshot.phase == .playing, let next = scene.song.lyrics?.nextChange(after: elapsed) else {
            return nil
        }
        return now + max(.milliseconds(5), (next - elapsed).scaled(by: 1 / max(0.25, snapshot.rate)))
    }
}
