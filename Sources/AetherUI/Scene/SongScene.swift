import AetherCore
public import AetherFormats

/// The view of a source without video: its spectrum and its words.
public struct SongScene: Sendable, Equatable {
    /// The heights of 32 bands.
    public internal(set) var spectrum = Spectrum(bandCount: 32)
    /// The words, from the file beside it or else from its tags.
    public internal(set) var lyrics: Lyrics?
    /// The tag that `lyrics` was read from, so that it is read once.
    var tag: String?
    /// Whether `lyrics` came from the file beside it.
    var isFromFile = false
    /// The time at which the spectrum was last drawn.
    var drawnAt: HostTime?

    /// 12.5 frames a second: faster is flicker for bars of eighths of a cell, and each costs a thousandth of a core.
    static let interval = TimeSpan.milliseconds(80)
}
