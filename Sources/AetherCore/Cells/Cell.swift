/// A colour as a terminal cell has it: the terminal's own default, a palette index, or 24-bit sRGB.
public struct CellColor: Hashable, Sendable {
    /// 0 = default, 0x01RRGGBB = 24-bit, 0x020000NN = palette entry NN.
    public let packed: UInt32

    /// A colour in its packed form.
    @inlinable public init(packed: UInt32) { self.packed = packed }

    /// The terminal's own foreground or background.
    public static let terminalDefault = CellColor(packed: 0)

    /// A 24-bit colour.
    @inlinable public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> CellColor {
        CellColor(packed: 0x0100_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// One of the 256 palette entries; 0–15 are the terminal's own 16.
    @inlinable public static func indexed(_ index: UInt8) -> CellColor { CellColor(packed: 0x0200_0000 | UInt32(index)) }

    /// The terminal's own foreground or background.
    @inlinable public var isDefault: Bool { packed == 0 }
    /// A 24-bit colour.
    @inlinable public var isRGB: Bool { packed >> 24 == 1 }
    /// An entry of the palette.
    @inlinable public var isIndexed: Bool { packed >> 24 == 2 }
    /// 0…255; meaningful when `isRGB`.
    @inlinable public var red: UInt8 { UInt8(truncatingIfNeeded: packed >> 16) }
    /// 0…255; meaningful when `isRGB`.
    @inlinable public var green: UInt8 { UInt8(truncatingIfNeeded: packed >> 8) }
    /// 0…255; meaningful when `isRGB`.
    @inlinable public var blue: UInt8 { UInt8(truncatingIfNeeded: packed) }
    /// The palette index; meaningful when `isIndexed`.
    @inlinable public var index: UInt8 { UInt8(truncatingIfNeeded: packed) }
}

/// Attributes of a cell.
public struct CellStyle: OptionSet, Hashable, Sendable {
    /// The attributes as bits.
    public let rawValue: UInt16
    /// Attributes by their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// SGR 1.
    public static let bold = CellStyle(rawValue: 1)
    /// SGR 2.
    public static let dim = CellStyle(rawValue: 2)
    /// SGR 3.
    public static let italic = CellStyle(rawValue: 4)
    /// SGR 4.
    public static let underline = CellStyle(rawValue: 8)
    /// SGR 7: foreground and background change places.
    public static let reverse = CellStyle(rawValue: 16)
    /// Part of the frame: an encoder may show a near colour or the same pixels by another glyph. Never sent.
    public static let video = CellStyle(rawValue: 0x8000)
}

/// One character cell of the screen.
public struct Cell: Hashable, Sendable {
    /// The Unicode scalar shown; 0 in the second half of a wide character, whose first half draws both.
    public var glyph: UInt32
    /// The colour of the glyph.
    public var foreground: CellColor
    /// The colour behind the glyph.
    public var background: CellColor
    /// Attributes such as bold and underline.
    public var style: CellStyle

    /// A cell.
    @inlinable public init(
        glyph: UInt32 = 0x20, foreground: CellColor = CellColor(packed: 0), background: CellColor = CellColor(packed: 0),
        style: CellStyle = CellStyle(rawValue: 0)
    ) {
        self.glyph = glyph
        self.foreground = foreground
        self.background = background
        self.style = style
    }

    /// A space in the terminal's own colours.
    public static let blank = Cell()
}
