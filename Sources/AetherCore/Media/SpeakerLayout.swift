/// The channels that an audio device is asked for.
public enum SpeakerLayout: String, Sendable, CaseIterable {
    /// Those of the source.
    case auto
    case stereo
    case surround51 = "5.1"
    case surround71 = "7.1"

    /// The format to ask a device for where a source has this one. A bitstream has no speakers: it stays as it is.
    public func format(of source: AudioFormat) -> AudioFormat {
        var format = source
        switch self {
        case _ where source.isBitstream: break
        case .auto: break
        case .stereo: format.channels = AudioChannel.usual(2)
        case .surround51: format.channels = AudioChannel.usual(6)
        case .surround71: format.channels = AudioChannel.usual(8)
        }
        return format
    }
}
