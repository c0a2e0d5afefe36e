import AetherCore
import AetherTestSupport
import Testing

@testable import AetherRender

/// Still parts of an image become exact, whatever moves beside them.
@Suite struct StandingErrorsTests {
    /// A picture of which the columns from `edge` on are new in each frame.
    private func halfMoving(_ index: Int, edge: Int, width: Int = 60, height: Int = 40) -> RasterImage {
        var image = SyntheticFrames(width: width, height: height, seed: 4).film(0)
        let noise = SyntheticFrames(width: width, height: height, seed: 9).noise(index)
        for y in 0..<height {
            for x in edge..<width { image[x, y] = noise[x, y] }
        }
        return image
    }

    /// The most frames in a row in which a pixel left of `edge` was off.
    private struct Watch {
        private var runs: [Int]
        private(set) var longest = 0
        let edge: Int

        init(_ image: RasterImage, edge: Int) {
            runs = [Int](repeating: 0, count: image.width * image.height)
            self.edge = edge
        }

        mutating func look(_ shown: RasterImage, _ wanted: RasterImage) {
            for y in 0..<wanted.height {
                for x in 0..<edge {
                    let index = y * wanted.width + x
                    runs[index] = shown[x, y] == wanted[x, y] ? 0 : runs[index] + 1
                    longest = max(longest, runs[index])
                }
            }
        }
    }

    @Test(arguments: [12, 15, 30, 60])
    func noStandingCellIsOffForLongerThanItsFramesBesideMotion(frames: Int) {
        var rig = TerminalRig(columns: 60, rows: 20)
        var watch = Watch(halfMoving(0, edge: 30), edge: 30)
        var quality = EncodeQuality(lambda: 3)
        quality.exactAfter = frames
        for index in 0..<3 * frames {
            let image = halfMoving(index, edge: 30)
            rig.show(frameGrid(image), quality)
            watch.look(rig.screen.pixels(), image)
        }
        #expect(watch.longest > 1 && watch.longest <= frames, "\(watch.longest)")
    }

    @Test func lambdaAloneLeavesThemOffForEver() {
        var rig = TerminalRig(columns: 60, rows: 20)
        var watch = Watch(halfMoving(0, edge: 30), edge: 30)
        for index in 0..<40 {
            let image = halfMoving(index, edge: 30)
            rig.show(frameGrid(image), EncodeQuality(lambda: 3))
            watch.look(rig.screen.pixels(), image)
        }
        #expect(watch.longest == 40)
    }

    /// A pixel that the codec moves by a level to and fro is exact now and then in video in which little moves, and costs nothing
    /// elsewhere.
    @Test(arguments: [true, false]) func whatFlickersIsExactNowAndThen(isQuiet: Bool) {
        let still = SyntheticFrames(width: 60, height: 40, seed: 4).film(0)
        var other = still
        for y in 0..<40 { for x in 0..<60 { other[x, y] ^= 1 } }
        var rig = TerminalRig(columns: 60, rows: 20), plain = rig
        var watch = Watch(still, edge: 60)
        var quality = EncodeQuality(lambda: 3)
        quality.exactAfter = 12
        quality.isQuiet = isQuiet
        var bytes = 0, ordinary = 0
        for index in 0..<48 {
            let image = index % 2 == 0 ? still : other
            bytes += rig.show(frameGrid(image), quality).byteCount
            ordinary += plain.show(frameGrid(image), EncodeQuality(lambda: 3)).byteCount
            watch.look(rig.screen.pixels(), image)
        }
        if isQuiet { #expect(watch.longest <= 12) } else { #expect(bytes == ordinary) }
    }

    /// The bytes after a cut are spread: no frame pays for the whole screen.
    @Test func theTurnsOfTheRowsSpreadTheBytes() {
        let image = SyntheticFrames(width: 60, height: 40, seed: 4).film(0)
        var rig = TerminalRig(columns: 60, rows: 20), fresh = rig
        let whole = fresh.show(frameGrid(image)).byteCount
        var quality = EncodeQuality(lambda: 3)
        quality.exactAfter = 12
        rig.show(frameGrid(image), quality)
        var most = 0
        for _ in 0..<12 {
            let stats = rig.show(frameGrid(image), quality)
            #expect(stats.refreshedBytes <= stats.byteCount)
            most = max(most, stats.byteCount)
        }
        #expect(rig.screen.pixels() == image)
        #expect(most * 5 < whole, "\(most) of \(whole)")
        #expect(rig.show(frameGrid(image), quality).byteCount == 0)
    }

    @Test(arguments: [4000, 12_000]) func aByteBudgetHoldsAndTheCellsComeByAndBy(budget: Int) {
        var rig = TerminalRig(columns: 60, rows: 20)
        var quality = EncodeQuality(lambda: 3, byteBudget: budget)
        quality.exactAfter = 12
        var exact = false
        for index in 0..<120 where !exact {
            let image = halfMoving(index, edge: 55)
            rig.show(frameGrid(image), quality)
            #expect(rig.bytes.count * 10 <= budget * 11, "frame \(index)")
            var watch = Watch(image, edge: 55)
            watch.look(rig.screen.pixels(), image)
            exact = watch.longest == 0
        }
        #expect(exact)
    }

    @Test(arguments: GlyphSet.allCases) func glyphsBecomeWhatTheyAreDrawnAs(set: GlyphSet) {
        let height = 10 * set.parts.height
        var rig = TerminalRig(columns: 30, rows: 10), fresh = rig
        fresh.show(SyntheticFrames(width: 60, height: height, seed: 4).film(0), set)
        let wanted = fresh.screen.parts(rows: set.parts.height)
        var quality = EncodeQuality(lambda: 6)
        quality.exactAfter = 12
        for index in 0..<26 {
            rig.show(halfMoving(index, edge: 40, height: height), set, quality)
        }
        var off = 0
        let shown = rig.screen.parts(rows: set.parts.height)
        for y in 0..<height { for x in 0..<38 where shown[x, y] != wanted[x, y] { off += 1 } }
        #expect(off == 0)
    }

    @Test func videoCostsAtMostAFiftiethMore() {
        let film = SyntheticFrames(width: 80, height: 44, seed: 7)
        var rig = TerminalRig(columns: 80, rows: 22), plain = rig
        var quality = EncodeQuality(lambda: 3)
        quality.exactAfter = 12
        var bytes = 0, ordinary = 0
        for index in 0..<48 {
            bytes += rig.show(frameGrid(film.film(index)), quality).byteCount
            ordinary += plain.show(frameGrid(film.film(index)), EncodeQuality(lambda: 3)).byteCount
        }
        #expect(bytes * 50 <= ordinary * 51, "\(bytes), \(ordinary)")
    }

    @Test func everyRowHasItsTurnInTime() {
        for frames in 0...300 {
            for row in 0..<300 {
                let turn = Int(StandingErrors.turn(row: row, within: frames))
                #expect(turn >= 1 && turn < max(2, frames))
            }
        }
    }

    /// The composer tells the encoder of half a second in frames, and quality alone of the bytes that were not its own to spend.
    @Test(arguments: [(41.7, 12), (33.4, 15), (16.7, 30)])
    func theComposerMakesWhatStandsExactInHalfASecond(_ milliseconds: Double, _ frames: Int) {
        var composer = FrameComposer(
            output: .cells(.halfBlock(HalfBlockRenderer(depth: .trueColor))), depth: .trueColor,
            cells: CellSize(columns: 60, rows: 20), cellAspect: 0.5)
        composer.setFrameTime(.milliseconds(milliseconds))
        var screen = VTScreen(columns: 60, rows: 20)
        var watch = Watch(halfMoving(0, edge: 20), edge: 20)
        for index in 0..<3 * frames {
            let image = halfMoving(index, edge: 20)
            composer.show(image)
            let bytes = composer.compose()
            screen.feed(Array(bytes))
            watch.look(screen.pixels(), image)
        }
        #expect(watch.longest <= frames, "\(watch.longest)")
    }

    /// Pens of sixel cannot be exact: the picture comes as near as a fresh one does, band by band, and λ alone leaves it where it was.
    @Test func theBandsOfSixelTakeTurns() {
        let film = SyntheticFrames(width: 96, height: 96, seed: 6)
        let image = film.film(4)
        var fresh = SixelRig(96, 96)
        fresh.show(image)
        func error(isQuiet: Bool) -> Int {
            var rig = SixelRig(96, 96)
            var quality = EncodeQuality(lambda: 100, maximumChannelError: 32)
            quality.exactAfter = 12
            for index in 0..<4 { rig.show(film.film(index), quality) }
            quality.isQuiet = isQuiet
            for _ in 0..<13 { rig.show(image, quality) }
            #expect(rig.faults.isEmpty)
            return rig.picture.squaredError(to: image)
        }
        let best = fresh.picture.squaredError(to: image), left = error(isQuiet: false), mended = error(isQuiet: true)
        #expect(left > mended && mended - best < (left - best) / 3, "\(best), \(mended), \(left)")
    }
}
