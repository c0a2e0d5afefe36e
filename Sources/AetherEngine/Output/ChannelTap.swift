public import AetherCore
import AetherMedia

/// A stretch of audio as it is played, for meters: all channels of the source at its own rate.
public struct ChannelTapBuffer: Sendable {
    /// Interleaved, −1 … 1 and somewhat beyond, before the volume.
    public let samples: [Float]
    /// Rate and channels.
    public let format: AudioFormat
    /// The time of the first sample, in seconds on the source axis. Buffers come up to a second before that.
    public let sourceTime: Double
    /// The buffer does not join the one before it: the beginning, a seek, a hole.
    public let discontinuity: Bool

    /// A stretch.
    public init(samples: [Float], format: AudioFormat, sourceTime: Double, discontinuity: Bool) {
        (self.samples, self.format) = (samples, format)
        (self.sourceTime, self.discontinuity) = (sourceTime, discontinuity)
    }
}

/// A reading of the audio device, and what the clock made of it.
public struct ClockReading: Sendable, Equatable {
    /// Its host time.
    public let host: HostTime
    /// The time that the device reported, less the one that the clock had foretold.
    public let error: TimeSpan
    /// Between handing a sample to the device and its being heard.
    public let delay: TimeSpan
    /// The device's speed against the host clock, in parts per million; nil before it is learnt.
    public let drift: Double?
    /// How much the clock runs faster or slower to meet the reading, in parts per million.
    public let correction: Double
    /// The clock was put where the device is.
    public let isStep: Bool

    /// A reading.
    public init(host: HostTime, error: TimeSpan, delay: TimeSpan, drift: Double?, correction: Double, isStep: Bool) {
        (self.host, self.error, self.delay) = (host, error, delay)
        (self.drift, self.correction, self.isStep) = (drift, correction, isStep)
    }
}

/// The listeners on the audio's way to the device. Without one they cost nothing.
struct AudioTaps: Sendable {
    /// Mono, 48 kHz.
    let mono = Audience<AudioTapBuffer>()
    /// All channels.
    let channels = Audience<ChannelTapBuffer>()
    /// The device's readings: about 50 a second.
    let clock = Audience<ClockReading>(limit: 512)

    /// Ends every stream.
    func finish() {
        mono.finish()
        channels.finish()
        clock.finish()
    }
}
