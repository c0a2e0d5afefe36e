import AetherCore

/// What the machine needs to know of an opened source.
struct SourceShape: Sendable, Equatable {
    var startTime = MediaTime.zero
    var duration: TimeSpan?
    var isSeekable = true
    var hasVideo = false
    var hasAudio = false
    /// The streams of pictures that can be shown.
    var videoStreams: Set<Int> = []
    /// Whether there is a sound stage at all: another track can then be chosen.
    var canSound = true
    var chapterStarts: [MediaTime] = []
    /// What lies from here on shall not be played; nil: all of it shall.
    var stop: MediaTime?

    /// The end of the source, nil when unknown.
    var end: MediaTime? { duration.map { startTime + $0 } }

    /// A share of the duration, 0 … 1; nil when that is unknown.
    func point(at fraction: Double) -> MediaTime? { duration.map { startTime + $0.scaled(by: fraction) } }
}
