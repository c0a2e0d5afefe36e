import AetherCore
import Glibc

/// Ten bands on interleaved float samples, in place and without delay: peaking filters of the second order, an octave wide, as the Audio
/// EQ Cookbook has them. In front of them stands a gain that takes off what they add at most, so that nothing clips that did not before.
/// Pure: no clock, no device.
///
/// Chosen over libavfilter's `anequalizer` and `superequalizer`: those hold samples back (the second 4096 of them) or begin anew with
/// each change, which is heard as a click; here a change glides over 30 ms and no sample is late.
struct Equalizer: Sendable {
    /// One filter, its gain in front of b.
    private struct Band {
        var b0 = 1.0, b1 = 0.0, b2 = 0.0, a1 = 0.0, a2 = 0.0

        init() {}

        init(frequency: Double, gain: Double, sampleRate: Double) {
            // A band that the sample rate cannot carry changes nothing.
            guard frequency < sampleRate * 0.45 else { return }
            let amplitude = pow(10, gain / 40), angle = 2 * Double.pi * frequency / sampleRate
            // The width of an octave, between the points of half the gain in dB.
            let alpha = sin(angle) * sinh(log(2) / 2 * angle / sin(angle))
            let a0 = 1 + alpha / amplitude
            (b0, b1, b2) = ((1 + alpha * amplitude) / a0, -2 * cos(angle) / a0, (1 - alpha * amplitude) / a0)
            (a1, a2) = (-2 * cos(angle) / a0, (1 - alpha / amplitude) / a0)
        }

        /// A step of so many on the way to another one. Between two stable filters all are stable: the region is convex.
        func step(to other: Band, of count: Int) -> Band {
            var step = Band()
            let share = 1 / Double(max(1, count))
            (step.b0, step.b1, step.b2) = ((other.b0 - b0) * share, (other.b1 - b1) * share, (other.b2 - b2) * share)
            (step.a1, step.a2) = ((other.a1 - a1) * share, (other.a2 - a2) * share)
            return step
        }

        mutating func add(_ step: Band) {
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

    private let channelCount: Int
    private let sampleRate: Double
    /// What is wanted, and what is heard by now; the last of each is the gain in front, in dB.
    private var target: [Double]
    private var present: [Double]
    private var step: [Double]
    private var bands: [Band]
    private var front = 1.0
    /// Two numbers of memory for each band of each channel.
    private var memory: [Double]
    /// Frames since everything was flat.
    private var restingFrames = 0
    private var hasSounded = false

    /// While gains glide, filters are made anew every 32 frames; between them each of their numbers goes there in even steps, for a jump
    /// of 0.3 dB is heard as a buzz.
    private static let stride = 32
    private static let glide = 0.030
    /// The lowest band rings for a tenth of a second: after three of them it is silent, and the filters rest.
    private static let ringing = 0.3

    /// `isSounding`: what is set next glides there.
    init(_ curve: EqualizerCurve, channelCount: Int, sampleRate: Int, isSounding: Bool = false) {
        self.channelCount = max(1, channelCount)
        self.sampleRate = Double(max(1000, sampleRate))
        let flat = [Double](repeating: 0, count: EqualizerCurve.frequencies.count + 1)
        (target, present, step) = (flat, flat, flat)
        bands = EqualizerCurve.frequencies.map { _ in Band() }
        memory = [Double](repeating: 0, count: self.channelCount * EqualizerCurve.frequencies.count * 2)
        set(curve)
        hasSounded = isSounding
    }

    /// Another curve from the next sample on; what sounds already glides there.
    mutating func set(_ curve: EqualizerCurve) {
        target = curve.gains + [Self.front(for: curve, sampleRate: sampleRate)]
        guard hasSounded else {
            present = target
            return shape()
        }
        let steps = max(1, Self.glide * sampleRate / Double(Self.stride))
        step = zip(target, present).map { ($0 - $1) / steps }
    }

    /// What was heard is forgotten: after a seek.
    mutating func reset() {
        hasSounded = false
        present = target
        memory = memory.map { _ in 0 }
        shape()
    }

    /// How much softer everything is made so that no tone comes out louder than it went in, in dB, 0 or below: what the bands add together
    /// where they add most.
    static func front(for curve: EqualizerCurve, sampleRate: Double) -> Double {
        guard !curve.isFlat else { return 0 }
        let bands = zip(EqualizerCurve.frequencies, curve.gains).map {
            Band(frequency: $0, gain: $1, sampleRate: sampleRate)
        }
        // 24 places an octave: between two of them the curve differs by less than 0.02 dB.
        var most = 1.0
        for place in 0..<(24 * 10) {
            let frequency = 20 * exp2(Double(place) / 24)
            guard frequency < sampleRate / 2 else { break }
            let angle = 2 * Double.pi * frequency / sampleRate
            most = max(most, bands.reduce(1) { $0 * $1.power(at: angle) })
        }
        return -10 * log10(most)
    }

    /// Applies the curve to whole frames.
    mutating func apply(to samples: UnsafeMutableBufferPointer<Float>) {
        let frames = samples.count / channelCount
        guard frames > 0 else { return }
        hasSounded = true
        var frame = 0
        while frame < frames {
            let isGliding = present != target
            let former = bands, formerFront = front
            if isGliding {
                for index in present.indices {
                    let next = present[index] + step[index]
                    // Past the aim, or as near as rounding gets.
                    let isThere = step[index] == 0 || (step[index] > 0) == (next >= target[index])
                    present[index] = isThere ? target[index] : next
                }
                shape()
                restingFrames = 0
            }
            let isResting = !isGliding && target.allSatisfy { $0 == 0 }
            if isResting, Double(restingFrames) > Self.ringing * sampleRate { return }
            let count = isGliding ? min(Self.stride, frames - frame) : frames - frame
            if isGliding {
                glide(samples, frame..<frame + count, from: former, formerFront)
            } else {
                filter(samples, frame..<frame + count)
            }
            if isResting { restingFrames += count }
            frame += count
        }
    }

    private mutating func shape() {
        front = pow(10, (present.last ?? 0) / 20)
        bands = zip(EqualizerCurve.frequencies, present).map { Band(frequency: $0, gain: $1, sampleRate: sampleRate) }
    }

    /// The same while the filters change, frame by frame.
    private mutating func glide(
        _ samples: UnsafeMutableBufferPointer<Float>, _ frames: Range<Int>, from former: [Band], _ formerFront: Double
    ) {
        let (wanted, wantedFront) = (bands, front)
        let steps = zip(former, wanted).map { $0.step(to: $1, of: frames.count) }
        let frontStep = (front - formerFront) / Double(max(1, frames.count))
        (bands, front) = (former, formerFront)
        for frame in frames {
            for index in bands.indices { bands[index].add(steps[index]) }
            front += frontStep
            filter(samples, frame..<frame + 1)
        }
        (bands, front) = (wanted, wantedFront)
    }

    /// Transposed direct form II: the form that takes changes of its numbers best.
    private mutating func filter(_ samples: UnsafeMutableBufferPointer<Float>, _ frames: Range<Int>) {
        let (channelCount, front) = (channelCount, front)
        memory.withUnsafeMutableBufferPointer { memory in
            bands.withUnsafeBufferPointer { bands in
                for frame in frames {
                    for channel in 0..<channelCount {
                        var value = Double(samples[frame * channelCount + channel]) * front
                        // One sample that is no number would be heard for ever.
                        if !value.isFinite { value = 0 }
                        var place = channel * bands.count * 2
                        for band in bands {
                            let out = band.b0 * value + memory[place]
                            memory[place] = band.b1 * value - band.a1 * out + memory[place + 1]
                            memory[place + 1] = band.b2 * value - band.a2 * out
                            value = out
                            place += 2
                        }
                        samples[frame * channelCount + channel] = Float(value)
                    }
                }
            }
        }
    }
}
