import AetherCore
import AetherRender
import AetherTestSupport
import Testing

@Suite struct CellDiffTests {
    private let size = CellSize(columns: 23, rows: 7)

    @Test(arguments: ColourDepth.allCases)
    func aDeltaLeavesTheSameScreenAsAKeyframe(depth: ColourDepth) {
        var random = SeededRandom(seed: 11)
        var rig = TerminalRig(columns: size.columns, rows: size.rows, depth: depth)
        var grid = randomGrid(size, &random)
        for round in 0..<60 {
            rig.show(grid)
            var fresh = TerminalRig(columns: size.columns, rows: size.rows, depth: depth)
            fresh.show(grid)
            #expect(visibleCells(rig.screen) == visibleCells(fresh.screen), "round \(round)")
            #expect(rig.screen.unknown.isEmpty && rig.screen.scrolled == 0 && rig.screen.wraps == 0)
            let other = randomGrid(size, &random)
            let share = random.below(100)
            for index in grid.cells.indices where random.below(100) < share { grid.cells[index] = other.cells[index] }
        }
    }

    @Test func showsEveryCellAsItWasAskedFor() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<20 {
            let grid = randomGrid(size, &random)
            var rig = TerminalRig(columns: size.columns, rows: size.rows)
            rig.show(grid)
            let screen = rig.screen.cells
            for (index, cell) in grid.cells.enumerated() {
                let isFirstOfPair = cell.glyph == 0x4E2D || cell.glyph == 0x1F600
                if cell.style.contains(.video) || cell.glyph < 0x20 || cell.glyph > 0x7E || isFirstOfPair { continue }
                #expect(screen[index].scalar == cell.glyph && screen[index].background == cell.background)
                if cell.glyph != 0x20 {
                    #expect(screen[index].foreground == cell.foreground && screen[index].style == cell.style)
                }
            }
        }
    }

    @Test func sendsNothingForAnUnchangedGrid() {
        var random = SeededRandom(seed: 3)
        let grid = randomGrid(size, &random)
        var rig = TerminalRig(columns: size.columns, rows: size.rows)
        rig.show(grid)
        let stats = rig.show(grid)
        #expect(rig.bytes.isEmpty)
        #expect(stats.byteCount == 0 && stats.cellsChanged == 0 && stats.cellsSkipped == size.columns * size.rows)
    }

    @Test func sendsTheWholeScreenAfterInvalidation() {
        let grid = frameGrid(SyntheticFrames(width: 20, height: 12, seed: 1).noise(0))
        var rig = TerminalRig(columns: 20, rows: 6)
        rig.show(grid)
        rig.screen = VTScreen(columns: 20, rows: 6)
        // Somebody else has left a pen and moved the cursor.
        rig.screen.feed(Array("\u{1B}[7;31;4mdirt".utf8))
        rig.diff.invalidate()
        let stats = rig.show(grid)
        #expect(stats.cellsChanged == 120)
        #expect(rig.screen.pixels() == SyntheticFrames(width: 20, height: 12, seed: 1).noise(0))
        #expect(rig.screen.cells.allSatisfy { $0.style.isEmpty })
    }

    @Test func followsEveryResize() {
        var random = SeededRandom(seed: 8)
        var diff = CellDiff(depth: .trueColor)
        for _ in 0..<30 {
            let (columns, rows) = (1 + random.below(40), 1 + random.below(12))
            let image = SyntheticFrames(width: columns, height: rows * 2, seed: random.next()).film(0)
            var screen = VTScreen(columns: columns, rows: rows)
            var buffer = ByteBuffer(capacity: 0)
            _ = diff.encode(frameGrid(image), into: &buffer)
            screen.feed(buffer.withUnsafeBytes { Array($0) })
            #expect(screen.pixels() == image && screen.unknown.isEmpty && screen.scrolled == 0)
        }
        var buffer = ByteBuffer()
        #expect(diff.encode(CellGrid(CellSize(columns: 0, rows: 0)), into: &buffer).byteCount == 0)
    }

    @Test(arguments: [0.3, 2, 16, 1000], [1, 8, 40])
    func approximatedPixelsStayWithinTheBound(lambda: Double, bound: Int) {
        let frames = SyntheticFrames(width: 48, height: 32, seed: 4)
        var rig = TerminalRig(columns: 48, rows: 16)
        for index in 0..<12 {
            let image = frames.film(index)
            let stats = rig.show(frameGrid(image), EncodeQuality(lambda: lambda, maximumChannelError: bound))
            #expect(rig.screen.pixels().largestError(to: image) <= bound)
            #expect(stats.squaredError == rig.screen.pixels().squaredError(to: image), "the encoder knows what is shown")
        }
    }

    @Test func refiningMakesTheShownFrameExact() {
        let image = SyntheticFrames(width: 48, height: 32, seed: 4).film(3)
        var rig = TerminalRig(columns: 48, rows: 16)
        let rough = rig.show(frameGrid(image), EncodeQuality(lambda: 16))
        #expect(rough.squaredError > 0)
        let refined = rig.show(frameGrid(image))
        #expect(refined.squaredError == 0 && rig.screen.pixels() == image)
    }

    @Test func lambdaZeroIsExactWhateverTheBound() {
        let image = SyntheticFrames(width: 48, height: 32, seed: 4).film(0)
        var rig = TerminalRig(columns: 48, rows: 16)
        rig.show(frameGrid(image), EncodeQuality(lambda: 0, maximumChannelError: 255))
        #expect(rig.screen.pixels() == image)
    }

    @Test func coveredCellsStayExactUnderApproximation() {
        let frames = SyntheticFrames(width: 40, height: 24, seed: 9)
        var overlay = CellOverlay(CellSize(columns: 40, rows: 12))
        CellText.put(
            "Überschrift 中文 ▀▄", into: &overlay.grid, at: CellPosition(column: 10, row: 11),
            like:
                Cell(foreground: .rgb(250, 250, 250), background: .rgb(11, 12, 13), style: .bold))
        for column in 10..<29 { overlay.covered[11 * 40 + column] = true }
        var rig = TerminalRig(columns: 40, rows: 12)
        for index in 0..<8 {
            var grid = frameGrid(frames.film(index))
            grid.compose(overlay)
            rig.show(grid, EncodeQuality(lambda: 1000, maximumChannelError: 255))
            for column in 10..<29 {
                let wanted = overlay.grid[column, 11], shown = rig.screen[column, 11]
                #expect(shown.scalar == wanted.glyph && shown.background == wanted.background)
                if wanted.glyph != 0x20 { #expect(shown.foreground == wanted.foreground && shown.style == wanted.style) }
            }
        }
        let image = frames.film(8)
        rig.show(frameGrid(image))
        #expect(rig.screen.pixels() == image, "nothing of the overlay is left")
    }

    @Test func aWideCharacterAtTheEdgeBecomesASpace() {
        var grid = CellGrid(CellSize(columns: 4, rows: 2))
        grid[3, 0] = Cell(glyph: 0x4E2D, background: .indexed(4))
        grid[2, 1] = Cell(glyph: 0x4E2D)
        grid[3, 1] = Cell(glyph: 0)
        var rig = TerminalRig(columns: 4, rows: 2)
        rig.show(grid)
        #expect(rig.screen.rows == ["    ", "  中"])
        #expect(rig.screen[3, 0].background == .indexed(4))
        #expect(rig.screen.unknown.isEmpty && rig.screen.scrolled == 0 && rig.screen.wraps == 0)
    }

    @Test func overwritingOneHalfOfAWideCharacterRestoresTheOther() {
        var pair = CellGrid(CellSize(columns: 6, rows: 1))
        CellText.put("a中文b", into: &pair, at: CellPosition(column: 0, row: 0))
        for column in 0..<6 {
            var rig = TerminalRig(columns: 6, rows: 1)
            rig.show(pair)
            var next = pair
            next[column, 0] = Cell(glyph: 0x78)
            rig.show(next)
            var fresh = TerminalRig(columns: 6, rows: 1)
            fresh.show(next)
            #expect(rig.screen.rows == fresh.screen.rows, "column \(column)")
            rig.show(pair)
            #expect(rig.screen.rows == ["a中文b"])
        }
    }

    @Test func neverLetsAControlCharacterThrough() {
        var grid = CellGrid(CellSize(columns: 64, rows: 4))
        let bad: [UInt32] = Array(0..<0x20) + Array(0x7F...0xA0) + [0x202E, 0x2028, 0xD800, 0xFFFE, 0x11_0000, .max]
        for (index, value) in bad.enumerated() {
            grid.cells[index * 2] = Cell(glyph: value)
            grid.cells[index * 2 + 1] = Cell(glyph: 0x78)
        }
        var rig = TerminalRig(columns: 64, rows: 4)
        rig.show(grid)
        #expect(rig.screen.unknown.isEmpty)
        #expect(rig.screen.cells.allSatisfy { $0.scalar == 0x20 || $0.scalar == 0x78 || $0.scalar == 0xA0 })
        let escapes = rig.bytes.indices.filter { rig.bytes[$0] == 0x1B }
        #expect(escapes.allSatisfy { rig.bytes[$0 + 1] == 0x5B })
    }

    /// The visible part of the cells: a blank cell's foreground and weight cannot be seen.
    private func visibleCells(_ screen: VTScreen) -> [VTScreen.Glyph] {
        screen.cells.enumerated().map { index, cell in
            var cell = cell
            if cell.scalar == 0x20, cell.style.isDisjoint(with: [.underline, .reverse]) {
                cell.foreground = .terminalDefault
                cell.style = []
            }
            guard [0x20, 0x2580, 0x2584, 0x2588].contains(cell.scalar), cell.style.isEmpty else { return cell }
            return asPixels(cell)
        }
    }

    /// Half blocks by their two pixels, where both are colours that either pen can have.
    private func asPixels(_ cell: VTScreen.Glyph) -> VTScreen.Glyph {
        let upper = cell.scalar == 0x2580 || cell.scalar == 0x2588, lower = cell.scalar == 0x2584 || cell.scalar == 0x2588
        let top = upper ? cell.foreground : cell.background, bottom = lower ? cell.foreground : cell.background
        if top.isDefault || bottom.isDefault { return cell }
        return VTScreen.Glyph(scalar: 0x2580, foreground: top, background: bottom)
    }
}
