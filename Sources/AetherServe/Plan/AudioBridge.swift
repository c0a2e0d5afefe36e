import AetherCore
import AetherMedia

/// The format that replaces audio which HLS clients cannot take. Pure.
public enum AudioBridge: String, CaseIterable, Sendable {
    /// E-AC-3, 128 kbit/s for each channel, 5.1 at most.
    case surroundCompat
    /// FLAC, 7.1 at most.
    case lossless
    /// AAC-LC in stereo, for browsers: all audio.
    case aac

    /// The properties of audio that count.
    struct Audio: Equatable {
        var codec: String
        /// FFmpeg's name of the profile; nil where it is not known.
        var profile: String?
        /// The container keeps the codec's configuration.
        var hasHeader = false
        var channelCount = 2

        fileprivate var isHighEfficiency: Bool { profile?.hasPrefix("HE-AAC") ?? false }
    }

    /// The codec that a stream of audio is made into; nil: its packets are copied.
    func codec(for stream: StreamInfo) -> BridgedCodec? {
        codec(
            for: Audio(
                codec: stream.codecName, profile: stream.profile, hasHeader: !stream.parameters.header(limit: 64).isEmpty,
                channelCount: stream.track?.channels ?? 0))
    }

    func codec(for audio: Audio) -> BridgedCodec? {
        switch self {
        case .aac: audio.codec == "aac" && audio.channelCount <= 2 && !audio.isHighEfficiency ? nil : .aac
        case .surroundCompat: Self.isCopied(audio) ? nil : .enhancedAC3
        case .lossless: Self.isCopied(audio) ? nil : .flac
        }
    }

    /// AAC-LC, HE-AAC with its configuration, AC-3, E-AC-3 with all it carries, FLAC and ALAC.
    private static func isCopied(_ audio: Audio) -> Bool {
        switch audio.codec {
        case "aac": !audio.isHighEfficiency || audio.hasHeader
        case "ac3", "eac3": true
        case "flac", "alac": audio.hasHeader
        default: false
        }
    }
}
