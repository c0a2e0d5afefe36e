import AetherCore
import AetherRender
import AetherTestSupport
import Testing

@Suite struct RendererTests {
    @Test func halfBlocksKeepEveryPixel() {
        let image = SyntheticFrames(width: 17, height: 10, seed: 2).noise(0)
        var rig = TerminalRig(columns: 17, rows: 5)
        rig.show(frameGrid(image))
        #expect(rig.screen.pixels() == image)
    }

    @Test func anOddLastLineIsDoubled() {
        let image = SyntheticFrames(width: 4, height: 3, seed: 2).noise(0)
        var rig = TerminalRig(columns: 4, rows: 2)
        rig.show(frameGrid(image))
        for x in 0..<4 {
            #expect(rig.screen.pixels()[x, 2] == image[x, 2])
            #expect(rig.screen.pixels()[x, 3] == image[x, 2])
        }
    }

    @Test(arguments: ColourDepth.allCases, [(-3, -1), (5, 2), (0, 0), (100, 0), (0, .max), (.min, .min), (.max, -2)])
    func clipsToTheGrid(depth: ColourDepth, origin: (Int, Int)) {
        let image = SyntheticFrames(width: 6, height: 7, seed: 2).noise(0)
        let position = CellPosition(column: origin.0, row: origin.1)
        var block = HalfBlockRenderer(depth: depth), ascii = AsciiRenderer(depth: depth)
        var grid = CellGrid(CellSize(columns: 8, rows: 4)), text = grid
        block.draw(image, at: position, into: &grid)
        ascii.draw(image, at: position, into: &text)
        let area = CellRect(
            column: min(max(origin.0, -100), 100), row: min(max(origin.1, -100), 100), columns: 6, rows: 4)
        for row in 0..<4 {
            for column in 0..<8 {
                let inside = area.contains(column: column, row: row)
                #expect(grid[column, row].style.contains(.video) == inside)
                #expect(text[column, row].style.contains(.video) == inside)
                if inside, depth == .trueColor {
                    let pixel = image[column - origin.0, (row - origin.1) * 2]
                    let wanted = CellColor.rgb(UInt8(pixel & 255), UInt8(pixel >> 8 & 255), UInt8(pixel >> 16 & 255))
                    #expect(grid[column, row].foreground == wanted)
                }
            }
        }
    }

    @Test(arguments: ColourDepth.allCases)
    func theSamePixelAtTheSamePlaceGivesTheSameCell(depth: ColourDepth) {
        let frames = SyntheticFrames(width: 32, height: 32, seed: 6)
        var renderer = HalfBlockRenderer(depth: depth)
        var grid = CellGrid(CellSize(columns: 32, rows: 16))
        let origin = CellPosition(column: 0, row: 0)
        let image = frames.film(0)
        renderer.draw(image, at: origin, into: &grid)
        // Other pictures in between, then one pixel changed: only its own cell may differ.
        var other = CellGrid(grid.size)
        renderer.draw(frames.noise(1), at: origin, into: &other)
        var changed = image
        changed[9, 9] = ~image[9, 9] | 0xFF00_0000
        renderer.draw(changed, at: origin, into: &other)
        let differing = grid.cells.indices.filter { grid.cells[$0] != other.cells[$0] }
        #expect(differing.allSatisfy { $0 == 4 * 32 + 9 })
    }

    @Test(arguments: [ColourDepth.indexed256, .indexed16], [0, 40, 90, 128, 200, 255])
    func ditheredGreyHasTheRightMean(depth: ColourDepth, level: Int) {
        let grey = RasterImage.rgb(UInt8(level), UInt8(level), UInt8(level))
        let mean = shownMean(grey, depth)
        // A pattern of 16 greys of 0, 127, 229, 255 has steps of up to 8, and a bin of the table is 8 wide. Quarters between the greys
        // of 256 colours are less than 5 apart.
        for channel in mean { #expect(abs(channel - level) <= (depth == .indexed16 ? 10 : 3)) }
    }

    @Test(arguments: [(200, 60, 30), (30, 90, 160), (120, 200, 90), (230, 180, 150)])
    func ditheredColoursHaveTheRightMean(colour: (Int, Int, Int)) {
        let pixel = RasterImage.rgb(UInt8(colour.0), UInt8(colour.1), UInt8(colour.2))
        let wanted = [colour.0, colour.1, colour.2]
        for (mean, level) in zip(shownMean(pixel, .indexed256), wanted) { #expect(abs(mean - level) <= 12) }
        for (mean, level) in zip(shownMean(pixel, .indexed16), wanted) { #expect(abs(mean - level) <= 20) }
    }

    @Test func monoBlocksGrowWithTheLight() {
        let lit = stride(from: 0, through: 255, by: 15).map { level -> Int in
            let image = RasterImage(width: 16, height: 16, fill: RasterImage.rgb(UInt8(level), UInt8(level), UInt8(level)))
            var rig = TerminalRig(columns: 16, rows: 8, depth: .mono)
            rig.show(frameGrid(image, depth: .mono))
            #expect(rig.screen.cells.allSatisfy { $0.foreground.isDefault && $0.background.isDefault })
            return rig.screen.pixels(foreground: 1, background: 0).pixels.reduce(0) { $0 + Int($1) }
        }
        #expect(lit == lit.sorted() && lit.first == 0 && lit.last == 256)
    }

    @Test func asciiGlyphsGrowDenserWithTheLight() {
        var renderer = AsciiRenderer(depth: .mono)
        var grid = CellGrid(CellSize(columns: 1, rows: 1))
        let density = " .'`,:-~+=;!*ixcsvJCLzYUXZ0OQmwqpdbkhao#MW&8%B@$"
        var last = -1
        for level in 0...255 {
            renderer.draw(
                RasterImage(width: 1, height: 2, fill: RasterImage.rgb(UInt8(level), UInt8(level), UInt8(level))),
                at: CellPosition(column: 0, row: 0), into: &grid)
            let scalars = Array(density.unicodeScalars)
            let place = scalars.firstIndex { $0.value == grid[0, 0].glyph } ?? -1
            #expect(place >= last)
            last = place
        }
        #expect(last == density.count - 1)
    }

    @Test func asciiReachesTheScreenInEveryDepth() {
        let image = SyntheticFrames(width: 20, height: 20, seed: 3).film(0)
        for depth in ColourDepth.allCases {
            var renderer = AsciiRenderer(depth: depth)
            var grid = CellGrid(CellSize(columns: 20, rows: 10))
            renderer.draw(image, at: CellPosition(column: 0, row: 0), into: &grid)
            var rig = TerminalRig(columns: 20, rows: 10, depth: depth)
            rig.show(grid)
            for (index, cell) in grid.cells.enumerated() where cell.glyph != 0x20 {
                #expect(rig.screen.cells[index].scalar == cell.glyph && rig.screen.cells[index].foreground == cell.foreground)
            }
            #expect(rig.screen.unknown.isEmpty)
        }
    }

    /// The mean colour of a flat area as shown.
    private func shownMean(_ pixel: UInt32, _ depth: ColourDepth) -> [Int] {
        var rig = TerminalRig(columns: 16, rows: 8, depth: depth)
        rig.show(frameGrid(RasterImage(width: 16, height: 16, fill: pixel), depth: depth))
        let shown = rig.screen.pixels().pixels
        return (0..<3).map { channel in shown.reduce(0) { $0 + Int($1 >> (8 * channel) & 255) } / shown.count }
    }
}
