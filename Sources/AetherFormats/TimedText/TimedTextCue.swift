public import AetherCore

/// One text of a document, with its times on the document's own axis.
public struct TimedTextCue: Sendable, Equatable {
    /// The time at which the cue appears.
    public let start: MediaTime
    /// The end; nil: until another text takes its place.
    public let end: MediaTime?
    /// Safe to display; never empty.
    public let body: SubtitleCue.Body
    /// The place on screen; nil: at the bottom in the middle.
    public let placement: SubtitleTextPlacement?

    /// A text.
    public init(start: MediaTime, end: MediaTime?, body: SubtitleCue.Body, placement: SubtitleTextPlacement? = nil) {
        self.start = start
        self.end = end
        self.body = body
        self.placement = placement
    }
}
