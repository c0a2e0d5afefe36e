import AetherCore
import AetherRender
import AetherTestSupport
import Testing

@Suite struct RateControlTests {
    @Test func aStillFrameBecomesExactWithinAFewFrames() {
        let image = SyntheticFrames(width: 64, height: 44, seed: 4).film(0)
        var rig = TerminalRig(columns: 64, rows: 22)
        var control = RateControl(budget: 30_000)
        var frames = 0
        while rig.screen.pixels() != image, frames < 20 {
            control.didEncode(byteCount: rig.show(frameGrid(image), control.quality).byteCount)
            frames += 1
        }
        #expect(frames > 1 && frames <= 7)
    }

    @Test func videoSettlesWithinItsBudget() {
        let frames = SyntheticFrames(width: 80, height: 44, seed: 7)
        let budget = 16_000
        var rig = TerminalRig(columns: 80, rows: 22)
        var control = RateControl(budget: budget)
        var settled: [Int] = []
        for index in 0..<36 {
            let stats = rig.show(frameGrid(frames.film(index)), control.quality)
            control.didEncode(byteCount: stats.byteCount)
            if index >= 12 { settled.append(stats.byteCount) }
        }
        let mean = settled.reduce(0, +) / settled.count
        #expect(mean <= budget * 11 / 10 && mean >= budget / 2)
    }

    @Test func roomToSpareKeepsTheCruisingQuality() {
        var control = RateControl(budget: 1_000_000)
        for _ in 0..<10 { control.didEncode(byteCount: 500_000) }
        #expect(control.lambda == RateControl.cellCruise)
        // After a pause the film goes on: the first moving frame may be refinement, the next ones are not.
        for _ in 0..<5 { control.didEncode(byteCount: 10) }
        #expect(control.lambda == 0)
        for _ in 0..<8 { control.didEncode(byteCount: 500_000) }
        #expect(control.lambda > RateControl.cellCruise * 0.9 && control.lambda <= RateControl.cellCruise)
    }

    @Test(arguments: [(RateControl.cellBusyShare, 1.5), (32, 6.0)])
    func whatIsLittleMotionDependsOnTheRenderer(_ share: Int, _ lambda: Double) {
        var control = RateControl(budget: 450_000, cruise: 6, busyShare: share)
        for _ in 0..<10 { control.didEncode(byteCount: 50_000) }
        #expect(control.lambda == lambda)
    }

    /// Film of more than a quarter of the budget keeps its λ; where a part moves it rises, with the bound on errors, and falls at a cut.
    @Test func aPartInMotionIsSentCoarserWhereTheRendererSaysSo() {
        var control = RateControl(budget: 450_000, cruise: 100, busyShare: 32, localFactor: 2)
        for _ in 0..<10 { control.didEncode(byteCount: 300_000) }
        #expect(control.lambda == 100 && control.quality.maximumChannelError == 16)
        for _ in 0..<10 { control.didEncode(byteCount: 60_000) }
        #expect(control.lambda > 190 && control.lambda <= 200 && control.quality.maximumChannelError == 32)
        for _ in 0..<4 { control.didEncode(byteCount: 300_000) }
        #expect(control.lambda == 100)
        // And what stands still becomes exact all the same.
        for _ in 0..<8 { control.didEncode(byteCount: 100) }
        #expect(control.lambda == 0)
    }

    @Test func anAmpleLinkGetsAFinerFrameAndAPoorOneTheOldAgain() {
        var control = RateControl(budget: 1_000_000)
        control.setCruise(RateControl.ampleCellCruise)
        #expect(control.lambda == RateControl.ampleCellCruise)
        for _ in 0..<10 { control.didEncode(byteCount: 500_000) }
        #expect(control.lambda == RateControl.ampleCellCruise)
        control.setCruise(RateControl.cellCruise)
        for _ in 0..<10 { control.didEncode(byteCount: 500_000) }
        #expect(control.lambda > RateControl.cellCruise * 0.9 && control.lambda <= RateControl.cellCruise)
    }

    @Test func grainOnAStillFrameIsNotSent() {
        let still = SyntheticFrames(width: 80, height: 44, seed: 4).film(0)
        var random = SeededRandom(seed: 2)
        func grainy() -> RasterImage {
            RasterImage(
                width: still.width, height: still.height,
                pixels: still.pixels.map { pixel in
                    guard random.below(12) == 0, pixel & 255 < 255 else { return pixel }
                    return pixel + 1
                })
        }
        var rig = TerminalRig(columns: 80, rows: 22)
        var control = RateControl(budget: 80 * 22 * 22)
        var bytes = 0
        for index in 0..<28 {
            let count = rig.show(frameGrid(grainy()), control.quality).byteCount
            control.didEncode(byteCount: count)
            if index >= 12 { bytes += count }
        }
        #expect(bytes / 16 <= 1500)
        #expect(rig.screen.pixels().largestError(to: still) <= 3)
    }

    @Test func lambdaStaysInRangeWhateverTheBytes() {
        var random = SeededRandom(seed: 1)
        var control = RateControl(budget: -5)
        #expect(control.budget == 1024)
        for _ in 0..<500 {
            control.didEncode(byteCount: [0, -1, .max, .min, random.below(5000)][random.below(5)])
            #expect((0...RateControl.ceiling * RateControl.cellCruise).contains(control.lambda))
        }
        #expect(EncodeQuality(lambda: .nan, maximumChannelError: 999) == EncodeQuality(lambda: 0, maximumChannelError: 255))
        #expect(EncodeQuality(lambda: .infinity).lambda == 0)
    }
}
