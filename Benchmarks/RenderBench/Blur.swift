import AetherCore
import Foundation

/// A picture as seen from some way off: Gaussian blur of σ = 2 pixels, an eighth of a cell's height at 8×16 pixels a cell.
struct Blurred {
    /// Red, green and blue of each pixel.
    let values: [SIMD4<Float>]

    init(_ image: RasterImage) {
        let kernel = (-6...6).map { Float(exp(-Double($0 * $0) / 8)) }
        let sum = kernel.reduce(0, +)
        let (width, height) = (image.width, image.height)
        let first = image.pixels.map { SIMD4(Float($0 & 255), Float($0 >> 8 & 255), Float($0 >> 16 & 255), 0) }
        var across = first, down = first
        for y in 0..<height {
            for x in 0..<width {
                var mean = SIMD4<Float>(repeating: 0)
                for tap in 0..<13 { mean += first[y * width + min(max(0, x + tap - 6), width - 1)] * kernel[tap] }
                across[y * width + x] = mean / sum
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                var mean = SIMD4<Float>(repeating: 0)
                for tap in 0..<13 { mean += across[min(max(0, y + tap - 6), height - 1) * width + x] * kernel[tap] }
                down[y * width + x] = mean / sum
            }
        }
        values = down
    }

    /// Mean squared difference of a channel.
    func meanSquare(to other: Blurred) -> Double {
        var sum = 0.0
        for (a, b) in zip(values, other.values) {
            let d = a - b
            sum += Double((d * d).sum())
        }
        return sum / Double(values.count * 3)
    }
}
