import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherServe

@Suite struct AudioBridgeTests {
    private static let copied: [(AudioBridge.Audio, Bool)] = [
        (.init(codec: "aac", profile: "LC"), true), (.init(codec: "aac"), true),
        (.init(codec: "aac", profile: "HE-AAC", hasHeader: true), true), (.init(codec: "aac", profile: "HE-AACv2"), false),
        (.init(codec: "ac3", channelCount: 6), true), (.init(codec: "eac3", channelCount: 6), true),
        (.init(codec: "flac", hasHeader: true), true), (.init(codec: "flac"), false),
        (.init(codec: "alac", hasHeader: true), true),
        (.init(codec: "truehd", channelCount: 8), false), (.init(codec: "mlp"), false), (.init(codec: "dts"), false),
        (.init(codec: "mp3"), false), (.init(codec: "mp2"), false), (.init(codec: "opus", hasHeader: true), false),
        (.init(codec: "vorbis", hasHeader: true), false), (.init(codec: "pcm_s16le"), false), (.init(codec: "pcm_alaw"), false),
        (.init(codec: "pcm_mulaw"), false), (.init(codec: "aac_latm", profile: "LC"), false),
    ]

    @Test(arguments: copied)
    func audioIsCopiedWhereClientsTakeIt(_ audio: AudioBridge.Audio, _ isCopied: Bool) {
        #expect(AudioBridge.surroundCompat.codec(for: audio) == (isCopied ? nil : .enhancedAC3))
        #expect(AudioBridge.lossless.codec(for: audio) == (isCopied ? nil : .flac))
        let isBrowsers = audio.codec == "aac" && audio.profile?.hasPrefix("HE") != true
        #expect(AudioBridge.aac.codec(for: audio) == (isBrowsers ? nil : .aac))
    }

    @Test func moreThanTwoChannelsAreNoneForBrowsers() {
        #expect(AudioBridge.aac.codec(for: .init(codec: "aac", profile: "LC", channelCount: 6)) == .aac)
    }

    private static let channels: [(BridgedCodec, Int, Int, Int)] = [
        (.enhancedAC3, 1, 1, 128_000), (.enhancedAC3, 2, 2, 256_000), (.enhancedAC3, 3, 6, 768_000),
        (.enhancedAC3, 8, 6, 768_000),
        (.aac, 1, 2, 192_000), (.aac, 8, 2, 192_000), (.flac, 8, 8, 6_144_000), (.flac, 1, 1, 768_000),
    ]

    @Test(arguments: channels)
    func channelsAndRatesAreThoseOfTheTable(_ codec: BridgedCodec, _ source: Int, _ count: Int, _ rate: Int) {
        #expect(codec.channelCount(of: source) == count && codec.bitRate(channelCount: count) == rate)
    }
}
