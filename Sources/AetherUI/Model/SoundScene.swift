public import AetherCore
import AetherEngine
public import AetherFormats

/// The view of a source without video: its spectrum and its words.
public struct SoundScene: Sendable, Equatable {
    /// The heights of 32 bands.
    public internal(set) var spectrum = Spectrum(bandCount: 32)
    /// The words, from the file beside it or else from its tags.
    public internal(set) var lyrics: Lyrics?
    /// The tag that `lyrics` was read from, so that it is read once.
    var tag: String?
    /// Whether `lyrics` came from the file beside it.
    var isFromFile = false
    /// When the spectrum was last drawn.
    var drawnAt: HostTime?

    /// 12.5 pictures a second: faster is flicker for bars of eighths of a cell, and each costs a thousandth of a core.
    static let interval = TimeSpan.milliseconds(80)
}

/// The screen of a source without a picture.
extension AppModel {
    /// Sound plays, or stands, and there is no picture to look at.
    public var isSoundOnly: Bool {
        switch snapshot.phase {
        case .idle, .loading, .error: false
        default: snapshot.activeVideoTrack == nil && snapshot.activeAudioTrack != nil
        }
    }

    /// Where the picture shall be drawn; nil: on the whole screen.
    public var pictureArea: CellRect? { isSoundOnly ? SoundLayout(self).cover : nil }

    /// When the spectrum is to be drawn next; nil: not at all.
    func spectrumDue(after now: HostTime) -> HostTime? {
        guard isSoundOnly, SoundLayout(self).spectrum != nil, snapshot.phase == .playing || !sound.spectrum.isSilent else {
            return nil
        }
        return max(now, sound.drawnAt.map { $0 + SoundScene.interval } ?? now)
    }

    /// Takes in what is heard now.
    mutating func hear(_ samples: [Float]?, now: HostTime) {
        sound.spectrum.resize(bandCount: SoundLayout(self).bandCount)
        sound.spectrum.advance(snapshot.phase == .playing ? samples : nil, now: now)
        sound.drawnAt = now
    }

    /// Reads the words in the tags, unless a file brought better ones; returns whether something changed.
    mutating func followLyrics() -> Bool {
        guard snapshot.metadata.lyrics != sound.tag else { return false }
        sound.tag = snapshot.metadata.lyrics
        guard !sound.isFromFile else { return false }
        let lyrics = sound.tag.map { Lyrics($0) }
        sound.lyrics = lyrics?.isEmpty == false ? lyrics : nil
        return true
    }

    /// Words were found in a file: they win, unless only those of the tags have times.
    mutating func take(_ lyrics: Lyrics) {
        if sound.lyrics?.isSynced == true, !lyrics.isSynced { return }
        sound.lyrics = lyrics
        sound.isFromFile = true
    }

    /// When the next line is sung; nil: never.
    func lyricsDue(after now: HostTime) -> HostTime? {
        guard isSoundOnly, snapshot.phase == .playing, let next = sound.lyrics?.nextChange(after: elapsed) else { return nil }
        return now + max(.milliseconds(5), (next - elapsed).scaled(by: 1 / max(0.25, snapshot.rate)))
    }
}
