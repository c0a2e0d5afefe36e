import Foundation

/// A sine, and how loud samples are. Tests without optimisation take ten times as long for them.
public enum TestTone {
    /// So many frames of a tone, the same in each channel, interleaved.
    public static func sine(_ frequency: Double, amplitude: Double, rate: Int, frames: Int, channels: Int) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            let value = Float(amplitude * sin(2 * Double.pi * frequency * Double(frame) / Double(rate)))
            for _ in 0..<channels { samples.append(value) }
        }
        return samples
    }

    /// The sum of the squares.
    public static func power(_ samples: ArraySlice<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) }
    }
}
