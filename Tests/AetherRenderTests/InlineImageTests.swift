import AetherCore
import AetherRender
import AetherTestSupport
import Testing

/// Inline images of iTerm2 on a screen whose text wipes pixels.
@Suite struct InlineImageTests {
    struct Rig {
        var renderer = InlineImageRenderer()
        var screen: VTScreen
        let placement: PixelPlacement
        private(set) var bytes: [UInt8] = []
        private(set) var stats = EncodeStats()

        init(
            _ size: PixelSize, cell: PixelSize = PixelSize(width: 4, height: 8),
            origin: CellPosition = CellPosition(column: 0, row: 0),
            knowsDoNotMoveCursor: Bool = false
        ) {
            // The picture ends at the last row and column.
            let cells = CellSize(
                columns: origin.column + (size.width + cell.width - 1) / cell.width,
                rows: origin.row + (size.height + cell.height - 1) / cell.height)
            screen = VTScreen(columns: cells.columns, rows: cells.rows)
            screen.inline = VTInline(cells: cells, cell: cell, knowsDoNotMoveCursor: knowsDoNotMoveCursor)
            placement = PixelPlacement(origin: origin, display: size, screen: cells, cell: cell)
        }

        var inline: VTInline { screen.inline ?? VTInline(cells: screen.size, cell: placement.cell) }

        mutating func show(_ image: RasterImage, _ quality: EncodeQuality = .exact, coverage: CellCoverage? = nil) {
            var buffer = ByteBuffer()
            stats = renderer.encode(
                image, at: placement, coverage: coverage ?? CellCoverage(screen.size), quality: quality, into: &buffer)
            bytes = buffer.withUnsafeBytes { Array($0) }
            screen.inline?.touched = []
            screen.feed(bytes)
        }

        func shown() -> RasterImage {
            inline.plane.image(
                x: placement.origin.column * placement.cell.width, y: placement.origin.row * placement.cell.height,
                width: placement.display.width, height: placement.display.height)
        }

        var isClean: Bool { inline.faults.isEmpty && screen.unknown.isEmpty && screen.strings.isEmpty && screen.scrolled == 0 }
    }

    private static func noise(_ width: Int, _ height: Int, seed: UInt64) -> RasterImage {
        SyntheticFrames(width: width, height: height, seed: seed).noise(0)
    }

    @Test(arguments: [(1, 1), (4, 8), (5, 9), (3, 30), (64, 64), (77, 41), (130, 34)], [true, false])
    func showsEveryPixel(size: (Int, Int), staysPut: Bool) {
        var rig = Rig(
            PixelSize(width: size.0, height: size.1), origin: CellPosition(column: 2, row: 1), knowsDoNotMoveCursor: staysPut)
        for seed in 0..<3 {
            let image = Self.noise(size.0, size.1, seed: UInt64(seed))
            rig.show(image)
            #expect(rig.shown() == image && rig.stats.squaredError == 0 && rig.stats.byteCount == rig.bytes.count)
        }
        #expect(rig.isClean, "\(rig.inline.faults) \(rig.screen.unknown)")
        rig.show(Self.noise(size.0, size.1, seed: 2))
        #expect(rig.bytes.isEmpty)
    }

    @Test func sendsOnlyCellsThatChanged() {
        var rig = Rig(PixelSize(width: 80, height: 64))
        var image = Self.noise(80, 64, seed: 1)
        rig.show(image)
        image[0, 0] ^= 0xFF
        image[79, 63] ^= 0xFF
        rig.show(image)
        #expect(rig.shown() == image && rig.inline.touched == [0, 8 * 20 - 1] && rig.stats.cellsChanged == 2)
    }

    /// keyframe(B) == keyframe(A) + delta(B) with text coming and going.
    @Test(arguments: 0..<10) func goesRoundText(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var rig = Rig(PixelSize(width: 60, height: 48))
        let columns = rig.screen.size.columns
        var image = Self.noise(60, 48, seed: UInt64(seed))
        var covered: Set<Int> = []
        for _ in 0..<12 {
            var coverage = CellCoverage(rig.screen.size)
            var next = covered.filter { _ in random.below(3) > 0 }
            for _ in 0..<random.below(6) { next.insert(random.below(coverage.states.count)) }
            for index in covered.subtracting(next) { coverage.states[index] = .uncovered }
            for index in next { coverage.states[index] = .covered }
            // The text layer speaks first: it wipes what it covers, and blanks what it leaves.
            for index in covered.union(next) {
                rig.screen.feed(
                    Array("\u{1B}[\(index / columns + 1);\(index % columns + 1)H\(next.contains(index) ? "x" : " ")".utf8))
            }
            image[random.below(60), random.below(48)] ^= 0x00FF_FFFF
            rig.show(image, coverage: coverage)
            covered = next
            #expect(rig.inline.touched.isDisjoint(with: covered))
            let shown = rig.shown()
            for y in 0..<48 {
                for x in 0..<60 {
                    let cell = y / 8 * columns + x / 4
                    #expect(shown[x, y] == (covered.contains(cell) ? 0 : image[x, y]))
                }
            }
        }
        #expect(rig.isClean)
    }

    @Test(arguments: [4096, 12_000, 60_000]) func staysWithinTheBudgetAndCatchesUp(budget: Int) {
        let frames = SyntheticFrames(width: 256, height: 192, seed: 9)
        var rig = Rig(PixelSize(width: 256, height: 192), cell: PixelSize(width: 8, height: 16))
        for index in 0..<8 {
            rig.show(frames.film(index * 4), EncodeQuality(lambda: 3, byteBudget: budget))
            #expect(Double(rig.bytes.count) <= 1.1 * Double(budget) && !rig.bytes.isEmpty)
        }
        var calls = 0
        let last = frames.film(99)
        while calls < 150, calls == 0 || rig.shown() != last {
            rig.show(last, EncodeQuality(lambda: 0, maximumChannelError: 0, byteBudget: budget))
            #expect(Double(rig.bytes.count) <= 1.1 * Double(budget))
            calls += 1
        }
        #expect(rig.shown() == last && calls > 1 && rig.isClean, "after \(calls)")
    }

    @Test func enlargesSmallPictures() {
        var rig = Rig(PixelSize(width: 80, height: 64))
        let image = Self.noise(20, 16, seed: 4)
        rig.show(image)
        let shown = rig.shown()
        #expect((0..<64).allSatisfy { y in (0..<80).allSatisfy { shown[$0, y] == image[$0 / 4, y / 4] } })
    }

    @Test func leavesSmallChangesAndStaysBelowAMebibyte() {
        var rig = Rig(PixelSize(width: 1600, height: 64), cell: PixelSize(width: 10, height: 64))
        let image = Self.noise(1600, 64, seed: 4)
        rig.show(image)
        #expect(rig.shown() == image && rig.inline.longest < 1 << 20)
        var near = image
        for index in near.pixels.indices where near.pixels[index] & 255 < 254 { near.pixels[index] += 1 }
        rig.show(near, EncodeQuality(lambda: 3))
        #expect(rig.bytes.isEmpty && rig.stats.squaredError > 0)
    }

    @Test func forgetsAndClears() {
        var rig = Rig(PixelSize(width: 40, height: 40))
        let image = Self.noise(40, 40, seed: 1)
        rig.show(image)
        rig.screen.inline?.plane = PixelPlane(cells: rig.screen.size, cell: rig.placement.cell)
        rig.renderer.invalidate()
        rig.show(image)
        #expect(rig.shown() == image)
        var buffer = ByteBuffer()
        rig.renderer.clear(into: &buffer)
        buffer.withUnsafeBytes { rig.screen.feed($0) }
        #expect(rig.shown().pixels.allSatisfy { $0 == 0 } && rig.isClean)
    }
}
