public import AetherCore
import Glibc

/// Meters of audio for inspectors: levels, loudness, true peak and phase, one reading for each 100 ms. A value for one thread.
public struct AudioMeter: Sendable {
    /// One channel in a block of 100 ms, in dB of full scale.
    public struct Level: Sendable, Equatable {
        /// The channel.
        public let channel: AudioChannel
        /// The mean power, a sine of full scale being 0; the largest sample.
        public let mean, peak: Double
    }

    /// The meters at the end of a block.
    public struct Reading: Sendable, Equatable {
        /// The end of the block, in seconds of the source.
        public var end: Double
        /// Of each channel.
        public let levels: [Level]
        /// LUFS of 400 ms, 3 s, and since the meter began; nil before there is one.
        public let momentary, shortTerm, integrated: Double?
        /// The largest since the meter began, between the samples too, in dB of full scale.
        public let truePeak: Double
        /// Left against right: 1 the same, 0 nothing in common, −1 the same upside down. nil for other than two fronts, and for silence.
        public let correlation: Double?
    }

    /// The format of the samples.
    public let format: AudioFormat
    private var loudness: LoudnessMeter
    private var history = LoudnessHistory()
    private var peaks: [TruePeakMeter]
    private var largestBetween: Float = 0
    private var squares: [Double]
    private var largest: [Float]
    private var products = 0.0
    private var count = 0
    private let pair: (left: Int, right: Int)?

    /// Silence.
    public static let floor = -120.0

    /// The largest since the meter began, between the samples too, in dB of full scale.
    public var truePeak: Double { Self.decibels(Double(largestBetween)) }

    /// How far loud and soft parts were apart since the meter began, in LU; nil before 3 s.
    public var range: Double? { history.range }

    /// A meter of interleaved 32-bit floats.
    public init(_ format: AudioFormat) {
        self.format = format
        loudness = LoudnessMeter(format)
        let channels = max(1, format.channelCount)
        peaks = [TruePeakMeter](repeating: TruePeakMeter(sampleRate: format.sampleRate), count: channels)
        squares = [Double](repeating: 0, count: channels)
        largest = [Float](repeating: 0, count: channels)
        let left = format.channels.firstIndex(of: .frontLeft), right = format.channels.firstIndex(of: .frontRight)
        pair = left.flatMap { left in right.map { (left, $0) } }
    }

    /// Takes samples in, of which the first is at `start` seconds of the source; gives a reading for each block that ends with them.
    public mutating func take(_ samples: [Float], start: Double) -> [Reading] {
        let channels = max(1, format.channelCount)
        var readings: [Reading] = []
        samples.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for frame in 0..<buffer.count / channels {
                let place = base + frame * channels
                for channel in 0..<channels {
                    let sample = place[channel].isFinite ? place[channel] : 0
                    squares[channel] += Double(sample) * Double(sample)
                    largest[channel] = max(largest[channel], abs(sample))
                    largestBetween = max(largestBetween, peaks[channel].take(sample))
                }
                if let pair {
                    let product = Double(place[pair.left]) * Double(place[pair.right])
                    products += product.isFinite ? product : 0
                }
                count += 1
                if let power = loudness.take(place) {
                    history.take(power)
                    readings.append(read(end: start + Double(frame + 1) / Double(max(1, format.sampleRate))))
                }
            }
        }
        return readings
    }

    private mutating func read(end: Double) -> Reading {
        let total = Double(max(1, count))
        let levels = squares.indices.map { channel in
            Level(
                channel: format.channels.indices.contains(channel) ? format.channels[channel] : .unknown,
                mean: Self.decibels((2 * squares[channel] / total).squareRoot()), peak: Self.decibels(Double(largest[channel])))
        }
        var correlation: Double?
        if let pair {
            let power = (squares[pair.left] * squares[pair.right]).squareRoot()
            if power > 1e-9 * total { correlation = min(1, max(-1, products / power)) }
        }
        for channel in squares.indices { (squares[channel], largest[channel]) = (0, 0) }
        (products, count) = (0, 0)
        return Reading(
            end: end, levels: levels, momentary: history.momentary, shortTerm: history.shortTerm, integrated: history.integrated,
            truePeak: truePeak, correlation: correlation)
    }

    static func decibels(_ amplitude: Double) -> Double { amplitude > 1e-6 ? 20 * log10(amplitude) : floor }
}
