import AetherCore
import AetherFormats
import Testing

@Suite struct ManifestReportTests {
    private func report() throws -> ManifestReport {
        let address = try #require(StreamAddress("https://h/a/m.m3u8"))
        guard
            case .variants(let list) = try HLSPlaylist(Array(("#EXTM3U\n" + HLSPresentationTests.sample).utf8), address: address)
        else {
            throw StreamFault(.wrongKind)
        }
        var presentation = Presentation(list)
        let segments = try HLSSegmentListTests.read(
            """
            #EXTM3U
            #EXT-X-MEDIA-SEQUENCE:3
            #EXT-X-MAP:URI="i.mp4",BYTERANGE="9@1"
            #EXTINF:9.009,
            #EXT-X-BYTERANGE:100@10
            all.mp4
            #EXT-X-DISCONTINUITY
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXT-X-GAP
            #EXTINF:1,
            b.mp4
            #EXT-X-ENDLIST
            """)
        presentation.attach(segments, to: "hdr/2160.m3u8")
        return ManifestReport(presentation)
    }

    @Test func json() throws {
        let json = try report().json
        #expect(json["kind"]?.text == "vod" && json["duration"]?.number == 10.009 && json["title"]?.text == "A film")
        let variants = try #require(json["variants"]?.values)
        #expect(variants.map { $0["peakBitRate"]?.integer } == [3_000_000, 3_500_000, 9_000_000])
        #expect(variants.map { $0["height"]?.integer } == [1080, 1080, 2160])
        #expect(variants.map { $0["frameRate"]?.number } == [23.976, 23.976, 60])
        #expect(variants.map { $0["videoRange"]?.text } == ["SDR", nil, "PQ"])
        #expect(variants.map { $0["audioGroup"]?.text } == ["stereo", "atmos", "atmos"])
        #expect(variants.map { $0["textGroup"]?.text } == ["subs", "subs", nil])
        let groups = try #require(json["groups"]?.values)
        #expect(groups.count == 8 && groups[3]["channels"]?.integer == 16 && groups[3]["isImmersive"]?.flag == true)
        let rendition = try #require(json["renditions"]?.values?.first { $0["id"]?.text == "hdr/2160.m3u8" })
        let segments = try #require(rendition["segments"]?.values)
        #expect(segments.map { $0["start"]?.number } == [0, 9.009] && segments.map { $0["duration"]?.number } == [9.009, 1])
        #expect(segments[0]["url"]?.text == "https://h/a/all.mp4")
        #expect(segments[0]["offset"]?.integer == 10 && segments[0]["length"]?.integer == 100)
        #expect(segments[0]["map"]?["url"]?.text == "https://h/a/i.mp4" && segments[0]["key"] == .null)
        #expect(segments[1]["key"]?["iv"]?.text == String(repeating: "0", count: 31) + "4")
        #expect(segments.map { $0["discontinuity"]?.integer } == [0, 1] && segments.map { $0["isGap"]?.flag } == [false, true])
        #expect(json["renditions"]?.values?.first?["segments"] == .null, "not read")
    }

    @Test func camerasAndLanguagesThatBelongToTracks() throws {
        let address = try #require(StreamAddress("https://h/a/m.m3u8"))
        let text =
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"N\",LANGUAGE=\"no\",ASSOC-LANGUAGE=\"da\",URI=\"n\"\n"
            + HLSPresentationTests.angles
        guard case .variants(let list) = try HLSPlaylist(Array(text.utf8), address: address) else {
            throw StreamFault(.wrongKind)
        }
        let report = ManifestReport(Presentation(list)), json = report.json
        #expect(json["variants"]?.values?.map { $0["angle"]?.text } == ["Main", "Centerfield", "Dugout", "Main", "Centerfield"])
        #expect(json["variants"]?.values?.map { $0["videoGroup"]?.text } == ["low", "low", "low", "hi", "hi"])
        let track = json["groups"]?.values?.first { $0["kind"]?.text == "audio" }
        #expect(track?["associatedLanguage"]?.text == "da")
        #expect(report.text.contains("audio  ‘a’  no  (with da)  N") && report.text.contains("360p Dugout  video ‘low’"))
    }

    @Test func text() throws {
        let lines = try report().text.split(separator: "\n")
        #expect(lines.first == "vod  10.009 s  ‘A film’")
        #expect(
            lines.contains {
                $0.hasPrefix("variant    9000 kbit/s  3840x2160  hvc1.2.4.L153,ec-3  2160p Dolby Vision 60 fps Atmos")
            })
        #expect(lines.contains("rendition  hdr/2160.m3u8  2 segments from 3, 0.0 to 10.009 s"))
    }
}
