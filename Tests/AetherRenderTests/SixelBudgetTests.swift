import AetherCore
import AetherTestSupport
import Testing

@testable import AetherRender

@Suite struct SixelBudgetTests {
    @Test(arguments: [4096, 10_000, 40_000]) func keepsTheBudget(budget: Int) {
        let frames = SyntheticFrames(width: 640, height: 360, seed: 4)
        var rig = SixelRig(640, 360, cell: PixelSize(width: 10, height: 20))
        for lambda in [0, SixelRenderer.cruise] {
            for index in 0..<10 {
                let image = index == 7 ? frames.noise(0) : frames.film(index * 3)
                rig.show(image, EncodeQuality(lambda: lambda, maximumChannelError: 32, byteBudget: budget))
                #expect(rig.bytes.count <= budget * 11 / 10, "frame \(index)")
            }
        }
        #expect(rig.faults.isEmpty, "\(rig.faults)")
    }

    @Test(arguments: [4096, 20_000]) func catchesUpWithTheSameImage(budget: Int) {
        let image = SyntheticFrames(width: 320, height: 192, seed: 4).film(0)
        var rig = SixelRig(320, 192)
        let quality = EncodeQuality(lambda: SixelRenderer.cruise, maximumChannelError: 32, byteBudget: budget)
        var errors: [Double] = []
        var quiet = 0
        for _ in 0..<120 where quiet < 3 {
            rig.show(image, quality)
            quiet = rig.bytes.isEmpty ? quiet + 1 : 0
            errors.append(rig.picture.meanError(to: image))
        }
        #expect(quiet == 3, "still sending after \(errors.count) calls")
        var free = SixelRig(320, 192)
        free.show(image, EncodeQuality(lambda: SixelRenderer.cruise, maximumChannelError: 32))
        let wanted = free.picture.meanError(to: image)
        #expect((errors.last ?? .infinity) < wanted * 1.3 + 5, "\(errors.last ?? 0), without a budget \(wanted)")
        // The whole picture is there early, if coarse: nobody looks at half a picture.
        #expect(errors.count > 5 && errors[5] < 2500, "\(errors.prefix(6))")
    }

    @Test(arguments: [20_000, 43_000]) func aCutIsCoarseButWhole(budget: Int) {
        let size = PixelSize(width: 1280, height: 720)
        let first = SyntheticFrames(width: size.width, height: size.height, seed: 4).film(0)
        var rig = SixelRig(size.width, size.height)
        rig.show(first, EncodeQuality(lambda: SixelRenderer.cruise, maximumChannelError: 32))
        // Another scene, by its colours.
        var second = first
        for index in second.pixels.indices { second.pixels[index] = (second.pixels[index] >> 1 & 0x007F_7F7F) + 0xFF80_0000 }
        let quality = EncodeQuality(lambda: SixelRenderer.cruise, maximumChannelError: 32, byteBudget: budget)
        let stats = rig.show(second, quality)
        #expect(rig.bytes.count <= budget && rig.bytes.count > budget / 4, "\(rig.bytes.count)")
        let coarse = rig.picture.meanError(to: second)
        // 650 is 20 dB; each row of cells is new.
        #expect(coarse < 650, "\(coarse)")
        #expect(abs(stats.squaredError - rig.picture.squaredError(to: second)) <= stats.squaredError / 50)
        let rows = Set(rig.screen.sixels.suffix(1).flatMap { [$0.row, $0.row + $0.bands * 6 / 16] })
        #expect(rows == [0, 45], "\(rows)")
        for _ in 0..<12 { rig.show(second, quality) }
        let later = rig.picture.meanError(to: second)
        #expect(later < coarse * 0.7, "\(coarse), later \(later)")
        #expect(rig.faults.isEmpty, "\(rig.faults)")
    }

    @Test func whatChangesMostGoesFirst() {
        let frames = SyntheticFrames(width: 640, height: 360, seed: 4)
        var image = frames.film(0)
        // There is white, so there is a pen for it.
        for y in 0..<60 { for x in 0..<120 { image[x, y] = RasterImage.rgb(255, 255, 255) } }
        var rig = SixelRig(640, 360, cell: PixelSize(width: 10, height: 20))
        rig.show(image)
        let before = rig.picture
        // A weak change everywhere, a strong one at a place.
        for index in image.pixels.indices { image.pixels[index] ^= 0x0004_0404 }
        for y in 200..<230 { for x in 300..<360 { image[x, y] = RasterImage.rgb(255, 255, 255) } }
        rig.show(image, EncodeQuality(lambda: 0, byteBudget: 4096))
        #expect(rig.bytes.count <= 4505)
        #expect(rig.picture[330, 215] & 0xFF > 200)
        #expect(before[330, 215] & 0xFF < 200)
    }
}
