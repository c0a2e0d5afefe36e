import AetherFormats
import Testing

@Suite struct HLSFaultTests {
    private func fault(_ text: String) -> StreamFault? { fault(Array(text.utf8)) }

    private func fault(_ bytes: [UInt8]) -> StreamFault? {
        guard let address = StreamAddress("https://h/m.m3u8") else { return nil }
        do throws(StreamFault) {
            if case .segments(let list) = try HLSPlaylist(bytes, address: address) { try list.checkPlayable() }
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ("", StreamFault.Kind.empty, "the playlist is empty"), (" \r\n\n", .empty, "the playlist is empty"),
            ("<!DOCTYPE html><html>", .webPage, "this is a web page and no playlist"),
            ("404 not found", .notAPlaylist, "this is not a playlist: it does not begin with #EXTM3U"),
            ("#EXTM3U\n", .nothingToPlay, "the playlist names nothing to play"),
            ("#EXTM3U\na.mp3\n", .nothingToPlay, "the playlist names nothing to play"),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-ENDLIST\n", .nothingToPlay, "the playlist names nothing to play"),
            ("#EXTM3U\n#EXTINF:4,\n", .cutOff, "the playlist is cut off"),
            ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", .cutOff, "the playlist is cut off"),
            ("#EXTM3U\n#EXTINF:-5,\na\n", .number("EXTINF"), "line 2: the number of EXTINF makes no sense"),
            ("#EXTM3U\n#EXTINF:1e309,\na\n", .number("EXTINF"), "line 2: the number of EXTINF makes no sense"),
            ("#EXTM3U\n#EXTINF:nan,\na\n", .number("EXTINF"), "line 2: the number of EXTINF makes no sense"),
            ("#EXTM3U\n#EXTINF:,\na\n", .number("EXTINF"), "line 2: the number of EXTINF makes no sense"),
            ("#EXTM3U\n#EXTINF:99999999999,\na\n", .number("EXTINF"), "line 2: the number of EXTINF makes no sense"),
            ("#EXTM3U\n#EXTINF:8000000000,\na\n", .number("EXTINF"), "line 3: the number of EXTINF makes no sense"),
            (
                "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:9223372036854775808\n#EXTINF:1,\na\n", .number("EXT-X-MEDIA-SEQUENCE"),
                "line 2: the number of EXT-X-MEDIA-SEQUENCE makes no sense"
            ),
            (
                "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:-1\n", .number("EXT-X-MEDIA-SEQUENCE"),
                "line 2: the number of EXT-X-MEDIA-SEQUENCE makes no sense"
            ),
            (
                "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:0@0\na\n", .number("EXT-X-BYTERANGE"),
                "line 4: the number of EXT-X-BYTERANGE makes no sense"
            ),
            (
                "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:4611686018427387904@4611686018427387904\na\n", .number("EXT-X-BYTERANGE"),
                "line 4: the number of EXT-X-BYTERANGE makes no sense"
            ),
            (
                "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128\n#EXTINF:1,\na\n", .attribute(tag: "EXT-X-KEY", name: "URI"),
                "line 2: EXT-X-KEY needs a good URI"
            ),
            (
                "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0xZZ\n#EXTINF:1,\na\n",
                .attribute(tag: "EXT-X-KEY", name: "IV"), "line 2: EXT-X-KEY needs a good IV"
            ),
            (
                "#EXTM3U\n#EXT-X-KEY:METHOD=ROT13,URI=\"k\"\n#EXTINF:1,\na\n", .encryption("ROT13"),
                "line 2: the encryption ‘ROT13’ is not known"
            ),
            (
                "#EXTM3U\n#EXTINF:1,\n{$host}/a\n", .unknownVariable("host"), "line 3: the variable ‘host’ is not defined"
            ),
            (
                "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"x\"\n#EXTINF:1,\na\n", .unknownVariable("x"),
                "line 2: the variable ‘x’ is not defined"
            ),
            (
                "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"2\"\n#EXTINF:1,\na\n",
                .attribute(tag: "EXT-X-DEFINE", name: "NAME"), "line 3: EXT-X-DEFINE needs a good NAME"
            ),
        ] as [(String, StreamFault.Kind, String)])
    func faultsHaveOneSentenceEach(_ text: String, _ kind: StreamFault.Kind, _ sentence: String) {
        let found = fault(text)
        #expect(found?.kind == kind)
        #expect(found?.description == sentence)
    }

    /// As packagers of the field write them: none of these says how something is played.
    @Test(
        arguments: [
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nv\n",
            "#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"n\",URI=\"a\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n",
            "#EXT-X-STREAM-INF:BANDWIDTH=-4\nv\n", "#EXT-X-STREAM-INF:BANDWIDTH=fast,AVERAGE-BANDWIDTH=slow\nv\n",
            "#EXT-X-SESSION-DATA:VALUE=\"1\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n",
            "#EXT-X-SESSION-KEY:METHOD=AES-128\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n",
            "#EXT-X-CONTENT-STEERING:PATHWAY-ID=\"a\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", "#EXT-X-BITRATE:-1\n#EXTINF:1,\na\n",
            "#EXT-X-BITRATE:300.5\n#EXTINF:1,\na\n", "#EXT-X-RENDITION-REPORT:LAST-MSN=1\n#EXTINF:1,\na\n",
            "#EXT-X-PRELOAD-HINT:TYPE=PART\n#EXTINF:1,\na\n", "#EXT-X-PART-INF:PART-TARGET=x\n#EXTINF:1,\na\n",
            "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=NaN,HOLD-BACK=-1\n#EXTINF:1,\na\n", "#EXT-X-TILES:LAYOUT=0x0\n#EXTINF:1,\na\n",
        ])
    func adviceThatMakesNoSenseRefusesNothing(_ lines: String) {
        #expect(fault("#EXTM3U\n" + lines) == nil)
    }

    @Test func anEmptyAddressIsNone() throws {
        let text =
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"\"\n#EXT-X-STREAM-INF:BANDWIDTH=1000.7,AUDIO=\"a\"\nv\n"
        let address = try #require(StreamAddress("https://h/a/m.m3u8"))
        guard case .variants(let list) = try HLSPlaylist(Array("#EXTM3U\n\(text)".utf8), address: address) else {
            Issue.record("no list of variants")
            return
        }
        #expect(list.media.map(\.address) == [nil] && list.variants.map(\.peakBitRate) == [1000])
    }

    @Test func sizesAreBounded() {
        let head = Array("#EXTM3U\n#EXTINF:1,\n".utf8)
        #expect(fault(head + [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20))?.kind == .tooLong)
        #expect(fault(head + Array("#".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20))?.kind == .tooLong)
        #expect(fault([UInt8](repeating: 0x20, count: 33 << 20))?.kind == .tooLarge(limit: 32 << 20))
        let doubling = "#EXT-X-DEFINE:NAME=\"n\",VALUE=\"" + String(repeating: "x", count: 60_000) + "\"\n"
        #expect(fault("#EXTM3U\n" + doubling + "#EXTINF:1,\n{$n}{$n}\n")?.kind == .tooLong)
    }

    @Test func thingsAreCounted() {
        let media = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\"\n"
        #expect(fault("#EXTM3U\n" + String(repeating: media, count: 2001))?.kind == .tooMany("renditions"))
    }

    /// One more than each bound. `END` makes the text a list of segments or of variants.
    @Test(
        arguments: [
            ("#EXT-X-KEY:METHOD=NONE\n#EXT-X-KEY:METHOD=NONE,A=1\n", 1 << 18, "#EXT-X-KEY:METHOD=NONE\n", "keys"),
            ("#EXT-X-MAP:A=1\n", 1 << 19, "#EXT-X-MAP:A=1\n", "init sections"),
            ("#EXT-X-PART:URI=\"p\",DURATION=1\n", 1 << 16, "#EXT-X-PART:URI=\"p\",DURATION=1\n", "parts"),
            ("#EXT-X-RENDITION-REPORT:URI=\"r\"\n", 10_000, "#EXT-X-RENDITION-REPORT:URI=\"r\"\n", "reports"),
        ] as [(String, Int, String, String)])
    func oneMoreThanTheBoundIsRefused(_ line: String, _ count: Int, _ last: String, _ things: String) {
        let start = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n", end = "#EXTINF:1,\na\n"
        let full = start + String(repeating: line, count: count)
        #expect(fault(full + end) == nil)
        #expect(fault(full + last + end)?.kind == .tooMany(things))
    }

    /// The same of what has a name of its own.
    @Test(
        arguments: [
            ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"f%\"\n", 16, "#EXTINF:1,\na\n", "keys"),
            ("#EXT-X-DEFINE:NAME=\"v%\",VALUE=\"1\"\n", 1000, "#EXTINF:1,\na\n", "variables"),
            ("#EXT-X-STREAM-INF:BANDWIDTH=1\nv%\n", 2000, "", "variants"),
            ("#EXT-X-SESSION-DATA:DATA-ID=\"d%\",VALUE=\"1\"\n", 2000, "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", "session data"),
            ("#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k%\"\n", 2000, "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", "keys"),
            ("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i%\"\n", 2000, "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", "variants"),
        ] as [(String, Int, String, String)])
    func oneMoreOfANameIsRefused(_ line: String, _ count: Int, _ end: String, _ things: String) {
        func text(_ count: Int) -> String {
            "#EXTM3U\n" + (0..<count).map { line.replacing("%", with: "\($0)") }.joined() + end
        }
        #expect(fault(text(count))?.kind != .tooMany(things))
        #expect(fault(text(count + 1))?.kind == .tooMany(things))
    }

    @Test func valuesOfVariablesAreBoundedTogether() {
        func text(_ count: Int) -> String {
            let value = String(repeating: "x", count: 60_000)
            return "#EXTM3U\n" + (0..<count).map { "#EXT-X-DEFINE:NAME=\"v\($0)\",VALUE=\"\(value)\"\n" }.joined()
                + "#EXTINF:1,\na\n"
        }
        #expect(fault(text(17)) == nil && fault(text(18))?.kind == .tooMany("variables"))
    }

    @Test func moreSegmentsThanTheLimitAreRefused() {
        let text = "#EXTM3U\n" + String(repeating: "#EXTINF:1\na\n", count: SegmentList.limit + 1)
        #expect(fault(text)?.kind == .tooMany("segments"))
    }

    @Test func strangersWordsAreMadeSafe() {
        let words = StreamFault(.refusedAddress(.scheme), subject: "ftp://name:word@h/\u{1B}[2J?token=abc").description
        #expect(!words.contains("\u{1B}") && !words.contains("word@") && !words.contains("abc"))
        #expect(fault("#EXTM3U\n#EXT-X-KEY:METHOD=\u{1B}c,URI=\"k\"\n#EXTINF:1,\na\n")?.description.contains("\u{1B}") == false)
    }

    @Test func aListOfVariantsWhereSegmentsAreExpectedIsACircle() throws {
        let address = try #require(StreamAddress("https://h/m.m3u8"))
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nm.m3u8\n"
        #expect(throws: StreamFault(.wrongKind)) {
            try HLSPlaylist(Array(text.utf8), address: address).segmentList()
        }
    }
}
