import Glibc

/// One band of the equaliser: a peaking filter of the second order, an octave wide, as the Audio EQ Cookbook has it. a0 is 1.
struct EqualizerBand: Sendable {
    var b0 = 1.0, b1 = 0.0, b2 = 0.0, a1 = 0.0, a2 = 0.0

    init() {}

    init(frequency: Double, gain: Double, sampleRate: Double) {
        // A band that the sample rate cannot carry changes nothing.
        guard EqualizerBand.carries(frequency, at: sampleRate) else { return }
        let amplitude = pow(10, gain / 40), angle = 2 * Double.pi * frequency / sampleRate
        // The width of an octave, between the points of half the gain in dB.
        let alpha = sin(angle) * sinh(log(2) / 2 * angle / sin(angle))
        let a0 = 1 + alpha / amplitude
        (b0, b1, b2) = ((1 + alpha * amplitude) / a0, -2 * cos(angle) / a0, (1 - alpha * amplitude) / a0)
        (a1, a2) = (-2 * cos(angle) / a0, (1 - alpha / amplitude) / a0)
    }

    /// Whether a sample rate has room for a band around a frequency, both in Hz.
    static func carries(_ frequency: Double, at sampleRate: Double) -> Bool { frequency < sampleRate * 0.45 }

    /// A step of so many on the way to another one. Between two stable filters all are stable: the region is convex.
    func step(to other: EqualizerBand, of count: Int) -> EqualizerBand {
        var step = EqualizerBand()
        let share = 1 / Double(max(1, count))
        (step.b0, step.b1, step.b2) = ((other.b0 - b0) * share, (other.b1 - b1) * share, (other.b2 - b2) * share)
        (step.a1, step.a2) = ((other.a1 - a1) * share, (other.a2 - a2) * share)
        return step
    }

    mutating func add(_ step: EqualizerBand) {
        (b0, b1, b2) = (b0 + step.b0, b1 + step.b1, b2 + step.b2)
        (a1, a2) = (a1 + step.a1, a2 + step.a2)
    }

    /// |H|² at an angle of the unit circle.
    func power(at angle: Double) -> Double {
        let (c1, c2, s1, s2) = (cos(angle), cos(2 * angle), sin(angle), sin(2 * angle))
        let above = pow(b0 + b1 * c1 + b2 * c2, 2) + pow(b1 * s1 + b2 * s2, 2)
        let below = pow(1 + a1 * c1 + a2 * c2, 2) + pow(a1 * s1 + a2 * s2, 2)
        return above / below
    }
}
