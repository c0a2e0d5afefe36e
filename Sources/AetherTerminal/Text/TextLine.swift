import AetherCore

/// One line of text ready for cells: in the order in which a terminal that knows nothing of right-to-left shows it.
public struct TextLine: Sendable, Equatable {
    /// A character with its look.
    public struct Glyph: Sendable, Equatable {
        /// The character as in `Cell.glyph`: a scalar, or a letter with marks.
        public let glyph: UInt32
        /// 1 or 2.
        public let columns: Int
        /// The run of the text that it belongs to.
        public let run: Int

        /// A character.
        public init(glyph: UInt32, columns: Int, run: Int) {
            self.glyph = glyph
            self.columns = columns
            self.run = run
        }
    }

    /// The characters in the order in which they are shown, from left to right.
    public let glyphs: [Glyph]
    /// Whether it is read from right to left.
    public let isRightToLeft: Bool

    /// Cells that it takes.
    public var columns: Int { glyphs.reduce(0) { $0 + $1.columns } }

    /// The characters, for tests and logs.
    public var text: String {
        var text = String.UnicodeScalarView()
        for glyph in glyphs {
            if let scalar = Unicode.Scalar(glyph.glyph) { text.append(scalar) }
            text.append(contentsOf: GlyphCluster.scalars(of: glyph.glyph) ?? [])
        }
        return String(text)
    }
}
