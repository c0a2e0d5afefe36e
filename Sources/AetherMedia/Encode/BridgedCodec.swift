import CFFmpeg

/// A codec that audio is made into for clients that cannot take its own.
public enum BridgedCodec: String, Sendable, CaseIterable {
    /// E-AC-3.
    case enhancedAC3
    /// FLAC.
    case flac
    /// AAC-LC.
    case aac

    /// The usual name.
    public var name: String {
        switch self {
        case .enhancedAC3: "E-AC-3"
        case .flac: "FLAC"
        case .aac: "AAC"
        }
    }

    var id: AVCodecID {
        switch self {
        case .enhancedAC3: AV_CODEC_ID_EAC3
        case .flac: AV_CODEC_ID_FLAC
        case .aac: AV_CODEC_ID_AAC
        }
    }

    /// The channels that come of so many: mono, stereo, 5.1, and for FLAC 7.1.
    public func channelCount(of count: Int) -> Int {
        switch self {
        case .aac: 2
        case .enhancedAC3: count <= 1 ? 1 : count == 2 ? 2 : 6
        case .flac: min(8, max(1, count))
        }
    }

    /// The rate nearest to one that it can have. E-AC-3 knows three; FLAC in MP4 states what 16 bits hold and a little more.
    public func sampleRate(of rate: Int) -> Int {
        switch self {
        case .enhancedAC3: [32_000, 44_100, 48_000].contains(rate) ? rate : 48_000
        case .aac: [32_000, 44_100, 48_000].contains(rate) ? rate : rate % 11_025 == 0 ? 44_100 : 48_000
        case .flac: (8000...192_000).contains(rate) ? rate : 48_000
        }
    }

    /// Bits a second for so many channels; of FLAC what to expect, for it takes what it needs.
    public func bitRate(channelCount: Int, sampleRate: Int = 48_000) -> Int {
        switch self {
        case .enhancedAC3: 128_000 * channelCount
        case .aac: 96_000 * channelCount
        case .flac: sampleRate * channelCount * 16
        }
    }
}
