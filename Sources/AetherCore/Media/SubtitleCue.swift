/// One subtitle on screen from `start` until `end`.
public struct SubtitleCue: Identifiable, Sendable, Equatable {
    /// What is shown.
    public enum Body: Sendable, Equatable {
        /// Lines of plain text, safe to display.
        case text([String])
    }

    /// Rises for the whole session, whatever decoder made the cue.
    public let id: Int
    public let track: TrackID
    public let start, end: MediaTime
    public let body: Body

    /// A cue.
    public init(id: Int, track: TrackID, start: MediaTime, end: MediaTime, body: Body) {
        self.id = id
        self.track = track
        self.start = start
        self.end = end
        self.body = body
    }

    /// The plain lines.
    public var lines: [String] {
        switch body {
        case .text(let lines): lines
        }
    }
}
