import Glibc

/// The peak of one channel between its samples too, as ITU-R BS.1770-4 annex 2 measures it: four times as many samples, by a filter of 12 taps for
/// each. Of 96 kHz and more twice as many, of 192 kHz the samples themselves.
struct TruePeakMeter: Sendable {
    private static let taps = 12
    /// The standard's filter for 48 kHz has a pass band of 20 kHz; this one is a windowed sinc of the same length.
    private static let phases: [[Float]] = (0..<4).map { phase in
        (0..<taps).map { tap in
            let x = Double(tap) - Double(taps / 2 - 1) - Double(phase) / 4
            let sinc = x == 0 ? 1 : sin(.pi * x) / (.pi * x)
            let place = x / Double(taps / 2)
            // Kaiser, β 5: ripple below 0.1 dB up to 16 kHz.
            let window = abs(place) < 1 ? bessel(5 * (1 - place * place).squareRoot()) / bessel(5) : 0
            return Float(sinc * window)
        }
    }
    private let used: [Int]
    private var held = [Float](repeating: 0, count: TruePeakMeter.taps)
    private var next = 0

    init(sampleRate: Int) { used = sampleRate >= 192_000 ? [0] : sampleRate >= 96_000 ? [0, 2] : [0, 1, 2, 3] }

    /// Takes a sample in; the largest of what lies between it and its neighbours, 5 samples late.
    mutating func take(_ sample: Float) -> Float {
        held[next] = sample.isFinite ? sample : 0
        next = (next + 1) % Self.taps
        var peak: Float = 0
        for phase in used {
            var sum: Float = 0
            let factors = Self.phases[phase]
            // From the oldest on.
            var place = next
            for tap in 0..<Self.taps {
                sum += held[place] * factors[tap]
                place += 1
                if place == Self.taps { place = 0 }
            }
            peak = max(peak, abs(sum))
        }
        return peak
    }

    /// The modified Bessel function of order 0.
    private static func bessel(_ x: Double) -> Double {
        var sum = 1.0, term = 1.0
        for step in 1..<24 {
            term *= (x / 2 / Double(step)) * (x / 2 / Double(step))
            sum += term
        }
        return sum
    }
}
