public import AetherCore
import CFFmpeg

/// The form of a codec's bitstream as IEC 61937 bursts: the carrier that the device is opened with. Pure.
///
/// The carrier is 16-bit PCM by its looks: AC-3 and the core of DTS at the source's rate in two channels, E-AC-3 at four times the rate,
/// DTS-HD and TrueHD as high bit rate audio, eight channels at four times the rate (IEC 61937-1, -3, -5, -9).
public struct BurstFormat: Sendable, Equatable {
    /// libavcodec's name of the codec.
    public let codec: String
    /// The format that the device carries.
    public let carrier: AudioFormat
    /// Whole DTS-HD frames, not only their core.
    let isDTSHD: Bool

    /// The bursts of a stream if it is among the allowed codecs; nil where it is not, or cannot be wrapped. DTS-HD travels as its
    /// core where only DTS is allowed.
    public init?(_ parameters: CodecParameters, allowed: BitstreamPassthrough) {
        let stream = parameters.pointer.pointee
        self.init(codecID: stream.codec_id, profile: stream.profile, sampleRate: Int(stream.sample_rate), allowed: allowed)
    }

    init?(codecID: AVCodecID, profile: Int32, sampleRate: Int, allowed: BitstreamPassthrough) {
        guard [32000, 44100, 48000, 88200, 96000, 176_400, 192_000].contains(sampleRate) else { return nil }
        // Fast sources travel at the rate of their family.
        let base = sampleRate % 11025 == 0 ? 44100 : sampleRate == 32000 ? 32000 : 48000
        // FF_PROFILE_DTS_HD_HRA and _MA are 50 and 60; their names changed between releases.
        let isHD = codecID == AV_CODEC_ID_DTS && profile >= 50
        switch codecID {
        case AV_CODEC_ID_AC3 where allowed.contains(.ac3): carrier = BurstFormat.carrier(sampleRate, 2)
        case AV_CODEC_ID_EAC3 where allowed.contains(.eac3): carrier = BurstFormat.carrier(base * 4, 2)
        case AV_CODEC_ID_TRUEHD where allowed.contains(.trueHD): carrier = BurstFormat.carrier(base * 4, 8)
        case AV_CODEC_ID_DTS where isHD && allowed.contains(.dtsHD): carrier = BurstFormat.carrier(base * 4, 8)
        case AV_CODEC_ID_DTS where allowed.contains(.dts): carrier = BurstFormat.carrier(base, 2)
        default: return nil
        }
        isDTSHD = isHD && allowed.contains(.dtsHD)
        codec = FFmpegText.string(avcodec_get_name(codecID))
    }

    private static func carrier(_ rate: Int, _ channels: Int) -> AudioFormat {
        var format = AudioFormat(sampleRate: rate, channelCount: channels, sample: .int16)
        format.isBitstream = true
        return format
    }
}
