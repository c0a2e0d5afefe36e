/// A colour of text, sRGB.
public struct SubtitleColor: Sendable, Hashable {
    /// sRGB, 0…255.
    public let r, g, b: UInt8

    /// A colour.
    public init(r: UInt8, g: UInt8, b: UInt8) {
        self.r = r
        self.g = g
        self.b = b
    }
}

/// A stretch of text of one look. Safe to display but for its line breaks ("\n").
public struct SubtitleTextRun: Sendable, Hashable {
    /// The characters.
    public let text: String
    /// nil: the player's own.
    public let color: SubtitleColor?
    /// The style of the letters.
    public let isBold, isItalic, isUnderlined, isStruckThrough: Bool
    /// nil: the player's own.
    public let fontName: String?
    /// In lines of the script's own canvas; nil: the player's own.
    public let fontSize: Int?

    /// A run; plain without more than its text.
    public init(
        _ text: String, color: SubtitleColor? = nil, isBold: Bool = false, isItalic: Bool = false, isUnderlined: Bool = false,
        isStruckThrough: Bool = false, fontName: String? = nil, fontSize: Int? = nil
    ) {
        self.text = text
        self.color = color
        self.isBold = isBold
        self.isItalic = isItalic
        self.isUnderlined = isUnderlined
        self.isStruckThrough = isStruckThrough
        self.fontName = fontName
        self.fontSize = fontSize
    }

    /// Whether nothing is asked for but the words.
    public var isPlain: Bool {
        color == nil && !isBold && !isItalic && !isUnderlined && !isStruckThrough && fontName == nil && fontSize == nil
    }
}

/// The place of a text in the frame.
public struct SubtitleTextPlacement: Sendable, Hashable {
    /// A digit of the numpad, 1 … 9: 2 is the bottom in the middle. Which point of the text lies at `position`, or which edge of the
    /// frame it keeps to.
    public let alignment: Int
    /// nil: at the edge.
    public let position: SubtitlePoint?

    /// A placement; an alignment outside of 1 … 9 becomes 2.
    public init(alignment: Int, position: SubtitlePoint? = nil) {
        self.alignment = (1...9).contains(alignment) ? alignment : 2
        self.position = position
    }
}

/// A point of the frame: 0, 0 is its top left corner, 1, 1 its bottom right one.
public struct SubtitlePoint: Sendable, Hashable {
    /// Fractions of the frame's width and height, 0…1.
    public let x, y: Double

    /// A point; kept within the frame, and in the middle where it is no number.
    public init(x: Double, y: Double) {
        self.x = x.isFinite ? min(max(x, 0), 1) : 0.5
        self.y = y.isFinite ? min(max(y, 0), 1) : 0.5
    }
}
