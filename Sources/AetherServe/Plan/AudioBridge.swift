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

    /// The codec that a stream of audio is made into; nil: its packets are copied.
    func codec(for stream: StreamInfo) -> BridgedCodec? {
        if self == .aac { return isBrowserAAC(stream) ? nil : .aac }
        if Self.isCopied(stream) { return nil }
        return self == .lossless ? .flac : .enhancedAC3
    }

    /// AAC-LC, HE-AAC with its configuration, AC-3, E-AC-3 with all it carries, FLAC and ALAC.
    static func isCopied(_ stream: StreamInfo) -> Bool {
        switch stream.codecName {
        case "aac", "ac3", "eac3": true
        case "flac", "alac": !stream.parameters.header(limit: 64).isEmpty
        default: false
        }
    }

    private func isBrowserAAC(_ stream: StreamInfo) -> Bool { stream.codecName == "aac" && (stream.track?.channels ?? 0) <= 2 }
}
