import AetherFormats
import Testing

@testable import AetherEngine

/// Lists of variants as manifests state them.
enum VariantFixtures {
    static func hls(_ text: String) throws -> [MediaVariant] {
        let address = try #require(StreamAddress("https://h/m.m3u8"))
        guard case .variants(let list) = try HLSPlaylist(Array(text.utf8), address: address) else {
            Issue.record("no list of variants")
            return []
        }
        return Presentation(list).mediaVariants()
    }

    static func dash(_ text: String) throws -> [MediaVariant] {
        let address = try #require(StreamAddress("https://h/m.mpd"))
        return try Presentation(MPDDocument(Array(text.utf8), address: address), now: 0).mediaVariants()
    }

    /// The list that Apple showed when it introduced AVAssetVariant (2021), rebuilt: SDR with stereo, Dolby Vision with Atmos.
    static let talk = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="stereo",NAME="English",LANGUAGE="en",DEFAULT=YES,CHANNELS="2",URI="stereo/en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="stereo",NAME="French",LANGUAGE="fr",CHANNELS="2",URI="stereo/fr.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="atmos",NAME="English",LANGUAGE="en",DEFAULT=YES,CHANNELS="16/JOC",URI="atmos/en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="atmos",NAME="French",LANGUAGE="fr",CHANNELS="16/JOC",URI="atmos/fr.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=14516883,VIDEO-RANGE=SDR,CODECS="avc1.64001f,mp4a.40.5",AUDIO="stereo",FRAME-RATE=23.976,RESOLUTION=1920x1080
        sdr
        #EXT-X-STREAM-INF:BANDWIDTH=34516883,VIDEO-RANGE=PQ,CODECS="dvh1.05.06,ec-3",AUDIO="atmos",FRAME-RATE=23.976,RESOLUTION=3840x1920
        dv

        """

    /// Something for every predicate.
    static let ladder = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en-GB",CHANNELS="2",URI="a/en"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",CHANNELS="6",URI="a/de"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="j",NAME="English",LANGUAGE="en",CHANNELS="16/JOC",URI="j/en"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="l",NAME="English",LANGUAGE="en",CHANNELS="2/-/BINAURAL,DOWNMIX",URI="l/en"
        #EXT-X-STREAM-INF:BANDWIDTH=800000,AVERAGE-BANDWIDTH=600000,CODECS="avc1.4d401e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=24,AUDIO="a"
        360
        #EXT-X-STREAM-INF:BANDWIDTH=2500000,AVERAGE-BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=24,AUDIO="a"
        720
        #EXT-X-STREAM-INF:BANDWIDTH=5000000,CODECS="avc1.64002a,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=59.94,AUDIO="a"
        1080
        #EXT-X-STREAM-INF:BANDWIDTH=4800000,CODECS="hvc1.2.4.L123.B0,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=24,VIDEO-RANGE=PQ,AUDIO="a"
        pq
        #EXT-X-STREAM-INF:BANDWIDTH=16000000,CODECS="hvc1.2.4.L153.B0,ec-3",RESOLUTION=3840x2160,FRAME-RATE=24,VIDEO-RANGE=PQ,AUDIO="j"
        uhd
        #EXT-X-STREAM-INF:BANDWIDTH=6000000,CODECS="hev1.2.4.L123.B0,mp4a.40.2",RESOLUTION=1080x1920,VIDEO-RANGE=HLG,SCORE=2.5,AUDIO="a"
        hlg
        #EXT-X-STREAM-INF:BANDWIDTH=9000000,CODECS="avc1.64001f,alac",RESOLUTION=1280x720,FRAME-RATE=24,AUDIO="l"
        alac
        #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
        audio

        """
}
