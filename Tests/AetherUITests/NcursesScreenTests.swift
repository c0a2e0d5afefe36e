import AetherCore
import AetherTerminal
import Glibc
import Testing

private let low = WindowID(rawValue: 1), high = WindowID(rawValue: 2)
private let plain = ChromeRole(rawValue: 1), loud = ChromeRole(rawValue: 2)

private func palette() -> ChromePalette {
    var palette = ChromePalette()
    palette[plain] = ChromeFace(foreground: .rgb(1, 2, 3), background: .rgb(4, 5, 6))
    palette[loud] = ChromeFace(foreground: .rgb(250, 251, 252), background: .indexed(17), style: .bold)
    return palette
}

@Suite struct NcursesScreenTests {
    @Test func cellsInsideAWindowAreCoveredAndNoOthers() throws {
        let overlay = try withScreen(columns: 12, rows: 4) { screen in
            screen.show(low, at: CellRect(column: 2, row: 1, columns: 6, rows: 2), fill: plain)
            screen.put("Hi", column: 1, row: 0, in: low, role: loud)
            return screen.readBack(palette())
        }
        #expect(overlay.text == ["············", "·· Hi   ····", "··      ····", "············"])
        #expect(overlay.covered.count { $0 } == 12)
    }

    @Test func aRoleBecomesItsColoursAndStylesAddUp() throws {
        let grid = try withScreen(columns: 10, rows: 1) { screen in
            screen.show(low, at: CellRect(column: 0, row: 0, columns: 10, rows: 1), fill: plain)
            screen.put("a", column: 0, row: 0, in: low, role: loud)
            screen.put("b", column: 1, row: 0, in: low, role: loud, style: [.underline, .reverse])
            screen.put("c", column: 2, row: 0, in: low, role: plain, style: [.italic, .dim])
            screen.put(" ", column: 3, row: 0, in: low, role: loud)
            return screen.readBack(palette()).grid
        }
        let (white, blue) = (CellColor.rgb(250, 251, 252), CellColor.indexed(17))
        #expect(grid[0, 0] == Cell(glyph: 97, foreground: white, background: blue, style: .bold))
        #expect(grid[1, 0] == Cell(glyph: 98, foreground: white, background: blue, style: [.bold, .underline, .reverse]))
        #expect(grid[2, 0] == Cell(glyph: 99, foreground: .rgb(1, 2, 3), background: .rgb(4, 5, 6), style: [.italic, .dim]))
        #expect(grid[3, 0] == Cell(glyph: 32, foreground: white, background: blue, style: .bold))
        #expect(grid[4, 0] == Cell(glyph: 32, foreground: .rgb(1, 2, 3), background: .rgb(4, 5, 6)))
    }

    @Test func aWideCharacterTakesTwoCellsAndItsSecondIsEmpty() throws {
        let (used, grid) = try withScreen(columns: 6, rows: 1) { screen in
            screen.show(low, at: CellRect(column: 0, row: 0, columns: 6, rows: 1), fill: plain)
            let used = screen.put("日x本", column: 0, row: 0, in: low, role: plain)
            return (used, screen.readBack(palette()).grid)
        }
        #expect(used == 5)
        #expect(grid.cells.map(\.glyph) == [0x65E5, 0, 0x78, 0x672C, 0, 0x20])
    }

    @Test(arguments: [
        ("abcdef", 0, "abcd", 4), ("ab", 3, "   a", 1), ("日本語", 1, " 日 ", 2), ("xyz", -1, "yz  ", 2), ("日x", -1, " x  ", 2),
        ("xyz", 4, "    ", 0), ("a\u{1B}[31mb", 0, "a[31", 4), ("e\u{301}é", 0, "eé  ", 2),
        ("\u{202E}ab\u{0}\u{9B}c", 0, "abc ", 3),
    ])
    func textIsCutToItsWindowAndFreedOfWhatIsUnsafe(_ text: String, _ column: Int, _ shown: String, _ columns: Int) throws {
        let (used, row) = try withScreen(columns: 8, rows: 1) { screen in
            screen.show(low, at: CellRect(column: 2, row: 0, columns: 4, rows: 1), fill: plain)
            let used = screen.put(text, column: column, row: 0, in: low, role: loud)
            return (used, screen.readBack(palette()).text[0])
        }
        #expect(row == "··" + shown + "··")
        #expect(used == columns)
    }

    @Test func overwritingHalfAWideCharacterLeavesNoOtherHalf() throws {
        let grid = try withScreen(columns: 6, rows: 2) { screen in
            screen.show(low, at: CellRect(column: 0, row: 0, columns: 6, rows: 2), fill: plain)
            screen.put("日本語", column: 0, row: 0, in: low, role: plain)
            screen.put("x", column: 1, row: 0, in: low, role: plain)
            screen.put("日本語", column: 0, row: 1, in: low, role: plain)
            screen.show(high, at: CellRect(column: 1, row: 1, columns: 2, rows: 1), fill: loud)
            return screen.readBack(palette()).grid
        }
        #expect(grid.cells.prefix(6).map(\.glyph) == [0x20, 0x78, 0x672C, 0, 0x8A9E, 0])
        #expect(grid.cells.suffix(6).map(\.glyph) == [0x20, 0x20, 0x20, 0x20, 0x8A9E, 0])
    }

    @Test func aHigherWindowCoversALowerOneWhateverTheOrderOfOpening() throws {
        let rows = try withScreen(columns: 6, rows: 1) { screen in
            screen.show(high, at: CellRect(column: 2, row: 0, columns: 2, rows: 1), fill: plain)
            screen.put("HH", column: 0, row: 0, in: high, role: plain)
            screen.show(low, at: CellRect(column: 0, row: 0, columns: 6, rows: 1), fill: plain)
            screen.put("llllll", column: 0, row: 0, in: low, role: plain)
            let both = screen.readBack(palette()).text[0]
            screen.hide(high)
            let one = screen.readBack(palette()).text[0]
            screen.hide(low)
            return [both, one, screen.readBack(palette()).text[0]]
        }
        #expect(rows == ["llHHll", "llllll", "······"])
    }

    @Test(arguments: [
        (CellRect(column: -2, row: 0, columns: 4, rows: 1), "  ····"),
        (CellRect(column: 4, row: 0, columns: 9, rows: 9), "····  "),
        (CellRect(column: 6, row: 0, columns: 1, rows: 1), "······"),
        (CellRect(column: 0, row: 1, columns: 6, rows: 1), "······"),
        (CellRect(column: 0, row: 0, columns: 0, rows: 0), "······"),
        (CellRect(column: .max, row: 0, columns: .max, rows: 1), "······"),
        (CellRect(column: .min, row: 0, columns: .max, rows: 1), "······"),
    ])
    func windowsAreClippedToTheScreen(_ rect: CellRect, _ expected: String) throws {
        let row = try withScreen(columns: 6, rows: 1) { screen in
            screen.show(low, at: rect, fill: plain)
            return screen.readBack(palette()).text[0]
        }
        #expect(row == expected)
    }

    @Test func aResizeStormEndsWithTheLastSizeAndWorkingWindows() throws {
        try withScreen(columns: 80, rows: 24) { screen in
            var state: UInt64 = 7
            for _ in 0..<300 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let size = CellSize(columns: Int(state >> 33 % 300) + 1, rows: Int(state >> 45 % 100) + 1)
                try screen.resize(size)
                screen.show(low, at: CellRect(column: 0, row: size.rows - 1, columns: size.columns, rows: 1), fill: plain)
                screen.put("日本語 and so on", column: 0, row: 0, in: low, role: loud)
                let overlay = screen.readBack(palette())
                #expect(overlay.grid.size == size)
                #expect(overlay.covered.count { $0 } == size.columns)
                #expect(overlay.covered.last == true)
            }
            for size in [CellSize(columns: 1, rows: 1), TerminalSize.limit] {
                try screen.resize(size)
                screen.show(high, at: CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows), fill: loud)
                #expect(screen.readBack(palette()).covered.allSatisfy { $0 })
            }
        }
    }

    @Test func unusableSizesAreRefusedAndTheOldOneKept() throws {
        for size in [(0, 24), (80, 0), (TerminalSize.limit.columns + 1, 24), (80, TerminalSize.limit.rows + 1), (-1, -1)] {
            let size = CellSize(columns: size.0, rows: size.1)
            let error = ChromeError.unusableSize(columns: size.columns, rows: size.rows)
            withoutScreen { #expect(throws: error) { _ = try NcursesScreen(size: size).size } }
            try withScreen(columns: 4, rows: 2) { screen in
                #expect(throws: error) { try screen.resize(size) }
                #expect(screen.size == CellSize(columns: 4, rows: 2))
            }
        }
    }

    @Test func aSecondScreenIsRefusedWhileOneLives() throws {
        try withScreen(columns: 4, rows: 2) { _ in
            #expect(throws: ChromeError.alreadyInUse) { _ = try NcursesScreen(size: CellSize(columns: 4, rows: 2)).size }
        }
        try withScreen(columns: 4, rows: 2) { #expect($0.size.rows == 2) }
    }

    @Test func signalDispositionsAndDescriptorsAreAsBefore() throws {
        try withoutScreen {
            let handlers = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH, SIGCONT, SIGHUP]
            func handler(_ signal: Int32) -> UInt {
                var action = sigaction()
                sigaction(signal, nil, &action)
                return unsafeBitCast(action.__sigaction_handler, to: UInt.self)
            }
            let before = handlers.map(handler)
            // ncurses installs its handlers once per process, perhaps for an earlier test: then they would be in `before`.
            #expect(handler(SIGTSTP) == UInt(bitPattern: 0) && handler(SIGWINCH) == UInt(bitPattern: 0))
            let descriptorsBefore = openDescriptors()
            for round in 0..<3 {
                var screen = try NcursesScreen(size: CellSize(columns: 10 + round, rows: 4))
                screen.show(low, at: CellRect(column: 0, row: 0, columns: 4, rows: 1), fill: plain)
                #expect(screen.readBack(palette()).covered[0])
                #expect(handlers.map(handler) == before)
            }
            #expect(handlers.map(handler) == before)
            #expect(openDescriptors() == descriptorsBefore)
        }
    }

    /// Anonymous files of the chrome that are open: other tests open descriptors of their own meanwhile.
    private func openDescriptors() -> Int {
        (0..<256).count { number in
            var buffer = [CChar](repeating: 0, count: 256)
            let length = readlink("/proc/self/fd/\(number)", &buffer, 255)
            let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return path.contains("aether-chrome")
        }
    }

    @Test func textWidthsAreThoseOfTheCells() {
        #expect(ChromeText.columns(of: "abc") == 3)
        #expect(ChromeText.columns(of: "日本e\u{301}") == 5)
        #expect(ChromeText.columns(of: "\u{1B}\u{7F}\u{200E}") == 0)
        #expect(ChromeText.clipped("abcdef", to: 4) == "abc…")
        #expect(ChromeText.clipped("日本語", to: 4) == "日…")
        #expect(ChromeText.clipped("abc", to: 3) == "abc")
        #expect(ChromeText.clipped("abcd", to: 2, ellipsis: "...") == "")
    }
}
