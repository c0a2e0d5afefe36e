import AetherCore

/// How far a picture is from a reference that another program made, in ΔE2000.
struct FrameDistance: CustomStringConvertible {
    let mean, worst: Double

    /// The reference: little-endian words of red, green and blue first in each pixel, `perPixel` of them.
    init(_ image: RasterImage, words reference: [UInt8], perPixel: Int) {
        var sum = 0.0, worst = 0.0
        for index in image.pixels.indices {
            func level(_ channel: Int) -> Double {
                let place = (index * perPixel + channel) * 2
                return Double(Int(reference[place]) | Int(reference[place + 1]) << 8) / 65535
            }
            let difference = deltaE2000(SIMD3(level(0), level(1), level(2)), colour(image.pixels[index]))
            sum += difference
            worst = max(worst, difference)
        }
        (mean, self.worst) = (sum / Double(max(1, image.pixels.count)), worst)
    }

    var description: String { "ΔE2000 mean \(mean), worst \(worst)" }
}
