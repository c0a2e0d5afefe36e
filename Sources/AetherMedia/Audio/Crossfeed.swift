import Glibc

/// Feeds each ear a little of the other's channel, low-passed and late by the nature of the filter, as a head does between loudspeakers: hard
/// stereo in headphones stops sounding as if it were inside of the head. On interleaved float samples of two channels, in place and without delay.
/// A change fades in over 30 ms. Pure: no clock, no device.
struct Crossfeed: Sendable {
    /// Of a first-order low pass at 700 Hz, which a head shades above, and of the high shelf that gives direct sound back what the sum takes.
    private let low, high: Double
    /// 0 off … 1 on, and the step of a frame on the way.
    private var share: Double
    private let step: Double
    private var target: Double
    /// The low-passed channels.
    private var left = 0.0, right = 0.0, highLeft = 0.0, highRight = 0.0

    /// −9.5 dB of the other ear: enough to be heard outside of the head, little enough to leave width.
    private static let feed = 0.33

    /// `isOn`: from the first sample on.
    init(sampleRate: Int, isOn: Bool) {
        let rate = Double(max(1000, sampleRate))
        low = 1 - exp(-2 * Double.pi * 700 / rate)
        high = 1 - exp(-2 * Double.pi * 900 / rate)
        (share, target) = isOn ? (1, 1) : (0, 0)
        step = 1 / (0.030 * rate)
    }

    /// On or off from here on.
    mutating func set(_ isOn: Bool) { target = isOn ? 1 : 0 }

    /// Nothing of it is heard, and samples pass untouched.
    var isResting: Bool { share == 0 && target == 0 }

    /// Forgets the samples so far: after a seek.
    mutating func reset() { (left, right, highLeft, highRight, share) = (0, 0, 0, 0, target) }

    /// Applies it to whole frames of two channels.
    mutating func apply(to samples: UnsafeMutableBufferPointer<Float>) {
        guard !isResting else { return }
        for frame in 0..<samples.count / 2 {
            if share < target { share = min(target, share + step) } else if share > target { share = max(target, share - step) }
            var (a, b) = (Double(samples[2 * frame]), Double(samples[2 * frame + 1]))
            // One sample that is no number would be heard for ever.
            if !a.isFinite { a = 0 }
            if !b.isFinite { b = 0 }
            left += low * (a - left)
            right += low * (b - right)
            highLeft += high * (a - highLeft)
            highRight += high * (b - highRight)
            // The bass that both ears get is taken off what is direct: a voice in the middle keeps its colour.
            let near = (a - Self.feed * highLeft, b - Self.feed * highRight)
            samples[2 * frame] = Float(a + share * (near.0 + Self.feed * right - a))
            samples[2 * frame + 1] = Float(b + share * (near.1 + Self.feed * left - b))
        }
    }
}
