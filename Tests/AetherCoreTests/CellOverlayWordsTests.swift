import AetherCore
import Testing

@Suite struct CellOverlayWordsTests {
    private func row(_ text: String, covered: Bool = true) -> CellOverlay {
        var overlay = CellOverlay(CellSize(columns: text.unicodeScalars.count, rows: 1))
        for (column, scalar) in text.unicodeScalars.enumerated() {
            overlay.grid.cells[column].glyph = scalar.value
            overlay.covered[column] = covered
        }
        return overlay
    }

    private func text(_ overlay: CellOverlay) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: overlay.grid.cells.compactMap { Unicode.Scalar($0.glyph) })
        return String(text)
    }

    @Test(arguments: [
        ("(2026) םלוע םולש", "(2026) עולם שלום"), ("!םולש x", "!שלום x"), ("abc", "abc"), ("", ""), ("א", "א"),
        ("\u{61F}\u{FE8E}\u{FE92}\u{FEA3}", "\u{FEA3}\u{FE92}\u{FE8E}\u{61F}"), ("\u{662}\u{660}", "\u{660}\u{662}"),
    ])
    func eachWordIsTurned(_ shown: String, _ sent: String) {
        var overlay = row(shown)
        overlay.turnWords()
        #expect(text(overlay) == sent)
        overlay.turnWords()
        #expect(text(overlay) == shown)
    }

    @Test func whatIsNotCoveredStays() {
        var overlay = row("םולש", covered: false)
        let before = overlay
        overlay.turnWords()
        #expect(overlay == before)
    }

    @Test func lettersKeepTheirPoints() {
        let pointed = GlyphCluster.glyph("\u{5D1}", marks: ["\u{5BC}"])
        var overlay = row("אב")
        overlay.grid.cells[0].glyph = pointed
        overlay.turnWords()
        #expect(overlay.grid.cells.map(\.glyph) == [0x5D1, pointed])
    }
}
