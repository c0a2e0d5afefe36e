import AetherCore

/// The terminal's state for the next glyph, as far as we know. We are its only writer, so this lives across frames.
struct PenState {
    /// A colour or style that is not known: no `CellColor.packed` has this value.
    static let unknown = UInt32.max

    /// `CellColor.packed` of both colours.
    var foreground = unknown, background = unknown
    /// Raw `CellStyle`.
    var style = unknown
    /// The cursor; -1 where it is not known, as after the last column, where terminals differ.
    var column = -1, row = -1
}

/// Writes cursor moves, colours and glyphs with the fewest bytes, into room that the caller has reserved.
struct CellWriter {
    /// The most bytes that one cell can take: move 24, one CSI with every attribute and two 24-bit colours 62, a letter and four marks 20.
    static let bytesPerCell = 112

    var pen: PenState
    private(set) var next: UnsafeMutablePointer<UInt8>
    let columns: Int
    /// `DecimalTable` by level.
    private let decimals: UnsafePointer<UInt32>

    /// 24-bit colours that the palette has are sent as its entries; nil for never.
    private let short: ShortColours?

    init(
        pen: PenState, columns: Int, decimals: UnsafePointer<UInt32>, short: ShortColours?, at start: UnsafeMutablePointer<UInt8>
    ) {
        self.short = short
        self.pen = pen
        self.columns = columns
        self.decimals = decimals
        next = start
    }

    /// Continues in other room.
    mutating func move(to start: UnsafeMutablePointer<UInt8>) { next = start }

    // MARK: Glyphs

    /// Writes a scalar that is safe to write and moves the cursor on by its width.
    @inline(__always) mutating func put(glyph: UInt32, width: Int) {
        if glyph > 0x10FFFF { return put(cluster: glyph, width: width) }
        if glyph < 0x80 {
            next[0] = UInt8(truncatingIfNeeded: glyph)
            next += 1
        } else if glyph < 0x800 {
            next[0] = UInt8(truncatingIfNeeded: 0xC0 | glyph >> 6)
            next[1] = UInt8(truncatingIfNeeded: 0x80 | glyph & 0x3F)
            next += 2
        } else if glyph < 0x10000 {
            next[0] = UInt8(truncatingIfNeeded: 0xE0 | glyph >> 12)
            next[1] = UInt8(truncatingIfNeeded: 0x80 | glyph >> 6 & 0x3F)
            next[2] = UInt8(truncatingIfNeeded: 0x80 | glyph & 0x3F)
            next += 3
        } else {
            next[0] = UInt8(truncatingIfNeeded: 0xF0 | glyph >> 18)
            next[1] = UInt8(truncatingIfNeeded: 0x80 | glyph >> 12 & 0x3F)
            next[2] = UInt8(truncatingIfNeeded: 0x80 | glyph >> 6 & 0x3F)
            next[3] = UInt8(truncatingIfNeeded: 0x80 | glyph & 0x3F)
            next += 4
        }
        pen.column += width
        // A full line leaves the cursor on its last column or waiting to wrap, depending on terminal and mode.
        if pen.column >= columns { pen.column = -1 }
    }

    /// A letter and its marks, which do not move the cursor.
    private mutating func put(cluster glyph: UInt32, width: Int) {
        var width = width
        for scalar in GlyphCluster.scalars(of: glyph) ?? [" "] {
            let column = pen.column
            put(glyph: scalar.value, width: width)
            if width == 0 { pen.column = column }
            width = 0
        }
    }

    // MARK: Cursor

    /// Brings the cursor to a cell by the shortest of CUF, CR LF and CUP.
    @inline(__always) mutating func moveCursor(column: Int, row: Int) {
        if pen.row == row && pen.column == column { return }
        moveAway(column: column, row: row)
    }

    private mutating func moveAway(column: Int, row: Int) {
        if pen.row == row, pen.column >= 0, column > pen.column {
            forward(column - pen.column)
        } else if pen.row >= 0, pen.row + 1 == row, column == 0 {
            // Never on the last row, so it cannot scroll; CR ends a pending wrap everywhere.
            put(0x0D)
            put(0x0A)
        } else {
            csi()
            if row > 0 { decimal(row + 1) }
            if column > 0 {
                put(0x3B)
                decimal(column + 1)
            }
            put(0x48)
        }
        pen.column = column
        pen.row = row
    }

    private mutating func forward(_ count: Int) {
        csi()
        if count > 1 { decimal(count) }
        put(0x43)
    }

    // MARK: Pen

    /// Forgets everything the terminal has set: `CSI m`, after which all three are default.
    mutating func resetPen() {
        csi()
        put(0x6D)
        pen.foreground = 0
        pen.background = 0
        pen.style = 0
    }

    /// Sets what differs in one CSI; nil leaves a colour or the style as it is. Returns the colours that were set already.
    @inline(__always) mutating func setPen(foreground: UInt32?, background: UInt32?, style: UInt32?) -> Int {
        let newForeground = foreground.map { $0 != pen.foreground } ?? false
        let newBackground = background.map { $0 != pen.background } ?? false
        let newStyle = style.map { $0 != pen.style } ?? false
        guard newForeground || newBackground || newStyle else { return 2 }
        csi()
        if newStyle, let style { change(style: style) }
        if newForeground, let foreground { colour(foreground, base: 30) }
        if newBackground, let background { colour(background, base: 40) }
        // Every parameter has written its separator; the last one becomes the end.
        next[-1] = 0x6D
        return (newForeground ? 0 : 1) + (newBackground ? 0 : 1)
    }

    private mutating func change(style: UInt32) {
        let gone = pen.style & ~style
        var added = style & ~pen.style
        if gone & 3 != 0 {
            parameter(22)
            // 22 ends bold and dim alike.
            added |= style & 3
        }
        if gone & 4 != 0 { parameter(23) }
        if gone & 8 != 0 { parameter(24) }
        if gone & 16 != 0 { parameter(27) }
        if added & 1 != 0 { parameter(1) }
        if added & 2 != 0 { parameter(2) }
        if added & 4 != 0 { parameter(3) }
        if added & 8 != 0 { parameter(4) }
        if added & 16 != 0 { parameter(7) }
        pen.style = style
    }

    /// One colour's parameters; `base` is 30 for the foreground, 40 for the background.
    @inline(__always) private mutating func colour(_ colour: UInt32, base: UInt32) {
        if base == 30 { pen.foreground = colour } else { pen.background = colour }
        if let short, let entry = short.entry(colour) {
            store(base == 30 ? 0x3B35_3B38_33 : 0x3B35_3B38_34)
            next += 5
            parameter(entry)
        } else if colour >> 24 == 1 {
            // "38;2;" or "48;2;" as one store of eight bytes, of which five stay.
            store(base == 30 ? 0x3B32_3B38_33 : 0x3B32_3B38_34)
            next += 5
            parameter(colour >> 16 & 255)
            parameter(colour >> 8 & 255)
            parameter(colour & 255)
        } else if colour == 0 {
            parameter(base + 9)
        } else if colour & 255 < 16 {
            let index = colour & 255
            parameter(index < 8 ? base + index : base + 52 + index)
        } else {
            store(base == 30 ? 0x3B35_3B38_33 : 0x3B35_3B38_34)
            next += 5
            parameter(colour & 255)
        }
    }

    // MARK: Bytes

    @inline(__always) private mutating func csi() {
        next[0] = 0x1B
        next[1] = 0x5B
        next += 2
    }

    @inline(__always) private mutating func put(_ byte: UInt8) {
        next[0] = byte
        next += 1
    }

    @inline(__always) private func store(_ bytes: UInt64) {
        UnsafeMutableRawPointer(next).storeBytes(of: bytes.littleEndian, as: UInt64.self)
    }

    /// A number below 256 and its semicolon.
    @inline(__always) private mutating func parameter(_ value: UInt32) {
        UnsafeMutableRawPointer(next).storeBytes(of: decimals[Int(value & 255)], as: UInt32.self)
        next += DecimalTable.length(value & 255)
    }

    private mutating func decimal(_ value: Int) {
        if value >= 10 { decimal(value / 10) }
        put(UInt8(truncatingIfNeeded: 0x30 + value % 10))
    }
}

/// The numbers 0…255 as ASCII digits with a semicolon behind.
enum DecimalTable {
    /// Each number's bytes, first digit lowest in memory.
    static let entries: [UInt32] = (0..<256).map { value in
        var digits = Array(String(value).utf8)
        digits.append(0x3B)
        return digits.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }.littleEndian
    }

    /// Bytes of a number and its semicolon.
    @inline(__always) static func length(_ value: UInt32) -> Int { 2 + (value > 9 ? 1 : 0) + (value > 99 ? 1 : 0) }

    /// Bytes of the parameters that set a colour, without the CSI around them.
    @inline(__always) static func cost(_ colour: UInt32) -> Int {
        if colour >> 24 == 1 { return 5 &+ length(colour >> 16 & 255) &+ length(colour >> 8 & 255) &+ length(colour & 255) }
        return colour & 255 < 16 ? 3 : 5 &+ length(colour & 255)
    }
}
