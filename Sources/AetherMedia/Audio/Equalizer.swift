import AetherCore
import Glibc

/// Ten bands on interleaved float samples, in place and without delay: peaking filters of the second order, an octave wide
/// (`EqualizerBand`), whose own gains are solved so that their sum meets the curve (`EqualizerFit`). In front of them stands a gain that
/// takes off what they add at most, so that nothing clips that did not before. Pure: no clock, no device.
///
/// Chosen over libavfilter's `anequalizer` and `superequalizer`: those hold samples back (the second 4096 of them) or begin anew with
/// each change, which is heard as a click; here a change glides over 30 ms and no sample is late.
struct Equalizer: Sendable {
    private let channelCount: Int
    private let sampleRate: Double
    /// The filters' own gains that are wanted, and those heard by now; the last of each is the gain in front, in dB.
    private var target: [Double]
    private var present: [Double]
    private var step: [Double]
    private var bands: [EqualizerBand]
    private var front = 1.0
    /// Two numbers of memory for each band of each channel.
    private var memory: [Double]
    /// Frames since everything was flat.
    private var restingFrames = 0
    private var wasHeard = false

    /// While gains glide, filters are made anew every 32 frames; between them each of their numbers goes there in even steps, for a jump
    /// of 0.3 dB is heard as a buzz.
    private static let stride = 32
    private static let glide = 0.030
    /// The lowest band rings for a tenth of a second: after three of them it is silent, and the filters rest.
    private static let ringing = 0.3

    /// `isSounding`: what is set next glides there.
    init(_ curve: EqualizerCurve, channelCount: Int, sampleRate: Int, isHeard: Bool = false) {
        self.channelCount = max(1, channelCount)
        self.sampleRate = Double(max(1000, sampleRate))
        let flat = [Double](repeating: 0, count: EqualizerCurve.frequencies.count + 1)
        (target, present, step) = (flat, flat, flat)
        bands = EqualizerCurve.frequencies.map { _ in EqualizerBand() }
        memory = [Double](repeating: 0, count: self.channelCount * EqualizerCurve.frequencies.count * 2)
        set(curve)
        wasHeard = isHeard
    }

    /// Another curve from the next sample on; audio that plays already glides there.
    mutating func set(_ curve: EqualizerCurve) {
        let fit = EqualizerFit(curve, sampleRate: sampleRate)
        target = fit.gains + [fit.front]
        guard wasHeard else {
            present = target
            return shape()
        }
        let steps = max(1, Self.glide * sampleRate / Double(Self.stride))
        step = zip(target, present).map { ($0 - $1) / steps }
    }

    /// Forgets the samples so far: after a seek.
    mutating func reset() {
        wasHeard = false
        present = target
        memory = memory.map { _ in 0 }
        shape()
    }

    /// Applies the curve to whole frames.
    mutating func apply(to samples: UnsafeMutableBufferPointer<Float>) {
        let frames = samples.count / channelCount
        guard frames > 0 else { return }
        wasHeard = true
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
        bands = zip(EqualizerCurve.frequencies, present).map { EqualizerBand(frequency: $0, gain: $1, sampleRate: sampleRate) }
    }

    /// Filters while the filters change, frame by frame.
    private mutating func glide(
        _ samples: UnsafeMutableBufferPointer<Float>, _ frames: Range<Int>, from former: [EqualizerBand], _ formerFront: Double
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
