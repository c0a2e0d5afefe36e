import AetherCore
import AetherRender
import Testing

@Suite struct CellTextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("中文", 4), ("한글", 4), ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("👨\u{200D}👩", 4),
        ("❤\u{FE0F}", 1), ("a\u{1B}[31mb", 6), ("\u{202E}x", 1), ("│▀", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{AD}", 1),
    ])
    func measuresColumns(text: String, columns: Int) {
        #expect(CellText.width(text) == columns)
    }

    @Test func writesAWideCharacterAsAPair() {
        var grid = CellGrid(CellSize(columns: 5, rows: 1))
        #expect(CellText.put("a中b", into: &grid, at: CellPosition(column: 0, row: 0)) == 4)
        #expect(grid.cells.map(\.glyph) == [0x61, 0x4E2D, 0, 0x62, 0x20])
    }

    @Test func neverLeavesItsColumns() {
        for limit in 0...8 {
            var grid = CellGrid(CellSize(columns: 6, rows: 2), fill: Cell(glyph: 0x2E))
            let used = CellText.put("中中中中", into: &grid, at: CellPosition(column: 1, row: 0), columns: limit)
            #expect(used == min(limit, 5) / 2 * 2)
            #expect(grid.cells[(1 + used)...].allSatisfy { $0.glyph == 0x2E })
        }
        var grid = CellGrid(CellSize(columns: 3, rows: 1))
        for place in [(-1, 0), (3, 0), (0, -1), (0, 1), (.max, 0), (0, .max)] {
            #expect(CellText.put("x", into: &grid, at: CellPosition(column: place.0, row: place.1)) == 0)
        }
        #expect(grid == CellGrid(CellSize(columns: 3, rows: 1)))
    }

    @Test func dropsWhatMayNotReachATerminal() {
        var grid = CellGrid(CellSize(columns: 6, rows: 1))
        CellText.put("\u{1B}a\u{9B}\u{301}\u{202E}b\u{7F}", into: &grid, at: CellPosition(column: 0, row: 0))
        #expect(grid.cells.map(\.glyph) == [0x61, 0x62, 0x20, 0x20, 0x20, 0x20])
    }

    @Test func marksACutWithAnEllipsis() {
        #expect(CellText.clipped("abcdef", columns: 6) == "abcdef")
        #expect(CellText.clipped("abcdef", columns: 4) == "abc…")
        #expect(CellText.clipped("中文字", columns: 4) == "中…")
        #expect(CellText.clipped("abc", columns: 0) == "")
        #expect(CellText.clipped("abc", columns: -5) == "")
    }
}
