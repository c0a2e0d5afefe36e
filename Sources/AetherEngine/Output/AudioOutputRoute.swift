public import AetherCore

/// The true way of the audio, as the device agreed to it.
public struct AudioOutputRoute: Sendable, Equatable {
    /// The form of the audio that reaches the device.
    public enum Kind: Sendable, Equatable {
        /// Samples.
        case pcm
        /// A bitstream of this codec (FFmpeg's name), untouched, for a receiver to decode.
        case passthrough(codec: String)
    }

    /// The form in which audio leaves: PCM or a bitstream.
    public var kind = Kind.pcm
    /// The device's name; nil when no device could be opened and time passes in silence.
    public var device: String?
    /// Sample type, rate and channel count on the device.
    public var format: AudioFormat
    /// Channels of the source.
    public var sourceChannels: [AudioChannel]

    /// A route.
    public init(kind: Kind = .pcm, device: String?, format: AudioFormat, sourceChannels: [AudioChannel]) {
        self.kind = kind
        self.device = device
        self.format = format
        self.sourceChannels = sourceChannels
    }

    /// Channels of the source that have no speaker of their own: they are mixed into the others, or left out.
    public var foldedChannels: [AudioChannel] {
        guard kind == .pcm, sourceChannels.count > 1 else { return [] }
        return sourceChannels.filter { !format.channels.contains($0) }
    }

    /// One line: "default: 48000 Hz, float32, FL FR (5.1 mixed down)".
    public var text: String {
        let name = device ?? "no device"
        let rate = "\(format.sampleRate) Hz"
        switch kind {
        case .passthrough(let codec): return "\(name): \(codec) bitstream in \(format.channelCount) x \(rate)"
        case .pcm:
            let folded = foldedChannels.isEmpty ? "" : " (mixed down from \(sourceChannels.count))"
            let map = format.channels.map(\.rawValue).joined(separator: " ")
            return "\(name): \(rate), \(format.sample.rawValue), \(map)\(folded)"
        }
    }
}
