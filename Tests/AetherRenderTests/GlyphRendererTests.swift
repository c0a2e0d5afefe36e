import AetherCore
import AetherRender
import AetherTestSupport
import Testing

@Suite struct GlyphRendererTests {
    static let depths = ColourDepth.allCases
    private let origin = CellPosition(column: 0, row: 0)

    @Test(arguments: GlyphSet.allCases, depths)
    func aDeltaLeavesTheSameScreenAsAKeyframe(set: GlyphSet, depth: ColourDepth) {
        var random = SeededRandom(seed: 21)
        for _ in 0..<12 {
            let size = CellSize(columns: 1 + random.below(19), rows: 1 + random.below(7))
            let frames = SyntheticFrames(
                width: size.columns * 2 - random.below(2), height: size.rows * set.parts.height - random.below(2),
                seed: random.next())
            var rig = TerminalRig(columns: size.columns, rows: size.rows, depth: depth)
            for index in 0..<4 {
                let image = index == 2 ? frames.noise(index) : frames.film(index)
                let quality = index == 1 ? EncodeQuality(lambda: 20) : .exact
                rig.show(image, set, quality)
                if index == 1 { continue }
                var fresh = TerminalRig(columns: size.columns, rows: size.rows, depth: depth)
                fresh.show(image, set)
                let rows = set.parts.height
                #expect(rig.screen.parts(rows: rows) == fresh.screen.parts(rows: rows))
                #expect(rig.screen.unknown.isEmpty && rig.screen.scrolled == 0 && rig.screen.wraps == 0)
                rig.show(image, set)
                #expect(rig.bytes.isEmpty)
            }
        }
    }

    @Test(arguments: GlyphSet.allCases)
    func everyTwoColouredCellReachesTheScreen(set: GlyphSet) {
        let rows = set.parts.height, count = 1 << (2 * rows)
        var image = RasterImage(width: count * 2, height: rows, fill: RasterImage.rgb(10, 20, 30))
        for mask in 0..<count {
            for part in 0..<2 * rows where mask >> part & 1 == 1 {
                image[2 * mask + part % 2, part / 2] = RasterImage.rgb(240, 200, 90)
            }
        }
        var rig = TerminalRig(columns: count, rows: 1)
        rig.show(image, set)
        #expect(rig.screen.parts(rows: rows) == image)
        #expect(rig.screen.unknown.isEmpty)
    }

    @Test(arguments: GlyphSet.allCases, depths)
    func neverShowsAFullBlock(set: GlyphSet, depth: ColourDepth) {
        let frames = SyntheticFrames(width: 40, height: 48, seed: 3)
        var rig = TerminalRig(columns: 20, rows: 12, depth: depth)
        let white = RasterImage(width: 40, height: 48, fill: .max)
        for (index, image) in [frames.film(0), white, frames.film(5), frames.noise(2), white].enumerated() {
            rig.show(image, set, EncodeQuality(lambda: [0, 3, 40][index % 3]))
            #expect(!rig.screen.cells.contains { $0.scalar == 0x2588 })
        }
        #expect(depth != .trueColor || rig.screen.cells.allSatisfy { $0.scalar == 0x20 })
    }

    @Test(arguments: GlyphSet.allCases, [-3, 0, 2])
    func clipsToTheGrid(set: GlyphSet, shift: Int) {
        let image = SyntheticFrames(width: 7, height: 9, seed: 4).film(0)
        var renderer = GlyphRenderer(set, depth: .trueColor)
        var grid = CellGrid(CellSize(columns: 5, rows: 4))
        let place = CellPosition(column: shift, row: -shift)
        renderer.draw(image, at: place, into: &grid)
        let area = CellRect(column: shift, row: -shift, columns: 4, rows: (9 + set.parts.height - 1) / set.parts.height)
        for row in 0..<4 {
            for column in 0..<5 {
                let isInside = area.contains(column: column, row: row)
                #expect(grid[column, row].style.contains(.video) == isInside)
            }
        }
        var diff = CellDiff(depth: .trueColor)
        var buffer = ByteBuffer()
        let stats = diff.encode(
            grid, video: CellFrame(image, at: place, glyphs: set), quality: EncodeQuality(lambda: 4), into: &buffer)
        #expect(stats.cellsChanged == 20)
    }

    @Test(arguments: GlyphSet.allCases)
    func aLightGroundTurnsThePatternRound(set: GlyphSet) {
        let image = SyntheticFrames(width: 16, height: 12, seed: 4).film(0)
        var dark = GlyphRenderer(set, depth: .mono), light = GlyphRenderer(set, depth: .mono, ground: .light)
        var grid = CellGrid(CellSize(columns: 8, rows: 12 / set.parts.height)), turned = grid
        dark.draw(image, at: origin, into: &grid)
        light.draw(image, at: origin, into: &turned)
        let white = RasterImage.rgb(255, 255, 255), black = RasterImage.rgb(0, 0, 0)
        func shown(_ grid: CellGrid, _ fore: UInt32, _ back: UInt32) -> RasterImage {
            var rig = TerminalRig(columns: grid.size.columns, rows: grid.size.rows, depth: .mono)
            rig.show(grid)
            return rig.screen.parts(rows: set.parts.height, foreground: fore, background: back)
        }
        #expect(shown(grid, white, black) == shown(turned, black, white))
        #expect(Set(shown(grid, white, black).pixels).count == 2)
    }

    @Test(arguments: [GlyphSet.quadrant, .sextant, .octant])
    func grainDoesNotMakeGlyphsJump(set: GlyphSet) {
        let frames = SyntheticFrames(width: 80, height: 20 * set.parts.height, seed: 8)
        let still = frames.film(0)
        var random = SeededRandom(seed: 2)
        func grainy() -> RasterImage {
            RasterImage(
                width: still.width, height: still.height,
                pixels: still.pixels.map { pixel in
                    let grain = random.below(5) - 2
                    func channel(_ shift: UInt32) -> UInt8 { UInt8(clamping: Int(pixel >> shift & 255) + grain) }
                    return RasterImage.rgb(channel(0), channel(8), channel(16))
                })
        }
        var rig = TerminalRig(columns: 40, rows: 20)
        for _ in 0..<4 { rig.show(grainy(), set, EncodeQuality(lambda: 3)) }
        let changed = (0..<8).map { _ in rig.show(grainy(), set, EncodeQuality(lambda: 3)).cellsChanged }.reduce(0, +)
        var exact = TerminalRig(columns: 40, rows: 20)
        let jumping = (0..<8).map { _ in exact.show(grainy(), set).cellsChanged }.reduce(0, +)
        #expect(changed * 10 < jumping)
        #expect(jumping > 3000)
    }

    @Test func costsStayLow() {
        let frames = SyntheticFrames(width: 80, height: 88, seed: 7)
        var rig = TerminalRig(columns: 40, rows: 22)
        var bytes = 0, error = 0
        for index in 0..<12 {
            let stats = rig.show(frames.film(index), .octant, EncodeQuality(lambda: 6))
            bytes += stats.byteCount
            error += rig.screen.parts(rows: 4).squaredError(to: frames.film(index))
        }
        #expect(bytes / 12 <= 15_000)
        #expect(Double(error) / Double(12 * 80 * 88 * 3) <= 40)
    }
}
