import AetherCore

/// The cells through which an image shows inside tmux: U+10EEEE with its row and column as combining characters, and the
/// image's id as its colour. tmux keeps them as text.
///
/// Every cell says both numbers. The protocol would let a cell continue from its left neighbour, but text may come to lie there
/// later. They are sent once for a place, some 9 bytes a cell, and again where text has lain.
struct KittyPlaceholders: Sendable {
    private var placed: (placement: PixelPlacement, id: Int)?

    /// Another program had the screen: nothing is where it was.
    mutating func forget() { placed = nil }

    /// Brings placeholders into the cells that have none.
    mutating func cover(
        _ placement: PixelPlacement, id: Int, coverage: borrowing CellCoverage, into buffer: inout ByteBuffer
    ) {
        let isNew = placed?.placement != placement || placed?.id != id
        let isKnown = coverage.size == placement.screen
        if !isNew, !isKnown || !coverage.states.contains(.uncovered) { return }
        let cells = placement.cells
        Self.pen(id: id, into: &buffer)
        for row in 0..<min(cells.rows, RowColumnDiacritics.scalars.count) {
            var isAtPen = false
            for column in 0..<cells.columns {
                let index = (cells.row + row) * coverage.size.columns + cells.column + column
                let state = isKnown ? coverage.states[index] : .clear
                guard state == .uncovered || isNew && state == .clear else {
                    isAtPen = false
                    continue
                }
                if !isAtPen { Self.move(cells.column + column, cells.row + row, into: &buffer) }
                Self.append(0x10EEEE, to: &buffer)
                Self.append(RowColumnDiacritics.scalars[row], to: &buffer)
                // Beyond the table the column continues from the left.
                isAtPen = true
                if column < RowColumnDiacritics.scalars.count { Self.append(RowColumnDiacritics.scalars[column], to: &buffer) }
            }
        }
        buffer.append("\u{1B}8")
        placed = (placement, id)
    }

    /// Blanks the cells again.
    mutating func erase(into buffer: inout ByteBuffer) {
        guard let cells = placed?.placement.cells else { return }
        buffer.append("\u{1B}7\u{1B}[m")
        for row in 0..<cells.rows {
            Self.move(cells.column, cells.row + row, into: &buffer)
            for _ in 0..<cells.columns { buffer.append(0x20) }
        }
        buffer.append("\u{1B}8")
        placed = nil
    }

    /// Saves cursor and attributes, which ESC 8 puts back, and takes the colour that names the image.
    private static func pen(id: Int, into buffer: inout ByteBuffer) {
        buffer.append("\u{1B}7\u{1B}[0;38;2;")
        buffer.append(decimal: id >> 16 & 255)
        buffer.append(0x3B)
        buffer.append(decimal: id >> 8 & 255)
        buffer.append(0x3B)
        buffer.append(decimal: id & 255)
        buffer.append(0x6D)
    }

    private static func move(_ column: Int, _ row: Int, into buffer: inout ByteBuffer) {
        buffer.append("\u{1B}[")
        buffer.append(decimal: row + 1)
        buffer.append(0x3B)
        buffer.append(decimal: column + 1)
        buffer.append(0x48)
    }

    private static func append(_ scalar: UInt32, to buffer: inout ByteBuffer) {
        let last = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
        if scalar < 0x800 {
            buffer.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
        } else {
            let third = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
            if scalar < 0x10000 {
                buffer.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            } else {
                buffer.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
                buffer.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
            }
            buffer.append(third)
        }
        buffer.append(last)
    }
}
