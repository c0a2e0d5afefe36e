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
    /// Programmes of which one is played at a time, and which; empty where there is no choice.
    var titles: [TitleShape] = []
    var title: Int?
    /// What lies from here on shall not be played; nil: all of it shall.
    var stop: MediaTime?

    /// The end of the source, nil when unknown.
    var end: MediaTime? { duration.map { startTime + $0 } }

    /// A share of the duration, 0 … 1; nil when that is unknown.
    func point(at fraction: Double) -> MediaTime? { duration.map { startTime + $0.scaled(by: fraction) } }

    /// Takes over what another title has; `stop` stays as far from the start as it was. Returns where a point of the present one is in it.
    mutating func enter(_ title: TitleShape, at point: MediaTime) -> MediaTime {
        let shift = (title.startTime - startTime).magnitude > TitleShape.commonClock ? title.startTime - startTime : .zero
        stop = stop.map { $0 + shift }
        (self.title, startTime, duration) = (title.id, title.startTime, title.duration)
        (hasVideo, hasAudio, videoStreams) = (title.hasVideo, title.hasAudio && canSound, title.videoStreams)
        return point + shift
    }
}

/// What the machine needs to know of one of several titles.
struct TitleShape: Sendable, Equatable {
    let id: Int
    let startTime: MediaTime
    let duration: TimeSpan?
    let hasVideo, hasAudio: Bool
    let videoStreams: Set<Int>

    /// Programmes that begin no further apart than this count time alike: they were recorded together.
    static let commonClock = TimeSpan.seconds(10)
}
