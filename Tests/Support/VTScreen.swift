public import AetherCore

/// A small terminal: bytes in, screen out. For tests, so it is strict: what it does not know it keeps in `unknown`.
///
/// Widths are its own opinion (`width(of:)`), written apart from the program's table on purpose.
public struct VTScreen {
    /// One cell as a terminal would paint it.
    public struct Glyph: Hashable, Sendable {
        /// 0 in the second half of a wide character.
        public var scalar: UInt32 = 0x20
        public var foreground = CellColor.terminalDefault, background = CellColor.terminalDefault
        /// Attributes such as bold and underline.
        public var style: CellStyle = []

        /// A cell; a blank in the terminal's own colours where nothing is said.
        public init(
            scalar: UInt32 = 0x20, foreground: CellColor = .terminalDefault, background: CellColor = .terminalDefault,
            style: CellStyle = []
        ) {
            self.scalar = scalar
            self.foreground = foreground
            self.background = background
            self.style = style
        }
    }

    /// Columns and rows.
    public internal(set) var size: CellSize
    /// columns × rows cells, top row first.
    public internal(set) var cells: [Glyph]
    /// The cursor, from 0.
    public internal(set) var column = 0, row = 0
    /// DEC private modes by number as last set or reset; absent means never touched.
    public internal(set) var modes: [Int: Bool] = [:]
    /// The pen of the next glyph: its scalar means nothing.
    public internal(set) var pen = Glyph()
    /// Sequences that mean nothing here, escapes visible.
    public internal(set) var unknown: [String] = []
    /// The bodies of OSC, DCS and APC strings, with a letter in front: "]", "P", "_".
    public internal(set) var strings: [String] = []
    /// Lines that left at the top.
    public internal(set) var scrolled = 0
    /// Glyphs written beyond a full line with autowrap on, which began a new line.
    public internal(set) var wraps = 0
    /// The pixels that graphics have painted.
    public internal(set) var plane: PixelPlane
    /// The sixel sequences read so far.
    public internal(set) var sixels: [VTSixel] = []
    /// Kitty graphics, where the terminal has them.
    public var kitty: VTKitty?
    /// Inline pictures, where the terminal has them.
    public var inline: VTInline?
    /// The combining characters that number placeholders of kitty graphics, 0 first; then `marks` has the numbers of each cell.
    public var placeholderMarks: [UInt32: Int] = [:]
    /// Numbers behind the placeholder of a cell.
    public internal(set) var marks: [Int: [Int]] = [:]
    var parser = VTParser()
    var wrapPending = false
    var saved: (cells: [Glyph], column: Int, row: Int, plane: PixelPlane)?
    var savedCursor: (column: Int, row: Int, pen: Glyph)?

    /// A cleared terminal whose cells are so many pixels.
    public init(columns: Int, rows: Int, cell: PixelSize = PixelSize(width: 10, height: 20)) {
        size = CellSize(columns: max(1, columns), rows: max(1, rows))
        plane = PixelPlane(size, cell: cell)
        cells = [Glyph](repeating: Glyph(), count: size.columns * size.rows)
    }

    /// Reads bytes; sequences may be cut anywhere.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if let action = parser.take(byte) { perform(action) }
        }
    }

    /// Gives the window another size, as terminals do with the alternate screen: what lies on both stays where it is, images too.
    public mutating func resize(columns: Int, rows: Int) {
        let old = (size: size, cells: cells, marks: marks)
        size = CellSize(columns: max(1, columns), rows: max(1, rows))
        cells = [Glyph](repeating: Glyph(), count: size.columns * size.rows)
        marks = [:]
        for row in 0..<min(old.size.rows, size.rows) {
            for column in 0..<min(old.size.columns, size.columns) {
                let before = row * old.size.columns + column, now = row * size.columns + column
                cells[now] = old.cells[before]
                marks[now] = old.marks[before]
            }
        }
        plane = plane.resized(to: size)
        if let inline { self.inline?.plane = inline.plane.resized(to: size) }
        (column, row) = (min(column, size.columns - 1), min(row, size.rows - 1))
        wrapPending = false
    }

    /// Whether the last bytes ended inside a sequence or a character.
    public var isInsideSequence: Bool { !parser.isAtRest }

    /// Whether a DEC private mode is on. Cursor (25) and autowrap (7) are on from the start.
    public func isOn(_ mode: Int) -> Bool { modes[mode] ?? (mode == 25 || mode == 7) }

    /// The cell at a place.
    public subscript(column: Int, row: Int) -> Glyph { cells[row * size.columns + column] }

    /// The rows as text; trailing spaces stay.
    public var rows: [String] {
        (0..<size.rows).map { row in
            var line = String.UnicodeScalarView()
            for column in 0..<size.columns {
                let scalar = self[column, row].scalar
                if scalar != 0 { line.append(Unicode.Scalar(scalar) ?? "\u{FFFD}") }
            }
            return String(line)
        }
    }

    /// The rows as one text, trailing spaces cut.
    public var text: String {
        rows.map { $0.reversed().drop { $0 == " " }.reversed().map(String.init).joined() }.joined(separator: "\n")
    }

    /// The screen as pixels, two a cell. `foreground` and `background` stand for the terminal's own colours; a cell that is
    /// neither a half block, a full block nor blank shows as its background.
    public func pixels(foreground: UInt32 = RasterImage.rgb(229, 229, 229), background: UInt32 = RasterImage.rgb(0, 0, 0))
        -> RasterImage
    {
        var image = RasterImage(width: size.columns, height: size.rows * 2)
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let cell = self[column, row]
                var fore = Self.rgb(cell.foreground, otherwise: foreground)
                var back = Self.rgb(cell.background, otherwise: background)
                if cell.style.contains(.reverse) { swap(&fore, &back) }
                // Shades are what the eye makes of them: a quarter, a half, three quarters.
                if (0x2591...0x2593).contains(cell.scalar) { back = Self.mixed(fore, back, quarters: cell.scalar - 0x2590) }
                image[column, 2 * row] = cell.scalar == 0x2580 || cell.scalar == 0x2588 ? fore : back
                image[column, 2 * row + 1] = cell.scalar == 0x2584 || cell.scalar == 0x2588 ? fore : back
            }
        }
        return image
    }

    private static func mixed(_ fore: UInt32, _ back: UInt32, quarters: UInt32) -> UInt32 {
        func channel(_ shift: UInt32) -> UInt32 {
            (((fore >> shift & 255) * quarters + (back >> shift & 255) * (4 - quarters) + 2) / 4) << shift
        }
        return 0xFF00_0000 | channel(0) | channel(8) | channel(16)
    }

    /// A colour as a pixel 0xAABBGGRR.
    static func rgb(_ colour: CellColor, otherwise: UInt32) -> UInt32 {
        if colour.isDefault { return otherwise }
        if colour.isRGB { return RasterImage.rgb(colour.red, colour.green, colour.blue) }
        let index = Int(colour.index)
        if index < 16 {
            let (red, green, blue) = ansi[index]
            return RasterImage.rgb(red, green, blue)
        }
        if index >= 232 {
            let grey = UInt8(8 + (index - 232) * 10)
            return RasterImage.rgb(grey, grey, grey)
        }
        func level(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + 40 * step) }
        return RasterImage.rgb(level((index - 16) / 36), level((index - 16) / 6 % 6), level((index - 16) % 6))
    }

    /// xterm's defaults.
    private static let ansi: [(UInt8, UInt8, UInt8)] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
    ]
}
