import AetherCore

/// The facts of an opened source that the machine needs.
struct SourceShape: Sendable, Equatable {
    /// The name that a person would use, for errors.
    var name = ""
    var startTime = MediaTime.zero
    var duration: TimeSpan?
    var isSeekable = true
    /// The end of what there is by now; nil of what is complete.
    var liveEdge: MediaTime?
    var hasVideo = false
    var hasAudio = false
    /// The video streams that can be shown.
    var videoStreams: Set<StreamID> = []
    /// Whether there is an audio stage at all: another track can then be chosen.
    var canPlayAudio = true
    var chapters: [ChapterInfo] = []
    /// The stretches that are played of it, in order.
    var path = PlayPath()
    /// Programs or editions of which one is played at a time, and which; empty where there is no choice.
    var titles: [TitleShape] = []
    var title: Int?
    /// The part from here on shall not be played; nil: all of it shall.
    var stop: MediaTime?

    /// The media is a part of a source, whose own end says nothing of its.
    var isPart = false

    /// The end of what is played now, unless the source ends before.
    var limit: MediaTime? { [path.end, stop].compactMap { $0 }.min() }

    /// The end of the source, nil when unknown.
    var end: MediaTime? { duration.map { startTime + $0 } }

    /// The beginning of playing.
    var firstPoint: MediaTime { path.first ?? startTime }

    /// A share of the duration, 0 … 1; nil when that is unknown.
    func point(at fraction: Double) -> MediaTime? { duration.map { startTime + $0.scaled(by: fraction) } }

    /// The end of the source has moved, and of a broadcast its start. Programs and editions have ends of their own.
    mutating func take(_ window: SourceWindow) {
        liveEdge = window.liveEdge
        guard title == nil, path.isWhole, !isPart, let end = window.liveEdge ?? window.seekable?.upperBound else { return }
        if window.isLive, let range = window.seekable { startTime = range.lowerBound }
        duration = max(.zero, end - startTime)
    }

    /// Takes over what another title has; `stop` stays as far from the start as it was. Returns where a point of the present one is in it.
    mutating func enter(_ title: TitleShape, at point: MediaTime) -> MediaTime {
        let shift = (title.startTime - startTime).magnitude > TitleShape.commonClock ? title.startTime - startTime : .zero
        stop = stop.map { $0 + shift }
        (self.title, startTime, duration) = (title.id, title.startTime, title.duration)
        (chapters, path) = (title.chapters, PlayPath(title.stretches))
        // Of another edition streams are the same, and what was lost of them.
        if title.kind == .program {
            (hasVideo, hasAudio, videoStreams) = (title.hasVideo, title.hasAudio && canPlayAudio, title.videoStreams)
        }
        return point + shift
    }
}

/// The facts of one of several titles that the machine needs.
struct TitleShape: Sendable, Equatable {
    let id: Int
    var kind = TitleInfo.Kind.program
    let startTime: MediaTime
    let duration: TimeSpan?
    let hasVideo, hasAudio: Bool
    let videoStreams: Set<StreamID>
    var chapters: [ChapterInfo] = []
    var stretches: [Range<MediaTime>] = []

    /// Programs that begin no further apart than this count time alike: they were recorded together.
    static let commonClock = TimeSpan.seconds(10)
}
