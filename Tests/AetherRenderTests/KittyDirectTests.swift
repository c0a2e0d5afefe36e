import AetherCore
import AetherTestSupport
import Testing

@testable import AetherRender

/// Pictures inside the escape sequences.
@Suite struct KittyDirectTests {
    private static func noise(_ width: Int, _ height: Int, seed: UInt64) -> RasterImage {
        SyntheticFrames(width: width, height: height, seed: seed).noise(0)
    }

    @Test(arguments: [(1, 1), (2, 3), (5, 1), (1, 40), (16, 16), (17, 9), (63, 65), (130, 34), (301, 47)], [true, false])
    func showsEveryPixel(size: (Int, Int), edits: Bool) {
        var rig = KittyRig(PixelSize(width: size.0, height: size.1), edits: edits)
        for seed in 0..<3 {
            let image = Self.noise(size.0, size.1, seed: UInt64(seed))
            rig.show(image)
            #expect(rig.shown() == image)
            #expect(rig.stats.squaredError == 0 && rig.stats.byteCount == rig.bytes.count)
        }
        #expect(rig.isClean && rig.kitty.blanks == 0 && rig.kitty.pictures.count == 1, "\(rig.kitty.faults)")
        #expect(rig.kitty.longest <= 4096 + 120)
    }

    /// keyframe(B) == keyframe(A) + delta(B), and small changes cost little.
    @Test(arguments: 0..<12) func changesLeadToTheSameFrame(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let size = PixelSize(width: 1 + random.below(120), height: 1 + random.below(80))
        var rig = KittyRig(size, edits: seed % 3 != 0)
        var image = Self.noise(size.width, size.height, seed: UInt64(seed))
        rig.show(image)
        for _ in 0..<6 {
            for _ in 0..<1 + random.below(40) {
                image[random.below(size.width), random.below(size.height)] =
                    UInt32(truncatingIfNeeded: random.next()) | 0xFF00_0000
            }
            rig.show(image)
            #expect(rig.shown() == image)
        }
        #expect(rig.isClean)
        rig.show(image)
        #expect(rig.bytes.isEmpty)
    }

    @Test func sendsOnlyWhatChanged() {
        var rig = KittyRig(PixelSize(width: 200, height: 160))
        var image = Self.noise(200, 160, seed: 1)
        rig.show(image)
        let whole = rig.bytes.count
        for x in 20..<30 { for y in 50..<60 { image[x, y] ^= 0x00FF_FFFF } }
        rig.show(image)
        // 100 pixels of noise with their alpha are 400 bytes at worst, 540 letters.
        #expect(rig.shown() == image && rig.bytes.count < 900 && whole > 100_000)
        #expect(rig.kitty.actions.hasSuffix("fa") && rig.kitty.pictures.count == 1)
    }

    @Test func leavesWhatIsNotWorthItsBytes() {
        var rig = KittyRig(PixelSize(width: 64, height: 64))
        let image = RasterImage(width: 64, height: 64, fill: RasterImage.rgb(100, 100, 100))
        rig.show(image)
        var near = image
        for index in near.pixels.indices { near.pixels[index] = RasterImage.rgb(102, 99, 101) }
        rig.show(near, EncodeQuality(lambda: 3))
        #expect(rig.bytes.isEmpty && rig.stats.squaredError == 64 * 64 * 6)
        // The comparison is with the shown image, so that small steps do not add up.
        for index in near.pixels.indices { near.pixels[index] = RasterImage.rgb(104, 100, 100) }
        rig.show(near, EncodeQuality(lambda: 3))
        #expect(rig.shown().largestError(to: near) <= 2)
        rig.show(near)
        #expect(rig.shown() == near)
    }

    @Test(arguments: [0.0, 1, 3, 16, 64]) func staysWithinTheBound(lambda: Double) {
        let frames = SyntheticFrames(width: 96, height: 64, seed: 5)
        for bound in [0, 4, 16] {
            var rig = KittyRig(PixelSize(width: 96, height: 64))
            for index in 0..<4 {
                rig.show(frames.film(index * 3), EncodeQuality(lambda: lambda, maximumChannelError: bound))
                #expect(rig.shown().largestError(to: frames.film(index * 3)) <= bound)
                #expect(rig.shown().squaredError(to: frames.film(index * 3)) == rig.stats.squaredError)
            }
        }
    }

    @Test(arguments: [4096, 6000, 20_000, 100_000], [true, false]) func staysWithinTheBudget(budget: Int, edits: Bool) {
        let frames = SyntheticFrames(width: 320, height: 240, seed: 9)
        var rig = KittyRig(PixelSize(width: 320, height: 240), edits: edits)
        var widest = 0
        for index in 0..<12 {
            // Film, a cut to noise, film again.
            let image = index == 5 || index == 6 ? frames.noise(index) : frames.film(index * (index < 8 ? 2 : 0))
            rig.show(image, EncodeQuality(lambda: 3, byteBudget: budget))
            #expect(Double(rig.bytes.count) <= Double(budget) * 1.1)
            widest = max(widest, rig.bytes.count)
        }
        #expect(rig.isClean, "\(rig.kitty.faults)")
        #expect(rig.kitty.blanks == 0 && widest > budget / 4)
    }

    /// The pieces that are left over are sent by later calls with the same image.
    @Test(arguments: [4096, 10_000, 60_000], [true, false]) func catchesUp(budget: Int, edits: Bool) {
        let frames = SyntheticFrames(width: 256, height: 192, seed: 3)
        var rig = KittyRig(PixelSize(width: 256, height: 192), edits: edits)
        let image = frames.film(0)
        var calls = 0
        let quality = EncodeQuality(lambda: 0, maximumChannelError: 0, byteBudget: budget)
        repeat {
            rig.show(image, quality)
            #expect(Double(rig.bytes.count) <= Double(budget) * 1.1)
            calls += 1
        } while rig.shown() != image && calls < 120
        #expect(rig.shown() == image, "after \(calls) calls")
        #expect(rig.isClean && calls > 1 && rig.kitty.blanks == 0)
        rig.show(image, quality)
        #expect(rig.bytes.isEmpty)
    }

    @Test func layersLieOnTheSameCells() {
        // Neither side is a whole number of cells.
        var rig = KittyRig(PixelSize(width: 250, height: 190))
        let image = SyntheticFrames(width: 250, height: 190, seed: 3).film(0)
        var layers = 0
        for _ in 0..<12 {
            rig.show(image, EncodeQuality(lambda: 3, byteBudget: 9000))
            layers = max(layers, rig.kitty.places.count)
            #expect(rig.kitty.places.allSatisfy { $0.columns == 63 && $0.rows == 24 && $0.column == 1 && $0.row == 1 })
        }
        #expect(layers > 1 && Set(rig.kitty.places.map(\.z)).count == rig.kitty.places.count)
    }

    /// A finer picture on its way is given up when the film goes on.
    @Test func leavesARefinementForANewImage() {
        let frames = SyntheticFrames(width: 256, height: 192, seed: 3)
        var rig = KittyRig(PixelSize(width: 256, height: 192), edits: false)
        let quality = EncodeQuality(lambda: 0, maximumChannelError: 0, byteBudget: 8000)
        rig.show(frames.film(0), quality)
        rig.show(frames.film(0), quality)
        #expect(rig.kitty.isInsideTransfer)
        rig.show(frames.film(9), quality)
        #expect(!rig.kitty.isInsideTransfer && rig.isClean)
        rig.show(frames.film(9))
        #expect(rig.shown() == frames.film(9))
    }

    @Test func enlargesSmallFramesOverWholeCells() {
        var rig = KittyRig(PixelSize(width: 80, height: 64))
        let image = Self.noise(20, 16, seed: 4)
        rig.show(image)
        let shown = rig.shown()
        #expect((0..<64).allSatisfy { y in (0..<80).allSatisfy { shown[$0, y] == image[$0 / 4, y / 4] } })
    }

    @Test func sendsWholeFramesWhereEditsFail() {
        var rig = KittyRig(PixelSize(width: 40, height: 40), edits: true, terminalEdits: false)
        var image = Self.noise(40, 40, seed: 2)
        rig.show(image)
        image[3, 3] ^= 0xFF
        rig.show(image)  // answered by an error
        rig.show(image)
        #expect(rig.shown() == image)
        image[30, 3] ^= 0xFF
        rig.show(image)
        #expect(rig.shown() == image && rig.kitty.actions.filter { $0 == "f" }.count == 1)
    }

    @Test func forgetsAndClears() {
        var rig = KittyRig(PixelSize(width: 40, height: 40))
        let image = Self.noise(40, 40, seed: 2)
        rig.show(image)
        rig.renderer.invalidate()
        rig.screen.kitty = VTKitty()
        rig.show(image)
        #expect(rig.shown() == image)
        rig.clear()
        #expect(rig.kitty.pictures.isEmpty && rig.kitty.places.isEmpty && rig.isClean)
        rig.show(image)
        #expect(rig.shown() == image)
        rig.screen.feed(KittyRenderer.deleteAll())
        #expect(rig.kitty.pictures.isEmpty && rig.kitty.places.isEmpty)
    }

    @Test func endsAnOpenTransferOnTheWayOut() {
        let frames = SyntheticFrames(width: 256, height: 192, seed: 3)
        var rig = KittyRig(PixelSize(width: 256, height: 192), edits: false)
        let quality = EncodeQuality(lambda: 0, maximumChannelError: 0, byteBudget: 8000)
        rig.show(frames.film(0), quality)
        rig.show(frames.film(0), quality)
        #expect(rig.kitty.isInsideTransfer)
        rig.screen.feed(KittyRenderer.deleteAll())
        #expect(!rig.kitty.isInsideTransfer && rig.kitty.pictures.isEmpty && rig.kitty.answers.isEmpty)
    }

    /// Film at half size: 1280×720 takes four times as much. Raise a limit only with a reason.
    @Test func nearlyStillFramesAreCheap() {
        let frames = SyntheticFrames(width: 640, height: 360, seed: 3)
        var rig = KittyRig(PixelSize(width: 640, height: 360), cell: PixelSize(width: 8, height: 16))
        var still = frames.film(0)
        for index in still.pixels.indices { still.pixels[index] &= 0xFFFC_FCFC }
        rig.show(still, EncodeQuality(lambda: 3))
        var most = 0
        for step in 0..<5 {
            var random = SeededRandom(seed: UInt64(step))
            var image = still
            // Grain everywhere, and something that moves.
            for index in image.pixels.indices { image.pixels[index] += UInt32(random.below(3)) * 0x010101 }
            for y in 100..<160 { for x in 0..<60 { image[x + step * 30, y] = RasterImage.rgb(250, 200, UInt8(x)) } }
            rig.show(image, EncodeQuality(lambda: 3))
            most = max(most, rig.bytes.count)
        }
        #expect(most < 30_000 && most > 500)
    }
}
