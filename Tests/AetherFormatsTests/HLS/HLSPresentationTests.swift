import AetherFormats
import Testing

@Suite struct HLSPresentationTests {
    private func list(_ text: String) throws -> HLSVariantList {
        let address = try #require(StreamAddress("https://h/a/master.m3u8"))
        guard case .variants(let list) = try HLSPlaylist(Array(("#EXTM3U\n" + text).utf8), address: address) else {
            throw StreamFault(.wrongKind)
        }
        return list
    }

    /// The example of Apple's session on variants: two sets of audio, and video in SDR and PQ.
    static let sample = """
        #EXT-X-VERSION:6
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="A film"
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steering?v=1",PATHWAY-ID="CDN-A"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="stereo",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="stereo",NAME="Français",LANGUAGE="fr",AUTOSELECT=YES,CHANNELS="2",URI="fr.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="atmos",NAME="English",LANGUAGE="en",DEFAULT=YES,CHANNELS="16/JOC",URI="atmos.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="Signs",LANGUAGE="en",FORCED=YES,CHARACTERISTICS="a.b,c.d",URI="signs.m3u8"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC",LANGUAGE="en",INSTREAM-ID="CC1"
        #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=2000000,BANDWIDTH=3000000,CODECS="avc1.640028,mp4a.40.02",RESOLUTION=1920x1080,FRAME-RATE=23.976,VIDEO-RANGE=SDR,AUDIO="stereo",SUBTITLES="subs",CLOSED-CAPTIONS="cc",SCORE=1.5
        sdr/1080.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=3500000,CODECS="avc1.640028,ec-3",RESOLUTION=1920x1080,FRAME-RATE=23.976,AUDIO="atmos",SUBTITLES="subs",CLOSED-CAPTIONS=NONE
        sdr/1080.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=9000000,CODECS="hvc1.2.4.L153,ec-3",SUPPLEMENTAL-CODECS="dvh1.08.07/db4h",RESOLUTION=3840x2160,FRAME-RATE=60.000,VIDEO-RANGE=PQ,AUDIO="atmos",REQ-VIDEO-LAYOUT="CH-STEREO,CH-MONO",STABLE-VARIANT-ID="v4k"
        hdr/2160.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,RESOLUTION=640x360,CODECS="avc1.64001f",URI="iframes.m3u8"
        #EXT-X-IMAGE-STREAM-INF:BANDWIDTH=9000,RESOLUTION=320x180,CODECS="jpeg",URI="images.m3u8"
        """

    @Test func variantsShareTheirRendition() throws {
        let presentation = Presentation(try list(Self.sample))
        #expect(presentation.variants.map(\.id) == ["sdr/1080.m3u8", "sdr/1080.m3u8#2", "hdr/2160.m3u8"])
        #expect(presentation.variants.map(\.rendition) == ["sdr/1080.m3u8", "sdr/1080.m3u8", "hdr/2160.m3u8"])
        #expect(presentation.variants.map(\.peakBitRate) == [3_000_000, 3_500_000, 9_000_000])
        #expect(presentation.variants[0].averageBitRate == 2_000_000 && presentation.variants[0].score == 1_500_000)
        #expect(presentation.variants[0].frameRate?.millihertz == 23_976)
        #expect(presentation.variants[0].codecs.map(\.text) == ["avc1.640028", "mp4a.40.2"])
        #expect(presentation.variants.map(\.hasNoCaptions) == [false, true, false])
        #expect(presentation.variants[2].requiredLayouts == ["CH-STEREO", "CH-MONO"])
        #expect(presentation.rendition("sdr/1080.m3u8")?.addresses.map(\.text) == ["https://h/a/sdr/1080.m3u8"])
        #expect(presentation.rendition("sdr/1080.m3u8")?.peakBitRate == 3_000_000)
        #expect(presentation.title == "A film" && presentation.isIndependent)
        #expect(presentation.steering?.address.text == "https://h/steering?v=1" && presentation.steering?.pathway == "CDN-A")
    }

    /// The example of RFC 8216, 8.6: two qualities in three angles.
    static let angles = """
        #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="low",NAME="Main",DEFAULT=YES,URI="low/main.m3u8"
        #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="low",NAME="Centerfield",DEFAULT=NO,URI="low/centerfield.m3u8"
        #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="low",NAME="Dugout",DEFAULT=NO,URI="low/dugout.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1280000,RESOLUTION=640x360,VIDEO="low"
        low/main.m3u8
        #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="hi",NAME="Main",DEFAULT=YES
        #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="hi",NAME="Centerfield",DEFAULT=NO,URI="hi/centerfield.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=7680000,RESOLUTION=1280x720,VIDEO="hi"
        hi/main.m3u8
        """

    @Test func camerasAreVariants() throws {
        let presentation = Presentation(try list(Self.angles))
        let words = presentation.variants.map {
            "\($0.id) \($0.rendition) \($0.badges().joined(separator: " ")) \($0.isOtherAngle)"
        }
        #expect(
            words == [
                "low/main.m3u8 low/main.m3u8 360p Main false", "low/centerfield.m3u8 low/centerfield.m3u8 360p Centerfield true",
                "low/dugout.m3u8 low/dugout.m3u8 360p Dugout true", "hi/main.m3u8 hi/main.m3u8 720p Main false",
                "hi/centerfield.m3u8 hi/centerfield.m3u8 720p Centerfield true",
            ])
        for variant in presentation.variants { #expect(presentation.rendition(variant.rendition)?.addresses.count == 1) }
        // An angle for the variant's own segments need not be in the list, and the default may be another one.
        let other = Presentation(
            try list(
                """
                #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="A",URI="a.m3u8"
                #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="B",DEFAULT=YES,URI="b.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO="v"
                own.m3u8
                """))
        #expect(other.variants.map(\.angle) == ["", "A", "B"] && other.variants.map(\.isOtherAngle) == [true, true, false])
        // A group of one angle, that of the variant itself, is no choice.
        let alone = Presentation(
            try list("#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID=\"v\",NAME=\"A\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO=\"v\"\nown.m3u8\n"))
        #expect(alone.variants.map(\.angle) == [nil])
    }

    @Test func groupsAreTracks() throws {
        let groups = Presentation(try list(Self.sample)).periods[0].groups
        let words = groups.map { "\($0.kind.rawValue) \($0.set ?? "-") \($0.label) \($0.language ?? "-") \($0.renditions.count)" }
        #expect(
            words == [
                "video -  - 2", "audio stereo English en 1", "audio stereo Français fr 1", "audio atmos English en 1",
                "text subs Signs en 1", "captions cc CC en 0", "iframes -  - 1", "image -  - 1",
            ])
        #expect(Set(groups.map(\.id)).count == groups.count)
        #expect(groups[1].isDefault && groups[2].isAutoselected && !groups[2].isDefault)
        #expect(groups[3].channels?.isImmersive == true && groups[3].channels?.count == 16)
        #expect(groups[4].isForced && groups[4].characteristics == ["a.b", "c.d"])
        #expect(groups[5].captionChannel == "CC1")
        #expect(groups[3].renditions[0].codecs.map(\.text) == ["ec-3"])
    }

    @Test func badges() throws {
        let presentation = Presentation(try list(Self.sample))
        let groups = presentation.periods[0].groups
        let words = presentation.variants.map { variant in variant.badges(audio: groups.filter { $0.set == variant.audioSet }) }
        #expect(words == [["1080p"], ["1080p", "Atmos"], ["2160p", "Dolby Vision", "60 fps", "Atmos"]])
    }

    @Test func audioInTheVariantsOwnSegmentsIsMuxed() throws {
        let presentation = Presentation(
            try list(
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Main\",DEFAULT=YES\n"
                    + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Other\",URI=\"o.m3u8\"\n"
                    + "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nx\n#EXT-X-STREAM-INF:BANDWIDTH=2\ny\n"))
        #expect(presentation.periods[0].groups.map(\.kind) == [.muxed, .audio, .audio])
        #expect(presentation.periods[0].groups.map(\.renditions.count) == [2, 0, 1])
    }

    @Test func copiesOnOtherServersAreAddressesOfOneRendition() throws {
        let text = """
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="A",NAME="English",LANGUAGE="en",URI="https://a/en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="B",NAME="English",LANGUAGE="en",URI="https://b/en.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="A",PATHWAY-ID="CDN-A"
            https://a/v.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="B",PATHWAY-ID="CDN-B"
            https://b/v.m3u8
            """
        let presentation = Presentation(try list(text))
        #expect(presentation.variants.count == 1 && presentation.variants[0].audioSet == "A")
        #expect(presentation.renditions.map { $0.addresses.map(\.host) } == [["a", "b"], ["a", "b"]])
    }

    @Test func setsOfOtherQualityAreNoCopies() throws {
        let text = """
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="lo",NAME="English",URI="64/en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="English",URI="128/en.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="lo"
            v.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="hi"
            v.m3u8
            """
        let presentation = Presentation(try list(text))
        #expect(presentation.variants.map(\.audioSet) == ["lo", "hi"])
        #expect(presentation.periods[0].groups.map(\.set) == [nil, "lo", "hi"])
    }

    @Test func keysOfTheSessionAnnounceDigitalRights() throws {
        let stream = "#EXT-X-STREAM-INF:BANDWIDTH=1\nx\n"
        let fairPlay = "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"
        let plain = "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n"
        #expect(Presentation(try list(fairPlay + stream)).protection == .fairPlay)
        #expect(Presentation(try list(fairPlay + plain + stream)).protection == nil)
        #expect(Presentation(try list(stream)).protection == nil)
    }

    @Test func theFirstListOfSegmentsSaysHowLongItIs() throws {
        var presentation = Presentation(try list(Self.sample))
        #expect(presentation.kind == nil && presentation.duration == nil)
        presentation.attach(
            try HLSSegmentListTests.read("#EXTM3U\n#EXTINF:4,\na\n#EXTINF:2.5,\nb\n#EXT-X-ENDLIST"), to: "hdr/2160.m3u8")
        #expect(presentation.kind == .vod && presentation.duration == Ticks(13, timescale: 2))
        #expect(presentation.rendition("hdr/2160.m3u8")?.index?.numbers == 0..<2)
    }

    @Test func variablesOfTheListAreHandedOn() throws {
        let text = "#EXT-X-DEFINE:NAME=\"h\",VALUE=\"https://cdn\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{$h}/v.m3u8\n"
        let list = try list(text)
        #expect(list.variables == ["h": "https://cdn"])
        #expect(list.variants[0].address.text == "https://cdn/v.m3u8")
    }

    /// Audio alone may have a size of 0x0; a rate that is no number is none.
    @Test func advisoryAttributesThatMakeNoSenseSayNothing() throws {
        let address = try #require(StreamAddress("https://h/m.m3u8"))
        let text = """
            #EXTM3U
            #EXT-X-START:PRECISE=YES
            #EXT-X-STREAM-INF:BANDWIDTH=80000,RESOLUTION=0x0,FRAME-RATE=fast,AVERAGE-BANDWIDTH=-1,SCORE=best,CODECS="mp4a.40.2"
            a.m3u8

            """
        guard case .variants(let list) = try HLSPlaylist(Array(text.utf8), address: address) else {
            throw StreamFault(.wrongKind)
        }
        #expect(list.variants.count == 1 && list.startPoint == nil)
        #expect(list.variants[0].size == nil && list.variants[0].frameRate == nil && list.variants[0].score == nil)
    }
}
