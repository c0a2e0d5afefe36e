/// One subtitle on screen from `start` until `end`.
public struct SubtitleCue: Identifiable, Sendable, Hashable {
    /// The content. Texts are safe to display; lines are parted by "\n" and never empty.
    public enum Body: Sendable, Hashable {
        /// Plain text.
        case text(String)
        /// Text of several looks; the line breaks are in the runs.
        case richText([SubtitleTextRun])
        /// A bitmap with its place in the frame.
        case image(SubtitleImage)
    }

    /// Rises for the whole session, whatever decoder made the cue.
    public let id: Int
    /// The subtitle track that the cue belongs to.
    public let track: TrackID
    /// The span in which the cue is shown, on the source axis; the end is not part of it.
    public let start, end: MediaTime
    /// Text or a bitmap.
    public let body: Body
    /// The place of a text; nil: at the bottom in the middle.
    public let placement: SubtitleTextPlacement?
    /// The event as the ASS script has it, from the layer on (`Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`), for hosts that draw
    /// ASS itself; nil for other formats. Not safe to display.
    public let markup: String?

    /// A cue.
    public init(
        id: Int, track: TrackID, start: MediaTime, end: MediaTime, body: Body, placement: SubtitleTextPlacement? = nil,
        markup: String? = nil
    ) {
        self.id = id
        self.track = track
        self.start = start
        self.end = end
        self.body = body
        self.placement = placement
        self.markup = markup
    }

    /// The same cue without its markup: all of it is safe to display.
    public var plain: SubtitleCue {
        markup == nil ? self : SubtitleCue(id: id, track: track, start: start, end: end, body: body, placement: placement)
    }

    /// The same cue on screen until another time.
    public func ending(at end: MediaTime) -> SubtitleCue {
        SubtitleCue(id: id, track: track, start: start, end: end, body: body, placement: placement, markup: markup)
    }

    /// The plain lines; none for a bitmap.
    public var lines: [String] { body.lines }

    /// Memory that the cue takes in a list, roughly, in bytes: itself with the room that arrays keep for more, what it is found by, and its texts.
    public var byteCount: Int { SubtitleCue.slot + body.byteCount + (markup.map { $0.utf8.count + 40 } ?? 0) }

    private static let slot = MemoryLayout<SubtitleCue>.stride * 2 + 64
}

extension SubtitleCue.Body {
    /// The plain lines; none for a bitmap.
    public var lines: [String] {
        switch self {
        case .text(let text): text.split(separator: "\n").map(String.init)
        case .richText(let runs): runs.map(\.text).joined().split(separator: "\n").map(String.init)
        case .image: []
        }
    }

    /// Text as runs, whatever its kind; nil for a bitmap.
    public var runs: [SubtitleTextRun]? {
        switch self {
        case .text(let text): [SubtitleTextRun(text)]
        case .richText(let runs): runs
        case .image: nil
        }
    }

    /// Memory that it takes, roughly, in bytes.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count + 40
        case .richText(let runs): runs.reduce(40) { $0 + $1.text.utf8.count + 96 }
        case .image(let image): image.byteCount
        }
    }
}
