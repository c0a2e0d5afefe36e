import AetherCore
import AetherTestSupport
import Testing

@testable import AetherRender

@Suite struct SixelRendererTests {
    private let cruise = EncodeQuality(lambda: SixelRenderer.cruise, maximumChannelError: 32)

    @Test func showsVideoWithin30Decibels() {
        let frames = SyntheticFrames(width: 320, height: 192, seed: 4)
        var rig = SixelRig(320, 192)
        for index in 0..<6 {
            let image = frames.film(index)
            let stats = rig.show(image, cruise)
            // 65 is 30 dB.
            #expect(rig.picture.meanError(to: image) < 65, "frame \(index)")
            #expect(stats.byteCount == rig.bytes.count)
            let error = rig.picture.squaredError(to: image)
            #expect(abs(stats.squaredError - error) <= error / 50 + 100, "says \(stats.squaredError), is \(error)")
        }
        #expect(rig.faults.isEmpty, "\(rig.faults)")
    }

    @Test func showsFewColoursExactly() {
        // Percents are 2.55 apart: colours that are percents come through unchanged.
        var image = RasterImage(width: 40, height: 36, fill: RasterImage.rgb(0, 51, 102))
        for y in 0..<36 { for x in y..<40 where (x + y) % 7 == 0 { image[x, y] = RasterImage.rgb(255, 204, 153) } }
        var rig = SixelRig(40, 36, cell: PixelSize(width: 10, height: 18))
        rig.show(image)
        #expect(rig.picture == image)
    }

    @Test(arguments: [0, SixelRenderer.cruise, 1000]) func sendsNothingForAStillFrame(lambda: Double) {
        let image = SyntheticFrames(width: 160, height: 96, seed: 8).film(0)
        var rig = SixelRig(160, 96)
        let quality = EncodeQuality(lambda: lambda, maximumChannelError: 32)
        rig.show(image, quality)
        #expect(!rig.bytes.isEmpty)
        for _ in 0..<3 {
            rig.show(image, quality)
            #expect(rig.bytes.isEmpty)
        }
    }

    @Test func aDeltaLeavesTheFrameOfAKeyframe() {
        let frames = SyntheticFrames(width: 200, height: 120, seed: 3)
        var rig = SixelRig(200, 120, cell: PixelSize(width: 10, height: 20)), whole = rig
        for index in 0..<8 {
            rig.show(frames.film(index))
            whole.renderer.invalidate()
            whole.screen.feed(Array("\u{1B}[2J".utf8))
            whole.show(frames.film(index))
            let isSame = rig.picture == whole.picture
            #expect(isSame, "frame \(index)")
        }
        #expect(rig.faults.isEmpty, "\(rig.faults)")
        var near = SixelRig(200, 120, cell: PixelSize(width: 10, height: 20))
        for index in 0..<8 { near.show(frames.film(index), cruise) }
        let error = near.picture.meanError(to: frames.film(7)), exact = rig.picture.meanError(to: frames.film(7))
        #expect(error < exact + 60, "\(error) with λ, \(exact) without")
        #expect(error > exact)
    }

    @Test func aMovingSpotCostsLittle() {
        var image = SyntheticFrames(width: 320, height: 192, seed: 4).film(0)
        var rig = SixelRig(320, 192)
        rig.show(image, cruise)
        let whole = rig.bytes.count
        for y in 60..<70 { for x in 100..<110 { image[x, y] = RasterImage.rgb(250, 250, 10) } }
        rig.show(image, cruise)
        #expect(!rig.bytes.isEmpty && rig.bytes.count < whole / 20, "\(rig.bytes.count) of \(whole)")
        // Yellow was not in the picture when the pens were chosen.
        #expect(rig.picture.meanError(to: image) < 80)
    }

    @Test func countsTheCellsThatChange() {
        var image = SyntheticFrames(width: 320, height: 192, seed: 4).film(0)
        var rig = SixelRig(320, 192)
        #expect(rig.show(image, cruise).cellsChanged == 40 * 12)
        // Cells of 8 × 16 pixels: columns 12…14, rows 3…4.
        for y in 60..<70 { for x in 100..<120 { image[x, y] ^= 0x00FF_FFFF } }
        let stats = rig.show(image, cruise)
        #expect(stats.cellsChanged >= 6 && stats.cellsChanged <= 12, "\(stats.cellsChanged)")
        #expect(stats.cellsSkipped == 480 - stats.cellsChanged)
        #expect(rig.show(image, cruise).cellsChanged <= 2)
    }

    @Test func pensThatAreNamedOftenHaveShortNames() {
        let frames = SyntheticFrames(width: 320, height: 192, seed: 4)
        var rig = SixelRig(320, 192)
        for index in 0..<4 { rig.show(frames.film(index * 8), cruise) }
        // Names and definitions of registers, by the digits that they have.
        var names = [Int](repeating: 0, count: 6)
        for part in rig.bytes.split(separator: 0x23).dropFirst() {
            names[min(5, part.prefix { (0x30...0x39).contains($0) }.count)] += 1
        }
        // Without an order a half of 255 registers has three digits, and a twenty-fifth one.
        #expect(names[1] * 12 > names.reduce(0, +) && names[3] * 3 < names.reduce(0, +), "\(names)")
        #expect(rig.faults.isEmpty, "\(rig.faults)")
    }

    @Test func noiseCostsLessThanItsPixels() {
        let noise = SyntheticFrames(width: 64, height: 96, seed: 7)
        var image = SyntheticFrames(width: 320, height: 192, seed: 4).film(0)
        var rig = SixelRig(320, 192)
        var bytes = 0
        for index in 0..<6 {
            let spot = noise.noise(index)
            for y in 0..<96 { for x in 0..<64 { image[128 + x, 48 + y] = (spot[x, y] & 0xFF3F_3F3F) + 0x0060_6060 } }
            rig.show(image, cruise)
            if index > 1 { bytes += rig.bytes.count }
        }
        // Two bytes a pixel without regard to it.
        #expect(bytes / 4 < 64 * 96, "\(bytes / 4)")
        #expect(bytes > 0)
    }

    @Test func aCutBringsNewPens() {
        let frames = SyntheticFrames(width: 160, height: 96, seed: 1), others = SyntheticFrames(width: 160, height: 96, seed: 99)
        var rig = SixelRig(160, 96)
        let black = RasterImage(width: 160, height: 96, fill: RasterImage.rgb(0, 0, 0))
        for image in [frames.film(0), black, others.film(0), frames.gradient(3)] {
            rig.show(image)
            #expect(rig.picture.meanError(to: image) < 65)
        }
    }

    @Test func coloursThatComeLaterGetPens() {
        var image = SyntheticFrames(width: 320, height: 192, seed: 4).film(0)
        var rig = SixelRig(320, 192)
        rig.show(image, cruise)
        let whole = rig.bytes.count
        for y in 60..<90 { for x in 100..<150 { image[x, y] = RasterImage.rgb(250, 250, 10) } }
        var bytes = 0
        for _ in 0..<30 {
            rig.show(image, cruise)
            bytes += rig.bytes.count
        }
        let shown = rig.picture[125, 75]
        #expect(shown & 255 > 235 && shown >> 8 & 255 > 235 && shown >> 16 & 255 < 25)
        #expect(bytes < whole, "\(bytes) of \(whole)")
        #expect(rig.bytes.isEmpty)
    }

    /// A thumbnail over a film: its colours come later, and with 16 pens there is none to spare.
    @Test(arguments: [16, 64]) func withFewPensMostOfTheFrameKeepsItsColours(registers: Int) {
        let frames = SyntheticFrames(width: 320, height: 192, seed: 4)
        var image = frames.film(0)
        for y in 0..<192 where y < 40 || y >= 152 { for x in 0..<320 { image[x, y] = RasterImage.rgb(0, 0, 0) } }
        var rig = SixelRig(320, 192, registers: registers)
        rig.show(image, cruise)
        let first = rig.picture.meanError(to: image)
        for y in 140..<180 {
            for x in 100..<180 {
                image[x, y] = RasterImage.rgb(UInt8(truncatingIfNeeded: x * 3), UInt8(truncatingIfNeeded: y * 5), 255)
            }
        }
        for frame in 0..<60 {
            rig.show(image, cruise)
            #expect(rig.picture[10, 10] & 0xFF_FFFF == 0, "frame \(frame): bars of \(rig.picture[10, 10])")
        }
        #expect(rig.picture.meanError(to: image) < first * 1.5 + 100)
        // An image that stands still is sent once.
        #expect(rig.bytes.isEmpty)
    }

    @Test(arguments: [2, 16, 64, 255, 256, 1024]) func usesNoMoreRegistersThanThereAre(registers: Int) {
        let frames = SyntheticFrames(width: 160, height: 96, seed: 5)
        var rig = SixelRig(160, 96, registers: registers)
        for index in 0..<3 { rig.show(index == 2 ? frames.noise(0) : frames.film(index)) }
        let used = rig.screen.sixels.reduce(into: Set<Int>()) { $0.formUnion($1.registers) }
        #expect(used.allSatisfy { $0 < min(registers, 256) })
        #expect(used.count > min(registers, 200) / 2)
        #expect(rig.faults.isEmpty, "\(rig.faults)")
    }

    @Test func invalidationSendsEverything() {
        let image = SyntheticFrames(width: 160, height: 96, seed: 5).film(0)
        var rig = SixelRig(160, 96)
        rig.show(image)
        let shown = rig.picture
        rig.screen.feed(Array("\u{1B}[2J".utf8))
        rig.show(image)
        #expect(rig.bytes.isEmpty)
        rig.renderer.invalidate()
        rig.show(image)
        #expect(rig.picture == shown)
        var buffer = ByteBuffer()
        rig.renderer.clear(into: &buffer)
        rig.screen.feed(Array("\u{1B}[2J".utf8))
        rig.show(image)
        #expect(rig.picture == shown)
    }

    @Test func enlargesSmallPictures() {
        let small = SyntheticFrames(width: 40, height: 24, seed: 5).film(0)
        var rig = SixelRig(160, 96)
        rig.show(small)
        var large = RasterImage(width: 160, height: 96)
        for y in 0..<96 { for x in 0..<160 { large[x, y] = small[x / 4, y / 4] } }
        #expect(rig.picture.meanError(to: large) < 40)
    }

    @Test func tmuxGetsAWholeFrameBeforeItForgetsOne() {
        let frames = SyntheticFrames(width: 160, height: 96, seed: 6)
        var rig = SixelRig(160, 96, isTmux: true)
        for index in 0..<40 { rig.show(frames.film(index), cruise) }
        // Any 20 sequences in a row paint the whole picture.
        var fresh = VTScreen(columns: 20, rows: 6, cell: PixelSize(width: 8, height: 16))
        var again = SixelRig(160, 96, isTmux: true)
        var sent: [[UInt8]] = []
        for index in 0..<40 {
            again.show(frames.film(index), cruise)
            sent.append(again.bytes)
        }
        #expect(again.screen.sixels.count <= 60)
        for bytes in sent.suffix(18) { fresh.feed(bytes) }
        #expect(fresh.plane.image(width: 160, height: 96) == again.picture)
    }
}
