import AetherCore
import Testing

@testable import AetherEngine

/// Objects of Dolby Atmos: kept by a bitstream, folded by a decoder, and said once.
@Suite struct AtmosOutcomeTests {
    private static func track(_ index: Int, isAtmos: Bool) -> TrackInfo {
        TrackInfo(id: TrackID(.container, index), kind: .audio, codec: "eac3", channels: 6, isAtmos: isAtmos)
    }

    @Test func eachTrackAndOutcomeIsSaidOnce() {
        var news = AtmosNews()
        let objects = Self.track(1, isAtmos: true), other = Self.track(2, isAtmos: true), plain = Self.track(3, isAtmos: false)
        #expect(news.line(plain, isBitstream: false) == nil && news.line(nil, isBitstream: true) == nil)
        let downgrade = news.line(objects, isBitstream: false)
        #expect(downgrade?.level == .warning)
        #expect(downgrade?.text.hasPrefix("WARNING: Atmos downgrade: eac3 is decoded to 6 channels") == true)
        #expect(downgrade?.text.hasSuffix("--passthrough eac3") == true)
        // After a seek.
        #expect(news.line(objects, isBitstream: false) == nil)
        let copy = news.line(objects, isBitstream: true)
        #expect(copy?.level == .info && copy?.text.hasPrefix("stream-copy engaged: eac3") == true)
        #expect(news.line(other, isBitstream: true) != nil && news.line(objects, isBitstream: true) != nil)
    }

    @Test(
        arguments: [
            (1, "hdmi", true, AtmosOutcome.passedThrough), (1, "default", false, .folded), (1, nil, false, nil),
            (3, "default", false, nil),
            (9, "default", false, nil),
        ] as [(Int, String?, Bool, AtmosOutcome?)])
    func theSnapshotSaysIt(_ active: Int, _ device: String?, _ isBitstream: Bool, _ outcome: AtmosOutcome?) {
        var snapshot = EngineSnapshot()
        snapshot.audioTracks = [Self.track(1, isAtmos: true), Self.track(3, isAtmos: false)]
        snapshot.activeAudioTrack = TrackID(.container, active)
        #expect(snapshot.atmosOutcome == nil, "no device was opened yet")
        snapshot.audioOutputRoute = AudioOutputRoute(
            kind: isBitstream ? .passthrough(codec: "eac3") : .pcm, device: device,
            format: AudioFormat(sampleRate: 48000, channelCount: 2),
            sourceChannels: AudioChannel.usual(6))
        #expect(snapshot.atmosOutcome == outcome)
    }
}
