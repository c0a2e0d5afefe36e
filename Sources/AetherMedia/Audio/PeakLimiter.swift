import AetherCore
import Glibc

/// Keeps what was mixed together below full scale, without a click and without bending what is below it. Pure: no clock, no device.
///
/// Looks 5 ms ahead: the gain comes down over that time in a straight line, so that it has arrived with the peak, and goes back up
/// within a fifth of a second. All channels get the same gain, so that the audio stays where it is. Audio that never goes beyond
/// full scale comes out sample for sample as it went in, 5 ms of it held back until more comes or `finish` asks for it.
struct PeakLimiter: Sendable {
    private static let lookAhead = 0.005
    private static let release = 0.200
    /// A hair below full scale: what rounding adds stays inside.
    private static let ceiling: Float = 0.9999

    private let channelCount: Int
    /// Frames that the gain needs to come down.
    private let span: Int
    private let recovery: Float
    /// Frames not yet given out, interleaved.
    private var held: [Float] = []
    /// The gain that each of the last `span` frames may have at most, as a ring; the smallest of them, and how many frames ago it came.
    private var allowed: [Float]
    private var lowest: (gain: Float, age: Int) = (1, 0)
    /// The gains that follow it, rising slowly, as a ring; their sum, and how many of them are not 1.
    private var eased: [Float]
    private var sum: Double
    private var limitedCount = 0
    private var gain: Float = 1
    private var place = 0

    init(channelCount: Int, sampleRate: Int) {
        self.channelCount = max(1, channelCount)
        span = max(1, Int(Double(max(1000, sampleRate)) * Self.lookAhead))
        recovery = Float(1 - exp(-3 / (Self.release * Double(max(1000, sampleRate)))))
        allowed = [Float](repeating: 1, count: span)
        eased = allowed
        sum = Double(span)
    }

    /// Takes whole frames and leaves those in their place that are ready: fewer at first, then as many as came.
    mutating func apply(to samples: inout [Float]) {
        held.append(contentsOf: samples)
        let frames = samples.count / channelCount
        let ready = max(0, held.count / channelCount - (span - 1))
        var delayed = [Float]()
        delayed.reserveCapacity(ready * channelCount)
        // The frames that come out are those `span − 1` before the ones that come in.
        let first = held.count / channelCount - frames
        held.withUnsafeBufferPointer { held in
            for frame in first..<first + frames {
                var peak: Float = 0
                for channel in 0..<channelCount { peak = max(peak, abs(held[frame * channelCount + channel])) }
                let factor = follow(peak)
                let out = frame - (span - 1)
                guard out >= 0 else { continue }
                for channel in 0..<channelCount { delayed.append(held[out * channelCount + channel] * factor) }
            }
        }
        held.removeFirst(delayed.count)
        samples = delayed
    }

    /// The frames that are held back, as if silence followed.
    mutating func finish(into samples: inout [Float]) {
        var tail = [Float](repeating: 0, count: (span - 1) * channelCount)
        let count = held.count
        apply(to: &tail)
        // Before as many frames had come as are looked ahead, silence went in behind them.
        samples.append(contentsOf: tail.suffix(count))
        held.removeAll(keepingCapacity: true)
    }

    /// The gain of the frame `span − 1` before this one, whose loudest sample is given.
    private mutating func follow(_ peak: Float) -> Float {
        let limit = peak > 1 ? Self.ceiling / peak : 1
        allowed[place] = limit
        lowest.age += 1
        if limit <= lowest.gain {
            lowest = (limit, 0)
        } else if lowest.age >= span {
            findLowest()
        }
        gain = lowest.gain < gain ? lowest.gain : min(lowest.gain, gain + (1 - gain) * recovery)
        if gain > 0.9999, lowest.gain == 1 { gain = 1 }
        limitedCount += (gain != 1 ? 1 : 0) - (eased[place] != 1 ? 1 : 0)
        sum += Double(gain) - Double(eased[place])
        eased[place] = gain
        place = (place + 1) % span
        guard limitedCount > 0 else {
            // The rounding errors of the sum end here.
            sum = Double(span)
            return 1
        }
        return Float(sum / Double(span))
    }

    private mutating func findLowest() {
        lowest = (1, 0)
        // From the newest to the oldest, which the next frame takes the place of.
        for age in 0..<span {
            let limit = allowed[(place - age + span) % span]
            if limit < lowest.gain { lowest = (limit, age) }
        }
    }
}
