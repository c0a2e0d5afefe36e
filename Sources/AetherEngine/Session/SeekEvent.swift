public import AetherCore

/// The progress of a seek. Each requested seek has one outcome in the end: it landed, another one took its place before it began, it was
/// rejected, or the source failed.
public struct SeekEvent: Sendable, Equatable {
    /// The outcomes of a seek.
    public enum Outcome: Sendable, Equatable {
        /// The seek has begun. Another outcome follows.
        case began
        /// Video and audio stand at the target; the time of the first frame, or of the audio where there is no video.
        case landed(renderedTime: MediaTime)
        /// A later one took its place.
        case superseded
        /// The source failed on the way.
        case stalled
        /// The source cannot go there.
        case rejected
    }

    /// The kinds of wishes that lead to a seek.
    public enum Origin: Sendable, Equatable {
        /// A seek to a point: a click on the bar, a text of the subtitle list.
        case point
        /// A skip by a span from the present position.
        case skip
        /// A seek to a share of the whole length.
        case fraction
        /// A seek to a chapter.
        case chapter
        /// A seek to the live edge of a broadcast.
        case liveEdge
    }

    /// Counts the seeks of an engine's session.
    public let id: Int
    /// The point that was asked for, on the source axis.
    public let target: MediaTime
    /// The outcome of the seek.
    public let outcome: Outcome
    /// The wish that led to it.
    public let origin: Origin

    /// An event.
    public init(id: Int, target: MediaTime, outcome: Outcome, origin: Origin = .point) {
        (self.id, self.target, self.outcome, self.origin) = (id, target, outcome, origin)
    }
}
