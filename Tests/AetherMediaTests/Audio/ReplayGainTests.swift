import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherMedia

@Suite struct ReplayGainTests {
    @Test(
        arguments: [
            ("-6.02 dB", nil, 0.5), ("+6.02 dB", nil, 2), ("6.02dB", "0.25", 2), ("+6.02 dB", "0.8", 1.25), ("+3 dB", "1.2", 1),
            ("-6.02", "2.0", 0.5), ("nan", nil, 1), ("1e9 dB", nil, 1.122), ("-52 dB", nil, 1), ("", nil, 1), ("dB", nil, 1),
            ("+40 dB", nil, 8),
        ] as [(String, String?, Double)])
    func gainsAndPeaks(_ gain: String, _ peak: String?, _ factor: Double) {
        var tags: [(key: String, value: String)] = [("REPLAYGAIN_TRACK_GAIN", gain)]
        if let peak { tags.append(("replaygain_track_peak", peak)) }
        #expect(abs(ReplayGain(tags: tags).factor(.track) - factor) < 0.002)
        #expect(ReplayGain(tags: tags).factor(.off) == 1)
    }

    @Test func opusTagsCountTowardsMinus23() {
        // −5 dB towards −23 LUFS is 0 dB towards −18.
        let gain = ReplayGain(tags: [("R128_TRACK_GAIN", "-1280"), ("R128_ALBUM_GAIN", "256")])
        #expect(gain.track == .init(decibels: 0) && gain.album == .init(decibels: 6))
        #expect(ReplayGain(tags: [("R128_TRACK_GAIN", "99999")]) == ReplayGain())
    }

    @Test func theOneStandsInForTheOther() {
        let onlyTrack = ReplayGain(track: .init(decibels: -20))
        #expect(abs(onlyTrack.factor(.album) - 0.1) < 1e-9)
        #expect(abs(ReplayGain(album: .init(decibels: -20)).factor(.track) - 0.1) < 1e-9)
        let both = ReplayGain(track: .init(decibels: -20), album: .init(decibels: -40))
        #expect(abs(both.factor(.album) - 0.01) < 1e-9)
    }

    @Test(arguments: ["flac", "mp3", "opus", "mka", "m4a"]) func isReadFromFiles(_ ext: String) throws {
        let opus = ext == "opus"
        let tags = opus ? ["-metadata", "R128_TRACK_GAIN=-2816"] : ["-metadata", "REPLAYGAIN_TRACK_GAIN=-6.00 dB"]
        let codec = ["flac": "flac", "mp3": "libmp3lame", "opus": "libopus", "mka": "flac", "m4a": "alac"][ext] ?? ""
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "sine=d=0.5:r=48000"] + tags + ["-c:a", codec]
                + (ext == "m4a" ? ["-movflags", "use_metadata_tags"] : []), ext: ext)
        let reader = try #require(try MediaLocation.file(path).openReader())
        let demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
        let gain = try #require(demuxer.info.decodable(.audio).first).replayGain
        #expect(abs((gain.track?.decibels ?? 0) + 6) < 0.01)
    }
}
