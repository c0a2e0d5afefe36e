import AetherCore
import AetherFormats
import Testing

@Suite struct HLSSegmentListTests {
    static func read(_ text: String, address: String = "https://h/a/m.m3u8", variables: [String: String] = [:]) throws
        -> HLSSegmentList
    {
        let address = try #require(StreamAddress(address))
        guard case .segments(let list) = try HLSPlaylist(Array(text.utf8), address: address, variables: variables) else {
            throw StreamFault(.wrongKind)
        }
        return list
    }

    private func line(_ segment: Segment) -> String {
        var words = ["\(segment.number)", "\(segment.start.seconds)", "\(segment.duration.seconds)"]
        words.append(segment.address.text.replacing("https://h/a/", with: ""))
        if let range = segment.range { words.append("\(range.length)@\(range.offset)") }
        if segment.isDiscontinuity { words.append("D\(segment.continuity)") }
        if segment.isGap { words.append("gap") }
        if let rate = segment.bitRate { words.append("\(rate)") }
        if let map = segment.map { words.append("map:" + map.address.text.replacing("https://h/a/", with: "")) }
        if let key = segment.encryption?.key { words.append("key:" + key.text.replacing("https://h/a/", with: "")) }
        return words.joined(separator: " ")
    }

    private func lines(_ text: String) throws -> [String] {
        let list = try Self.read("#EXTM3U\n#EXT-X-TARGETDURATION:10\n" + text)
        return list.segments.numbers.compactMap { list.segments.segment($0) }.map(line)
    }

    /// Tags that only advise, written as none should be: other players play it.
    @Test(
        arguments: [
            ("#EXT-X-TARGETDURATION:0\n", 1, 3.0), ("#EXT-X-TARGETDURATION:4.5s\n", 1, 3), ("#EXT-X-TARGETDURATION:\n", 1, 3),
            ("#EXT-X-TARGETDURATION:\t4\n", 1, 4), ("#EXT-X-VERSION:\n", 1, 3), ("#EXT-X-VERSION:x\n", 1, 3),
            ("#EXT-X-VERSION: 6 \n#EXT-X-TARGETDURATION: 4 \n", 6, 4),
        ] as [(String, Int64, Double)])
    func advice(_ head: String, _ version: Int64, _ target: Double) throws {
        let list = try Self.read("#EXTM3U\n" + head + "#EXTINF:3,\na.ts\n#EXT-X-ENDLIST\n")
        #expect(list.version == version && Double(list.targetDuration) / 1e9 == target)
    }

    /// Lines that end with a return alone, or with both.
    @Test(arguments: ["\r", "\r\n", "\n"]) func lineEnds(_ end: String) throws {
        let text = ["#EXTM3U", "#EXT-X-TARGETDURATION:4", "#EXTINF:\t3,", "a.ts", "#EXTINF:2,", "b.ts", "#EXT-X-ENDLIST"]
        let list = try Self.read(text.joined(separator: end))
        #expect(list.segments.count == 2 && list.isEnded && list.duration.seconds == 5)
    }

    @Test(
        arguments: [
            (
                "#EXTINF:9.009,\na.ts\n#EXTINF:3,title, with comma\nsub/b.ts?x=1\n#EXT-X-ENDLIST",
                ["0 0.0 9.009 a.ts", "1 9.009 3.0 sub/b.ts?x=1"]
            ),
            ("#EXT-X-MEDIA-SEQUENCE:7\r\n#EXTINF:2,\r\na.ts\r\n", ["7 0.0 2.0 a.ts"]),
            ("#EXTINF:1\n\n# remark\n#EXT-X-UNKNOWN:x\na.ts", ["0 0.0 1.0 a.ts"]),
            ("a.ts\n#EXTINF:1,\nb.ts", ["0 0.0 1.0 b.ts"]),
            (
                "#EXTINF:1,\n#EXT-X-BYTERANGE:10@5\na.ts\n#EXTINF:1,\n#EXT-X-BYTERANGE:20\na.ts\n#EXTINF:1,\n#EXT-X-BYTERANGE:30\nb.ts\n"
                    + "#EXTINF:1,\n#EXT-X-BYTERANGE:4\nb.ts\n#EXTINF:1,\nc.ts",
                [
                    "0 0.0 1.0 a.ts 10@5", "1 1.0 1.0 a.ts 20@15", "2 2.0 1.0 b.ts 30@35", "3 3.0 1.0 b.ts 4@65",
                    "4 4.0 1.0 c.ts",
                ]
            ),
            (
                "#EXTINF:1,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nb.ts\n#EXTINF:1,\nc.ts\n#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nd.ts",
                ["0 0.0 1.0 a.ts", "1 1.0 1.0 b.ts D1", "2 2.0 1.0 c.ts", "3 3.0 1.0 d.ts D3"]
            ),
            ("#EXT-X-DISCONTINUITY-SEQUENCE:4\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\na.ts", ["0 0.0 1.0 a.ts D5"]),
            ("#EXT-X-GAP\n#EXTINF:1,\na.ts\n#EXTINF:1,\nb.ts", ["0 0.0 1.0 a.ts gap", "1 1.0 1.0 b.ts"]),
            ("#EXT-X-BITRATE:1200\n#EXTINF:1,\na.ts\n#EXTINF:1,\nb.ts", ["0 0.0 1.0 a.ts 1200000", "1 1.0 1.0 b.ts 1200000"]),
            (
                "#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"100@0\"\n#EXTINF:1,\na.m4s\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nb.m4s\n"
                    + "#EXT-X-MAP:URI=\"j.mp4\"\n#EXTINF:1,\nc.m4s",
                ["0 0.0 1.0 a.m4s map:i.mp4", "1 1.0 1.0 b.m4s D1 map:i.mp4", "2 2.0 1.0 c.m4s map:j.mp4"]
            ),
            (
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k1\"\n#EXTINF:1,\na\n#EXT-X-KEY:METHOD=AES-128,URI=\"k2\"\n#EXTINF:1,\nb\n"
                    + "#EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\nc",
                ["0 0.0 1.0 a key:k1", "1 1.0 1.0 b key:k2", "2 2.0 1.0 c"]
            ),
        ] as [(String, [String])])
    func segments(_ text: String, _ expected: [String]) throws { #expect(try lines(text) == expected) }

    @Test func aMarkOfUTF8AndSpacesAreBorne() throws {
        #expect(try Self.read("\u{FEFF}#EXTM3U\n#EXTINF: 2.5 ,\n  a.ts  \n#EXT-X-ENDLIST").duration == Ticks(5, timescale: 2))
    }

    @Test func decimalsAreSummedExactly() throws {
        let text = "#EXTM3U\n" + String(repeating: "#EXTINF:0.1,\na.ts\n", count: 30_000) + "#EXT-X-ENDLIST\n"
        let list = try Self.read(text)
        #expect(list.duration == Ticks(3000, timescale: 1))
        #expect(list.segments.number(at: Ticks(1, timescale: 10)) == 1)
        #expect(list.segments.number(at: Ticks(99_999_999, timescale: Ticks.nanoseconds)) == 0)
        for number in [0, 1, 17, 29_999] as [Int64] {
            let segment = try #require(list.segments.segment(number))
            #expect(list.segments.number(at: segment.start) == number)
        }
        #expect(list.segments.number(at: Ticks(-1, timescale: 1)) == 0)
        #expect(list.segments.number(at: Ticks(.max, timescale: 1)) == 29_999)
        #expect(list.segments.segment(30_000) == nil && list.segments.segment(-1) == nil)
    }

    @Test(
        arguments: [
            ("#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:1,\na\n#EXT-X-ENDLIST", Presentation.Kind.vod, true, false),
            ("#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:1,\na", .vod, true, true),
            ("#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:1,\na", .event, false, false),
            ("#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:1,\na\n#EXT-X-ENDLIST", .vod, true, false),
            ("#EXTINF:1,\na", .live, false, false), ("#EXTINF:1,\na\n#EXT-X-ENDLIST", .vod, true, false),
            ("#EXT-X-TARGETDURATION:4\n#EXT-X-PLAYLIST-TYPE:EVENT", .event, false, false),
        ] as [(String, Presentation.Kind, Bool, Bool)])
    func kinds(_ text: String, _ kind: Presentation.Kind, _ isEnded: Bool, _ isCutOff: Bool) throws {
        let list = try Self.read("#EXTM3U\n" + text)
        #expect(list.kind == kind)
        #expect(list.isEnded == isEnded)
        #expect(list.isCutOff == isCutOff)
    }

    @Test func vectorsAreWrittenOrTheNumber() throws {
        let list = try Self.read(
            "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:258\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:1,\na\n"
                + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x10ff\n#EXTINF:1,\nb\n")
        let zeros = [UInt8](repeating: 0, count: 14)
        #expect(list.segments.segment(258)?.encryption?.vector(number: 258) == zeros + [1, 2])
        #expect(list.segments.segment(259)?.encryption?.vector(number: 259) == zeros + [0x10, 0xFF])
    }

    @Test(
        arguments: [
            ("METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"", ContentProtection.fairPlay),
            ("METHOD=SAMPLE-AES,URI=\"skd://x\"", .fairPlay),
            ("METHOD=SAMPLE-AES-CTR,URI=\"data:,x\",KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"", .widevine),
            ("METHOD=SAMPLE-AES-CTR,URI=\"data:,x\",KEYFORMAT=\"com.microsoft.playready\"", .playReady),
            ("METHOD=SAMPLE-AES,URI=\"x\",KEYFORMAT=\"org.example\"", .other),
        ] as [(String, ContentProtection)])
    func digitalRightsAreRefused(_ key: String, _ system: ContentProtection) throws {
        let list = try Self.read("#EXTM3U\n#EXT-X-KEY:\(key)\n#EXTINF:1,\na\n#EXT-X-ENDLIST\n")
        #expect(list.protection == system)
        #expect(throws: StreamFault(.protected(system))) { try list.checkPlayable() }
        #expect(
            StreamFault(.protected(system)).description == "the media is protected by \(system.rawValue), which is not supported")
    }

    @Test func aKeyThatIsThereIsTakenFirst() throws {
        let list = try Self.read(
            "#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"
                + "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:1,\na\n#EXT-X-ENDLIST\n")
        try list.checkPlayable()
        #expect(list.protection == nil)
        #expect(list.segments.segment(0)?.encryption?.key?.text == "https://h/a/k")
    }

    @Test(
        arguments: [
            ("2010-02-19T14:54:23.031+08:00", 1_266_562_463_031_000_000), ("2010-02-19T06:54:23.031Z", 1_266_562_463_031_000_000),
            ("2010-02-19T06:54:23.031", 1_266_562_463_031_000_000), ("2010-02-19T02:54:23.031-0400", 1_266_562_463_031_000_000),
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00Z", 951_782_400_000_000_000),
            ("1969-12-31T23:59:59Z", -1_000_000_000),
        ] as [(String, Int64)])
    func datesAreRead(_ text: String, _ expected: Int64) throws {
        let list = try Self.read("#EXTM3U\n#EXT-X-PROGRAM-DATE-TIME:\(text)\n#EXTINF:1.5,\na\n#EXTINF:1,\nb\n")
        #expect(list.segments.segment(0)?.wallClock == expected)
        #expect(list.segments.segment(1)?.wallClock == expected + 1_500_000_000)
        #expect(list.time(ofWallClock: expected + 1_000_000_000) == Ticks(1, timescale: 1))
    }

    @Test func rangesOfDatesAreJoinedByTheirNames() throws {
        let list = try Self.read(
            """
            #EXTM3U
            #EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z
            #EXTINF:10,
            a
            #EXT-X-DATERANGE:ID="ad1",CLASS="com.apple.hls.interstitial",START-DATE="2024-01-01T00:00:04Z",X-ASSET-URI="u",CUE="PRE,ONCE"
            #EXT-X-DATERANGE:ID="ad1",START-DATE="2024-01-01T00:00:04Z",DURATION=2.5,X-NOTE="\u{7}x"
            #EXT-X-DATERANGE:ID="c",START-DATE="2024-01-01T00:00:05Z",END-DATE="2024-01-01T00:00:07Z"
            #EXT-X-ENDLIST
            """)
        let advertisement = try #require(list.dateRanges.first)
        #expect(list.dateRanges.count == 2)
        #expect(advertisement.isInterruption && advertisement.duration == 2_500_000_000 && advertisement.cue == ["PRE", "ONCE"])
        #expect(advertisement.attributes == ["X-ASSET-URI": "u", "X-NOTE": "x"])
        #expect(list.time(ofWallClock: advertisement.start) == Ticks(4, timescale: 1))
        #expect(list.dateRanges[1].duration == 2_000_000_000 && !list.dateRanges[1].isInterruption)
    }

    @Test func partsHintsAndReports() throws {
        let list = try Self.read(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,HOLD-BACK=12,CAN-SKIP-UNTIL=24.0,CAN-SKIP-DATERANGES=YES
            #EXT-X-PART-INF:PART-TARGET=0.33334
            #EXT-X-MEDIA-SEQUENCE:266
            #EXT-X-PART:DURATION=0.33334,URI="f.mp4",BYTERANGE="20@0",INDEPENDENT=YES
            #EXT-X-PART:DURATION=0.33334,URI="f.mp4",BYTERANGE="30"
            #EXTINF:0.66668,
            f.mp4
            #EXT-X-PART:DURATION=0.33334,URI="g.0.mp4",GAP=YES
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="g.1.mp4",BYTERANGE-START=7
            #EXT-X-RENDITION-REPORT:URI="../1M/m.m3u8",LAST-MSN=266,LAST-PART=2
            """)
        let parts = try #require(list.segments.segment(266)?.parts)
        #expect(parts.map { $0.range?.offset } == [0, 20] && parts.map(\.isIndependent) == [true, false])
        #expect(list.trailingParts.map(\.isGap) == [true])
        #expect(list.partTarget == 333_340_000)
        #expect(list.preloadHints.first?.address.text == "https://h/a/g.1.mp4" && list.preloadHints.first?.offset == 7)
        #expect(
            list.renditionReports.first?.address.text == "https://h/1M/m.m3u8" && list.renditionReports.first?.lastNumber == 266)
        #expect(list.serverControl.canBlockReload && list.serverControl.skipsDateRanges)
        #expect(list.serverControl.holdBack == 12_000_000_000 && list.serverControl.partHoldBack == 1_000_000_000)
        #expect(list.serverControl.skipUntil == 24_000_000_000)
    }

    @Test func startAndTiles() throws {
        let list = try Self.read(
            "#EXTM3U\n#EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES\n#EXT-X-IMAGES-ONLY\n#EXTINF:100,\n"
                + "#EXT-X-TILES:RESOLUTION=160x90,LAYOUT=5x4,DURATION=5\nt.jpg\n#EXT-X-ENDLIST\n")
        #expect(list.startPoint == Presentation.StartPoint(offset: Ticks(-25, timescale: 2), isPrecise: true))
        #expect(list.isImagesOnly && list.tiles?.columns == 5 && list.tiles?.rows == 4 && list.tiles?.size?.width == 160)
    }

    @Test func variablesArePutIn() throws {
        let list = try Self.read(
            """
            #EXTM3U
            #EXT-X-DEFINE:NAME="path",VALUE="deep/er"
            #EXT-X-DEFINE:IMPORT="auth"
            #EXT-X-DEFINE:QUERYPARAM="token"
            #EXT-X-MAP:URI="{$path}/i.mp4"
            #EXTINF:1,
            {$path}/a.ts?a={$auth}&t={$token}&b={x}
            #EXT-X-ENDLIST
            """, address: "https://h/a/m.m3u8?token=a%20b", variables: ["auth": "{$path}", "other": "x"])
        let segment = try #require(list.segments.segment(0))
        // Values are not looked through again.
        #expect(segment.address.text == "https://h/a/deep/er/a.ts?a={$path}&t=a b&b={x}")
        #expect(segment.map?.address.text == "https://h/a/deep/er/i.mp4")
    }

    // MARK: - Advice that makes no sense

    /// Marks, moments and starting points are no reason to refuse media.
    @Test func whatOnlyAdvisesRefusesNothing() throws {
        let list = try Self.read(
            """
            #EXTM3U
            #EXT-X-START:TIME-OFFSET=soon
            #EXT-X-MAP
            #EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z
            #EXTINF:1,
            a.ts
            #EXT-X-PROGRAM-DATE-TIME:2024-13-41T00:00:00Z
            #EXT-X-DATERANGE:ID="a"
            #EXT-X-DATERANGE:START-DATE="2024-01-01T00:00:00Z"
            #EXT-X-DATERANGE:ID="b",START-DATE="yesterday",DURATION=1
            #EXT-X-DATERANGE:ID="c",START-DATE="2024-01-01T00:00:01Z",DURATION=-3,PLANNED-DURATION=2
            #EXTINF:1,
            b.ts
            #EXT-X-ENDLIST
            """)
        #expect(list.startPoint == nil && list.segments.count == 2 && list.segments.segment(0)?.map == nil)
        #expect(list.segments.segment(1)?.wallClock == 1_704_067_201_000_000_000, "counted on from the one before")
        #expect(list.dateRanges.map(\.id) == ["c"] && list.dateRanges[0].duration == nil)
        #expect(list.dateRanges[0].plannedDuration == 2_000_000_000)
    }

    @Test func marksBeyondTheLimitAreLeftOut() throws {
        let ranges = (0...10_000).map { "#EXT-X-DATERANGE:ID=\"\($0)\",START-DATE=\"2024-01-01T00:00:00Z\"\n" }.joined()
        #expect(try Self.read("#EXTM3U\n" + ranges + "#EXTINF:1,\na\n").dateRanges.count == 10_000)
    }

    /// Each by the clock that was said last before it, also where clocks run back, and where the first one is later.
    @Test func momentsAreFoundAmongManyClocks() throws {
        var text = "#EXTM3U\n"
        let clocks = [0, 10, 20, 5, 30].map { "2024-01-01T00:00:\($0 < 10 ? "0" : "")\($0)Z" }
        for (number, clock) in clocks.enumerated() { text += "#EXT-X-PROGRAM-DATE-TIME:\(clock)\n#EXTINF:4,\n\(number)\n" }
        let list = try Self.read(text), zero: Int64 = 1_704_067_200
        // By the clocks at 0 s, at 12 s, which says 5, at 4 s, at 8 s, at 16 s, and before all of them.
        for (moment, place) in [(3, 3.0), (7, 14), (12, 6), (25, 13), (31, 17), (-2, -2)] {
            #expect(list.time(ofWallClock: (zero + Int64(moment)) * 1_000_000_000)?.seconds == place, "\(moment)")
        }
    }

    @Test func aRangeEndsWithTheNextOfItsClass() throws {
        let list = try Self.read(
            """
            #EXTM3U
            #EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z
            #EXT-X-DATERANGE:ID="2",CLASS="song",START-DATE="2024-01-01T00:00:05Z",END-ON-NEXT=YES,X-TITLE="Two"
            #EXT-X-DATERANGE:ID="1",CLASS="song",START-DATE="2024-01-01T00:00:02Z",END-ON-NEXT=YES,X-TITLE="One"
            #EXT-X-DATERANGE:ID="3",CLASS="news",START-DATE="2024-01-01T00:00:03Z",X-TITLE="Three"
            #EXTINF:9,
            a.ts
            """)
        #expect(list.marks.map(\.title) == ["Two", "One", "Three"])
        #expect(list.marks.map(\.start.seconds) == [5, 2, 3] && list.marks.map(\.end.seconds) == [5, 5, 3])
    }

    @Test func aListWithoutLengthsHasThatOfItsTarget() throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:0,\na\n#EXTINF:0.0,\nb\n#EXT-X-ENDLIST\n"
        let list = try Self.read(text)
        #expect(list.duration == Ticks(8, timescale: 1) && list.segments.segment(1)?.start == Ticks(4, timescale: 1))
        let some = try Self.read("#EXTM3U\n#EXTINF:0,\na\n#EXTINF:2,\nb\n")
        #expect(some.duration == Ticks(2, timescale: 1), "one of several may be empty")
    }

    /// Packagers repeat the key before each segment; another in between, or a variable, is no repetition.
    @Test func aKeyThatIsRepeatedIsTheSame() throws {
        func key(_ name: String) -> String { "#EXT-X-KEY:METHOD=AES-128,URI=\"\(name)\"\n" }
        let text =
            key("k1") + "#EXTINF:1,\na\n" + key("k1") + "#EXTINF:1,\nb\n" + key("k2") + "#EXTINF:1,\nc\n" + key("k1")
            + "#EXTINF:1,\nd\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\ne\n" + key("k1") + "#EXTINF:1,\nf\n"
        let list = try Self.read("#EXTM3U\n" + text)
        let keys = list.segments.numbers.map { list.segments.segment($0)?.encryption?.key?.lastName }
        #expect(keys == ["k1", "k1", "k2", "k1", nil, "k1"])
        // A list of a day with two keys before each segment.
        let pairs = (0..<40_000).map { key("a\($0)") + key("b\($0)") + "#EXTINF:1,\n\($0)\n" }.joined()
        #expect(try Self.read("#EXTM3U\n" + pairs).segments.segment(39_999)?.encryption?.key?.lastName == "b39999")
    }
}
