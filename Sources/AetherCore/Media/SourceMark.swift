/// A stretch of a source that is told apart on the bar: an advertisement, a part that is missing, or what a host knows about.
public struct SourceMark: Sendable, Equatable, Hashable {
    /// The kinds.
    public enum Kind: String, Sendable {
        /// An advertisement, or another interruption of the programme.
        case advertisement = "ad"
        /// Nothing is there: the source says so, or its servers did not give it.
        case gap
        /// Any other event.
        case event
    }

    /// The kind.
    public let kind: Kind
    /// Words for people, safe to display; "" for none.
    public let title: String
    /// The beginning, on the source axis.
    public let start: MediaTime
    /// nil where it is not known, or where it is a point.
    public let duration: TimeSpan?

    /// A mark.
    public init(_ kind: Kind, title: String = "", start: MediaTime, duration: TimeSpan? = nil) {
        (self.kind, self.title, self.start, self.duration) = (kind, title, start, duration)
    }

    /// The end; the start of a point.
    public var end: MediaTime { duration.map { start + $0 } ?? start }
}
