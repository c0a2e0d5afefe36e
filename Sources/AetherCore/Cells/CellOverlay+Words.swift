extension CellOverlay {
    /// Turns each word that is read from right to left round, for terminals that will do so again: letters, signs and digits of Hebrew and
    /// Arabic that stand side by side. Only the glyphs change places.
    public mutating func turnWords() {
        let columns = grid.size.columns
        for row in 0..<grid.size.rows {
            var start = row * columns
            let end = start + columns
            while start < end {
                var next = start
                while next < end, covered[next], Self.isRightToLeft(grid.cells[next].glyph) { next += 1 }
                for offset in 0..<(next - start) / 2 {
                    let (left, right) = (start + offset, next - 1 - offset)
                    let glyph = grid.cells[left].glyph
                    grid.cells[left].glyph = grid.cells[right].glyph
                    grid.cells[right].glyph = glyph
                }
                start = max(next, start + 1)
            }
        }
    }

    private static func isRightToLeft(_ glyph: UInt32) -> Bool {
        let base = Unicode.Scalar(glyph) ?? GlyphCluster.scalars(of: glyph)?.first
        switch base?.value ?? 0 {
        // Hebrew, Arabic, Syriac, Thaana, NKo, their extensions and the shapes that letters have beside each other.
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC: return true
        default: return false
        }
    }
}
