import AetherCore
import Glibc

/// Measures loudness as ITU-R BS.1770-4 and EBU R128 do: K-weighted power in blocks of 100 ms. Pure.
struct LoudnessMeter: Sendable {
    /// A biquad of the weighting, by its coefficients.
    struct Weighting: Sendable, Equatable {
        var b0, b1, b2, a1, a2: Double

        /// The head: a shelf of +4 dB from 1682 Hz on. Analogue prototype of the standard's 48 kHz table, by the bilinear transform.
        static func shelf(_ sampleRate: Double) -> Weighting {
            let k = tan(.pi * 1681.974450955533 / sampleRate), q = 0.7071752369554196
            let high: Double = pow(10, 3.999843853973347 / 20), band = pow(high, 0.4996667741545416)
            let a0 = 1 + k / q + k * k
            return Weighting(
                b0: (high + band * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0, b2: (high - band * k / q + k * k) / a0,
                a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
        }

        /// The ear's weakness for the bass: a high pass at 38 Hz.
        static func highPass(_ sampleRate: Double) -> Weighting {
            let k = tan(.pi * 38.13547087602444 / sampleRate), q = 0.5003270373238773
            let a0 = 1 + k / q + k * k
            return Weighting(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
        }
    }
    private struct Memory: Sendable {
        var first = 0.0, second = 0.0

        /// Transposed direct form II.
        @inline(__always) mutating func filter(_ x: Double, _ w: Weighting) -> Double {
            let y = w.b0 * x + first
            first = w.b1 * x - w.a1 * y + second
            second = w.b2 * x - w.a2 * y
            return y
        }
    }
    private let channelCount: Int
    private let weights: [Double]
    private let shelf, highPass: Weighting
    private var memories: [Memory]
    private let framesPerBlock: Int
    private var power = 0.0
    private var count = 0

    /// For a device's format: the surrounds count 1.5 dB more, the LFE not at all.
    init(_ format: AudioFormat) {
        channelCount = max(1, format.channelCount)
        weights = ChannelLayout.loudnessWeights(format.channels)
        let rate = Double(max(1000, format.sampleRate))
        (shelf, highPass) = (.shelf(rate), .highPass(rate))
        memories = [Memory](repeating: Memory(), count: 2 * channelCount)
        framesPerBlock = max(1, Int(rate / 10))
    }

    /// Weighted power as LUFS; −∞ for silence.
    static func lufs(_ power: Double) -> Double { power > 0 ? -0.691 + 10 * log10(power) : -.infinity }

    /// Takes one interleaved frame; gives the mean weighted power of each block that ends with it.
    @inline(__always) mutating func take(_ frame: UnsafePointer<Float>) -> Double? {
        for channel in 0..<channelCount where weights[channel] > 0 {
            let sample = frame[channel].isFinite ? Double(frame[channel]) : 0
            let head = memories[2 * channel].filter(sample, shelf)
            let weighted = memories[2 * channel + 1].filter(head, highPass)
            power += weights[channel] * weighted * weighted
        }
        count += 1
        guard count == framesPerBlock else { return nil }
        defer { (power, count) = (0, 0) }
        return power / Double(framesPerBlock)
    }
}
