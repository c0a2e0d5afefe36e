/// The layout of samples in memory on their way to a device. Always interleaved.
public struct AudioFormat: Hashable, Sendable {
    /// The type of one sample, native endian.
    public enum Sample: String, Sendable { case int16, int32, float32 }

    /// Frames a second.
    public var sampleRate: Int
    /// The channels in the order in which a frame holds them; at least their number is right.
    public var channels: [AudioChannel]
    /// The form of a sample.
    public var sample: Sample
    /// The samples are IEC 61937 bursts: a device takes exactly this format, untouched, or refuses.
    public var isBitstream = false

    /// A format with the usual channels of a count.
    public init(sampleRate: Int, channelCount: Int, sample: Sample = .float32) {
        self.init(sampleRate: sampleRate, channels: AudioChannel.usual(channelCount), sample: sample)
    }

    /// A format.
    public init(sampleRate: Int, channels: [AudioChannel], sample: Sample = .float32) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.sample = sample
    }

    /// The rate to ask a device for where a source states this one. Some claim 2³¹ Hz, of which a second of silence would take gigabytes.
    public static func deviceRate(_ claimed: Int) -> Int { min(max(8000, claimed), 768_000) }

    /// Channels of a frame.
    public var channelCount: Int { channels.count }

    /// Bytes of one sample of one channel.
    public var bytesPerSample: Int { sample == .int16 ? 2 : 4 }

    /// Bytes of one sample of all channels.
    public var bytesPerFrame: Int { bytesPerSample * channelCount }

    /// The duration of that many frames.
    public func duration(frames: Int) -> TimeSpan { .seconds(Double(frames) / Double(max(1, sampleRate))) }

    /// The number of frames that fill a span.
    public func frames(in span: TimeSpan) -> Int { Int((span.seconds * Double(sampleRate)).rounded()) }
}
