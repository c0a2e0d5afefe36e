public import AetherCore

/// One text or bitmap that a subtitle packet carries.
public struct DecodedSubtitle: Sendable, Equatable {
    /// The time at which the subtitle appears, on the source axis.
    public let start: MediaTime
    /// Nil where the packet does not say: it then lasts until the next one.
    public let end: MediaTime?
    /// Whether the next packet takes this one's place although it says an end: so it is with bitmaps and captions.
    public let isReplacedByNext: Bool
    /// Nil: what was shown is taken away.
    public let body: SubtitleCue.Body?
    /// The place of a text; nil: at the bottom in the middle.
    public let placement: SubtitleTextPlacement?
    /// See `SubtitleCue.markup`.
    public let markup: String?

    /// The content of a packet.
    public init(
        start: MediaTime, end: MediaTime?, body: SubtitleCue.Body?, placement: SubtitleTextPlacement? = nil,
        markup: String? = nil, isReplacedByNext: Bool = false
    ) {
        self.start = start
        self.end = end
        self.body = body
        self.placement = placement
        self.markup = markup
        self.isReplacedByNext = isReplacedByNext
    }

    /// A plain text; no lines take away what was shown.
    public init(start: MediaTime, end: MediaTime?, lines: [String]) {
        self.init(start: start, end: end, body: lines.isEmpty ? nil : .text(lines.joined(separator: "\n")))
    }

    /// Whether what follows decides when it goes.
    public var endsWithNext: Bool { isReplacedByNext || end == nil }

    /// The plain lines.
    public var lines: [String] { body?.lines ?? [] }
}
