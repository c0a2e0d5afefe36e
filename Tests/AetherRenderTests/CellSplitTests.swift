import AetherCore
import AetherTestSupport
import Testing

@testable import AetherRender

/// The fast split against all splits.
@Suite struct CellSplitTests {
    @Test(arguments: [2, 3, 4], ["film", "noise", "gradient"])
    func isWithinOnePercentOfTheBestSplit(rows: Int, kind: String) {
        let frames = SyntheticFrames(width: 64, height: 16 * rows, seed: 5)
        let image = kind == "film" ? frames.film(3) : kind == "noise" ? frames.noise(1) : frames.gradient(2)
        var fast = 0.0, best = 0.0
        for row in 0..<16 {
            for column in 0..<32 {
                let pixels = (0..<2 * rows).map { image[2 * column + $0 % 2, row * rows + $0 / 2] }
                let split = CellSplit(cell(pixels))
                fast += error(pixels, split.mask, split.foreground, split.background)
                best += bestError(pixels)
            }
        }
        #expect(fast <= best * 1.01 + 0.5 * Double(16 * 32 * 2 * rows))
        #expect(fast >= best)
    }

    @Test func oneColourIsASpace() {
        let split = CellSplit(cell([UInt32](repeating: RasterImage.rgb(9, 200, 77), count: 8)))
        #expect(split.mask == 0 && split.foreground == 0x09C84D && split.background == 0x09C84D)
    }

    @Test(arguments: [4, 6, 8])
    func twoColoursAreMet(count: Int) {
        var random = SeededRandom(seed: 12)
        for _ in 0..<200 {
            let mask = UInt32(1 + random.below(1 << count - 2))
            let dark = RasterImage.rgb(UInt8(random.below(100)), UInt8(random.below(100)), UInt8(random.below(100)))
            let light = RasterImage.rgb(UInt8(120 + random.below(100)), UInt8(120 + random.below(100)), UInt8(random.below(100)))
            let pixels = (0..<count).map { mask >> UInt32($0) & 1 == 1 ? light : dark }
            let split = CellSplit(cell(pixels))
            #expect(split.mask == mask && error(pixels, split.mask, split.foreground, split.background) == 0)
        }
    }

    private func cell(_ pixels: [UInt32]) -> CellPixels {
        var lanes = SIMD8<UInt32>(repeating: 0)
        for (lane, pixel) in pixels.enumerated() { lanes[lane] = pixel }
        return CellPixels(lanes, weight: CellPixels.weights(pixels.count), count: pixels.count)
    }

    private func error(_ pixels: [UInt32], _ mask: UInt32, _ foreground: UInt32, _ background: UInt32) -> Double {
        pixels.enumerated().reduce(0) { sum, pixel in
            let shown = mask >> UInt32(pixel.offset) & 1 == 1 ? foreground : background
            return (0..<3).reduce(sum) {
                let difference = Double(pixel.element >> (8 * $1) & 255) - Double(shown >> (16 - 8 * $1) & 255)
                return $0 + difference * difference
            }
        }
    }

    /// Every split with the exact means of its two groups.
    private func bestError(_ pixels: [UInt32]) -> Double {
        let count = pixels.count
        return (0..<1 << (count - 1)).map { mask -> Double in
            var sum = 0.0
            for channel in 0..<3 {
                for side in 0..<2 {
                    let group = pixels.indices.filter { mask >> $0 & 1 == side }.map { Double(pixels[$0] >> (8 * channel) & 255) }
                    let mean = group.reduce(0, +) / Double(max(1, group.count))
                    sum += group.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
                }
            }
            return sum
        }.min() ?? 0
    }
}
