import AetherCore
import AetherTestSupport
import Testing

@testable import AetherRender

@Suite struct SixelPlaceTests {
    @Test func neverScrollsWhateverTheSizes() {
        var random = SeededRandom(seed: 17)
        for round in 0..<120 {
            let cell = PixelSize(width: 3 + random.below(18), height: 6 + random.below(35))
            let size = CellSize(columns: 1 + random.below(12), rows: 1 + random.below(9))
            let origin = CellPosition(column: random.below(size.columns), row: random.below(size.rows))
            let room = PixelSize(
                width: (size.columns - origin.column) * cell.width, height: (size.rows - origin.row) * cell.height)
            let fills = random.below(2) == 0
            let display = PixelSize(
                width: fills ? room.width : 1 + random.below(room.width),
                height: fills ? room.height : 1 + random.below(room.height))
            var rig = SixelRig(display: display, screen: size, cell: cell, origin: origin)
            let frames = SyntheticFrames(
                width: random.below(2) == 0 ? display.width : max(1, display.width / 2), height: max(1, display.height), seed: 9)
            for index in 0..<3 { rig.show(frames.film(index), EncodeQuality(lambda: index == 1 ? 100 : 0)) }
            #expect(rig.faults.isEmpty, "round \(round): \(rig.faults.prefix(3)), \(cell), \(size), \(origin), \(display)")
            expectPainted(rig, "round \(round): \(cell), \(size), \(origin), \(display)")
        }
    }

    /// Everything within the picture is painted but what no band can reach, and nothing outside.
    private func expectPainted(_ rig: SixelRig, _ comment: String) {
        let place = rig.placement, plane = rig.screen.plane
        let left = place.origin.column * place.cell.width, top = place.origin.row * place.cell.height
        var missing = 0, outside = 0
        for y in 0..<plane.size.height {
            for x in 0..<plane.size.width {
                let isInside = x >= left && x < left + place.display.width && y >= top && y < top + place.display.height
                if isInside && plane[x, y] == 0 { missing = max(missing, plane.size.height - y) }
                if !isInside && plane[x, y] != 0 { outside += 1 }
            }
        }
        #expect(missing < 6, "\(missing) rows above the bottom, \(comment)")
        if plane.size.height % 6 == 0 { #expect(missing == 0, "\(comment)") }
        #expect(outside == 0, "\(comment)")
    }

    @Test func theLastRowIsUsableWhereCellsAndBandsDoNotMeet() {
        // 17 × 30 = 510 = 85 bands; 17 × 31 = 527 is not a multiple of six.
        for rows in [30, 31] {
            let cell = PixelSize(width: 8, height: 17)
            var rig = SixelRig(
                display: PixelSize(width: 80, height: rows * 17), screen: CellSize(columns: 10, rows: rows), cell: cell)
            rig.show(SyntheticFrames(width: 80, height: rows * 17, seed: 2).film(0))
            #expect(rig.faults.isEmpty, "\(rig.faults)")
            #expect(rig.screen.plane[40, rows * 17 - 1] != 0)
            #expect(rig.screen.plane[40, 0] != 0)
        }
    }

    @Test func leavesTheBottomFreeWhereTheTerminalScrolls() {
        for height in 13...20 {
            let cell = PixelSize(width: 6, height: height)
            var rig = SixelRig(
                display: PixelSize(width: 60, height: 9 * height), screen: CellSize(columns: 10, rows: 9), cell: cell,
                reservesBottom: true)
            let frames = SyntheticFrames(width: 60, height: 9 * height, seed: 2)
            for index in 0..<2 { rig.show(frames.film(index)) }
            #expect(rig.faults.isEmpty, "\(rig.faults)")
            for sixel in rig.screen.sixels { #expect((sixel.row * height) + sixel.bands * 6 + 6 < 9 * height) }
            #expect(rig.screen.plane[30, 9 * height - 13] != 0)
        }
    }

    @Test func coveredCellsAreLeftAloneAndUncoveredOnesPaintedAgain() {
        var random = SeededRandom(seed: 23)
        let frames = SyntheticFrames(width: 160, height: 100, seed: 7)
        var rig = SixelRig(160, 100, cell: PixelSize(width: 10, height: 20))
        for index in 0..<25 {
            var cells: [(column: Int, row: Int)] = []
            for row in 0..<5 {
                for column in 0..<16 where random.below(4) == 0 || row == index % 7 { cells.append((column, row)) }
            }
            rig.cover(index % 5 == 4 ? [] : cells)
            let image = frames.film(index / 2)
            rig.show(image)
            var wrong = 0, missing = 0
            for y in 0..<100 {
                for x in 0..<160 {
                    let isCovered = rig.coverage.states[y / 20 * 16 + x / 10] == .covered
                    if isCovered && rig.screen.plane[x, y] != 0 { wrong += 1 }
                    if !isCovered && rig.screen.plane[x, y] == 0 { missing += 1 }
                }
            }
            #expect(wrong == 0 && missing == 0, "frame \(index): \(wrong) pixels over text, \(missing) not painted")
            if rig.coverage.isClear { #expect(rig.picture.meanError(to: image) < 40) }
        }
        #expect(rig.faults.isEmpty, "\(rig.faults)")
    }

    @Test func sequencesStayBelowOneMebibyteAndWithinTheLimit() {
        let size = PixelSize(width: 2400, height: 1200)
        let noise = SyntheticFrames(width: size.width, height: size.height, seed: 7).noise(0)
        var rig = SixelRig(
            display: size, screen: CellSize(columns: 240, rows: 60), cell: PixelSize(width: 10, height: 20),
            limit: PixelSize(width: 1000, height: 1000))
        rig.show(noise)
        #expect(rig.faults.isEmpty, "\(rig.faults)")
        #expect(rig.screen.sixels.count > 2)
        #expect(rig.screen.sixels.allSatisfy { $0.declared.width <= 1000 && $0.bands * 6 <= 1000 && $0.declared.height <= 1000 })
        #expect(rig.picture.pixels.allSatisfy { $0 != 0 })
    }
}
