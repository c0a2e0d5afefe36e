import AetherCore
import AetherRender
import AetherTestSupport
import Testing

@Suite struct ByteBudgetTests {
    private let size = CellSize(columns: 160, rows: 45)

    @Test(arguments: [2048, 10_000, 43_000])
    func noHalfBlockFrameIsFarOverItsBudget(budget: Int) {
        let film = SyntheticFrames(width: 160, height: 90, seed: 7), other = SyntheticFrames(width: 160, height: 90, seed: 70)
        var rig = TerminalRig(columns: size.columns, rows: size.rows)
        let quality = EncodeQuality(lambda: 3, byteBudget: budget)
        for index in 0..<18 {
            // With a cut, and noise, the worst there is.
            let image = index < 8 ? film.film(index) : index < 16 ? other.film(index) : other.noise(index)
            let stats = rig.show(frameGrid(image), quality)
            #expect(stats.byteCount == rig.bytes.count)
            #expect(stats.byteCount * 10 <= budget * 11, "frame \(index)")
        }
        #expect(rig.screen.unknown.isEmpty && rig.screen.scrolled == 0)
    }

    @Test(arguments: GlyphSet.allCases, [ColourDepth.trueColor, .indexed256])
    func noGlyphFrameIsFarOverItsBudget(set: GlyphSet, depth: ColourDepth) {
        let film = SyntheticFrames(width: 160, height: 20 * set.parts.height, seed: 7)
        var rig = TerminalRig(columns: 80, rows: 20, depth: depth)
        for index in 0..<8 {
            rig.show(film.film(index * 3), set, EncodeQuality(lambda: 3, byteBudget: 6000))
            #expect(rig.bytes.count <= 6600, "frame \(index)")
        }
        #expect(rig.screen.unknown.isEmpty)
    }

    @Test(arguments: ColourDepth.allCases)
    func aStillFrameBecomesExactUnderABudget(depth: ColourDepth) {
        let image = SyntheticFrames(width: 80, height: 60, seed: 4).film(0)
        var rig = TerminalRig(columns: 80, rows: 30, depth: depth)
        var fresh = TerminalRig(columns: 80, rows: 30, depth: depth)
        fresh.show(frameGrid(image, depth: depth))
        var frames = 0
        repeat {
            rig.show(frameGrid(image, depth: depth), EncodeQuality(lambda: 0, maximumChannelError: 0, byteBudget: 4000))
            #expect(rig.bytes.count <= 4400)
            frames += 1
        } while rig.screen.pixels() != fresh.screen.pixels() && frames < 80
        #expect(frames < 80)
        #expect(depth == .mono || frames > 2)
    }

    @Test(arguments: GlyphSet.allCases)
    func aStillFrameOfGlyphsBecomesExactUnderABudget(set: GlyphSet) {
        let image = SyntheticFrames(width: 80, height: 20 * set.parts.height, seed: 4).film(0)
        var rig = TerminalRig(columns: 40, rows: 20), fresh = rig
        fresh.show(image, set)
        var frames = 0
        repeat {
            rig.show(image, set, EncodeQuality(lambda: 0, maximumChannelError: 0, byteBudget: 3000))
            frames += 1
        } while rig.screen.parts(rows: set.parts.height) != fresh.screen.parts(rows: set.parts.height) && frames < 60
        #expect(frames > 2 && frames < 60)
    }

    @Test func aCutShowsTheWholeFrameCoarselyAtOnce() {
        let before = SyntheticFrames(width: 160, height: 90, seed: 7).film(0)
        let after = SyntheticFrames(width: 160, height: 90, seed: 1234).film(0)
        var rig = TerminalRig(columns: 160, rows: 45)
        rig.show(frameGrid(before))
        let old = rig.screen.pixels().squaredError(to: after)
        rig.show(frameGrid(after), EncodeQuality(lambda: 3, byteBudget: 20_000))
        let shown = rig.screen.pixels()
        #expect(shown.squaredError(to: after) * 8 < old)
        // No part of the screen is left out: each fifth of the rows is nearer to the new picture than to the old one.
        for part in 0..<5 {
            var toNew = 0, toOld = 0
            for y in part * 18..<(part + 1) * 18 {
                for x in 0..<160 {
                    toNew += difference(shown[x, y], after[x, y])
                    toOld += difference(shown[x, y], before[x, y])
                }
            }
            #expect(toNew * 3 < toOld)
        }
    }

    @Test func coveredCellsStayCoveredUnderABudget() {
        let frames = SyntheticFrames(width: 80, height: 80, seed: 9)
        var overlay = CellOverlay(CellSize(columns: 40, rows: 20))
        let style = Cell(foreground: .rgb(250, 250, 250), background: .rgb(11, 12, 13), style: .bold)
        CellText.put("Überschrift 中文", into: &overlay.grid, at: CellPosition(column: 10, row: 19), like: style)
        for column in 10..<26 { overlay.covered[19 * 40 + column] = true }
        var rig = TerminalRig(columns: 40, rows: 20)
        for index in 0..<8 {
            let image = frames.film(index)
            var renderer = GlyphRenderer(.octant, depth: .trueColor)
            var grid = CellGrid(CellSize(columns: 40, rows: 20))
            renderer.draw(image, at: CellPosition(column: 0, row: 0), into: &grid)
            grid.compose(overlay)
            rig.show(
                grid, EncodeQuality(lambda: 3, byteBudget: 4000),
                video: CellFrame(image, at: CellPosition(column: 0, row: 0), glyphs: .octant))
            for column in 10..<26 {
                let wanted = overlay.grid[column, 19], shown = rig.screen[column, 19]
                #expect(shown.scalar == wanted.glyph && shown.background == wanted.background)
            }
        }
    }

    private func difference(_ a: UInt32, _ b: UInt32) -> Int {
        var sum = 0
        for shift: UInt32 in [0, 8, 16] {
            let off = Int(a >> shift & 255) - Int(b >> shift & 255)
            sum += off * off
        }
        return sum
    }
}
