public import AetherCore

/// The loudness of a whole programme: decoded audio in, the figures of all of it out. Owned by one thread; nothing here blocks.
public struct ProgrammeLoudness: ~Copyable {
    /// One channel from the start to the end, in dB of full scale.
    public struct Channel: Sendable, Equatable {
        /// The channel.
        public let channel: AudioChannel
        /// The mean power, a sine of full scale being 0; the largest sample.
        public let mean, peak: Double
    }

    /// The format that is measured: that of the first frame, which later ones are brought to. nil before one.
    public var format: AudioFormat? { meter?.format }
    /// The loudest 400 ms, and the loudest 3 s, in LUFS; nil before there was one that is no silence.
    public private(set) var momentary: Double?
    /// See `momentary`.
    public private(set) var shortTerm: Double?
    /// The mean of the phases of all blocks, see `AudioMeter.Reading`; nil without.
    public var correlation: Double? { phases > 0 ? phaseSum / Double(phases) : nil }

    private var meter: AudioMeter?
    private var resampler: Resampler?
    private var last: AudioMeter.Reading?
    private var squares: [Double] = []
    private var largest: [Double] = []
    private var frames: Int64 = 0
    private var phaseSum = 0.0, phases = 0
    private var samples: [Float] = []

    /// Nothing was heard yet.
    public init() {}

    /// Of all of it, gated, in LUFS; nil where nothing is louder than the gate.
    public var integrated: Double? { last?.integrated }

    /// How far loud and soft parts are apart, in LU; nil before 3 s.
    public var range: Double? { meter?.range }

    /// The largest value, between the samples too, in dB of full scale; nil before a frame.
    public var truePeak: Double? { meter?.truePeak }

    /// The length of what was heard.
    public var duration: TimeSpan {
        guard let format else { return .zero }
        return .seconds(Double(frames) / Double(max(1, format.sampleRate)))
    }

    /// Each channel.
    public var channels: [Channel] {
        squares.indices.map { place in
            let mean = (2 * squares[place] / Double(max(1, frames))).squareRoot()
            return Channel(
                channel: format?.channels[place] ?? .unknown, mean: AudioMeter.decibels(mean),
                peak: AudioMeter.decibels(largest[place]))
        }
    }

    /// Hears a frame. Throws `.decodeFailed` for what is no audio; the next one may be.
    public mutating func take(_ frame: borrowing DecodedFrame) throws(MediaError) {
        let source = try Resampler.Source(frame.pointer)
        if meter == nil {
            let format = AudioFormat(sampleRate: source.rate, channels: source.channels)
            meter = AudioMeter(format)
            squares = [Double](repeating: 0, count: format.channelCount)
            largest = squares
        }
        guard let format else { return }
        samples.removeAll(keepingCapacity: true)
        if resampler == nil || resampler?.source != source {
            try resampler?.convert(nil, into: &samples)
            resampler = nil
            resampler = try Resampler(source, output: format)
        }
        try resampler?.convert(frame.pointer, into: &samples)
        hear()
    }

    /// Hears what a resampler held back: the end of the programme.
    public mutating func finish() throws(MediaError) {
        samples.removeAll(keepingCapacity: true)
        try resampler?.convert(nil, into: &samples)
        resampler = nil
        hear()
    }

    private mutating func hear() {
        let channels = squares.count
        guard channels > 0 else { return }
        var channel = 0
        for sample in samples {
            let value = sample.isFinite ? Double(sample) : 0
            squares[channel] += value * value
            largest[channel] = max(largest[channel], abs(value))
            channel = channel + 1 == channels ? 0 : channel + 1
        }
        frames += Int64(samples.count / channels)
        for reading in meter?.take(samples, start: 0) ?? [] {
            momentary = Self.louder(momentary, reading.momentary)
            shortTerm = Self.louder(shortTerm, reading.shortTerm)
            if let phase = reading.correlation { (phaseSum, phases) = (phaseSum + phase, phases + 1) }
            last = reading
        }
    }

    private static func louder(_ known: Double?, _ new: Double?) -> Double? {
        guard let new, new.isFinite else { return known }
        return max(known ?? new, new)
    }
}
