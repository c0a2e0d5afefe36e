import AetherCore
import AetherFormats
import Testing

@Suite struct WebVTTTests {
    private static let sheet = WebVTTHeader(
        """
        WEBVTT - a title

        STYLE
        ::cue { color: #0f0 }
        ::cue(.loud), ::cue(i) { color: rgb(255, 0, 0) !important; font-weight: bold }
        ::cue(#one b) { color: blue }

        REGION
        id:fred
        width:40%
        lines:3
        regionanchor:0%,100%
        viewportanchor:10%,90%
        scroll:up

        00:01.000 --> 00:02.000
        STYLE is a word here
        """)

    /// The clock of a segment: 33 bits, which some encoders count beyond.
    @Test(
        arguments: [
            ("MPEGTS:900000,LOCAL:00:00:00.000", 0, 900_000), ("LOCAL:01:00:00.500,MPEGTS:0", 3600.5, 0),
            ("LOCAL: 120:00:00.000 , MPEGTS: 8589934593 ", 432_000, 1), ("MPEGTS:-1,LOCAL:00:00:00.000", 0, nil),
            ("MPEGTS:1", 0, nil),
        ] as [(String, Double, Int64?)])
    func clocks(_ line: String, _ local: Double, _ ticks: Int64?) {
        let clock = WebVTTClock(Array("WEBVTT\nX-TIMESTAMP-MAP=\(line)\n\n".utf8))
        #expect(clock?.ticks == ticks && (clock == nil || clock?.local == .seconds(local)))
    }

    /// "[b#255,0,0]" before a run says what it looks like, "[]" that it is plain again.
    private static func text(_ words: String, _ header: WebVTTHeader = WebVTTHeader()) -> String {
        (WebVTTText.body(words, header: header)?.runs ?? []).enumerated().map { index, run in
            let look = [run.isBold ? "b" : "", run.isItalic ? "i" : "", run.isUnderlined ? "u" : ""].joined()
            let color = run.color.map { "#\($0.r),\($0.g),\($0.b)" } ?? ""
            return index == 0 && (look + color).isEmpty ? run.text : "[\(look)\(color)]\(run.text)"
        }.joined()
    }

    @Test(arguments: [
        ("plain\nline", "plain\nline"), ("<v Fred Smith>Hi <b>there</b></v>!", "Hi[b] there[]!"),
        ("<c.yellow.bg_blue>y</c>w", "[#255,255,0]y[]w"), ("<i>a<u>b</u></i>c", "[i]a[iu]b[]c"),
        ("a <00:00:03.500>b", "a b"), ("<ruby>漢<rt>kan</rt>字<rt>ji</ruby>x", "漢字x"), ("1 < 2 &amp; &lt;b&gt;", "1 < 2 & <b>"),
        ("&#8230;&#x2764;&hellip;&nbsp;&unknown; &", "…❤… &unknown; &"), ("&#xD800;x&#27;", "&#xD800;x"), ("a <b", "a"),
        ("a&nbspb&nbspc &eacute;&ampx &notit; &#39x &ltb&gt", "a b c é&x ¬it; 'x <b>"), ("</b>a</i>", "a"),
        ("<i>open\nnext", "[i]open\nnext"), ("\u{1B}[2J\u{202E}x", "[2Jx"),
    ])
    func textsHaveTheirLooks(_ words: String, _ expected: String) {
        #expect(Self.text(words) == expected)
    }

    @Test func theFilesOwnStylesAreFollowed() {
        #expect(Self.text("all", Self.sheet) == "[#0,255,0]all")
        #expect(Self.text("<c.loud>x</c>", Self.sheet) == "[b#255,0,0]x")
        #expect(Self.text("<i>x</i>", Self.sheet) == "[bi#255,0,0]x")
        // A rule that selects by an id is left out.
        #expect(Self.text("<b>x</b>", Self.sheet) == "[b#0,255,0]x")
    }

    private static func cues(_ text: String) -> [String]? {
        WebVTTFile(Array(text.utf8))?.cues.map { cue in
            "\(cue.start.seconds)-\(cue.end.seconds)\(cue.settings.isEmpty ? "" : "[\(cue.settings)]") \(cue.text)"
        }
    }

    @Test(arguments: [
        (
            "00:01.000 --> 00:02.000\na\nb\n\nid\n1:00:00.000 --> 01:00:01.500 line:0\nc",
            ["1.0-2.0 a\nb", "3600.0-3601.5[ line:0] c"]
        ),
        // An identifier that is an arrow is a broken cue, and the times below it begin one.
        ("-->\n00:00.000 --> 00:02.000\na", ["0.0-2.0 a"]),
        // Times end the text above them, with and without spaces around the arrow.
        ("00:00.000 --> 00:02.000\na\n00:02.000-->00:03,500position:10%\nb", ["0.0-2.0 a", "2.0-3.5[position:10%] b"]),
        ("STYLE\n::cue { color: red }\n\nREGION\nid:a\n\nNOTE a\nb\n\n00:01.000 --> 00:02.000\na", ["1.0-2.0 a"]),
        ("00:05.000 --> 00:06.000\nlate\n\n00:01.000 --> 00:02.000\nearly", ["1.0-2.0 early", "5.0-6.0 late"]),
        ("00:01.000 --> 00:01.000\na\n\n00:60.000 --> 00:61.000\nb\n\n00:01. --> 00:02.000\nc\n\nno --> 00:02.000\nd", []),
        ("0:00:03.05 --> 0:00:04.5\na\n\n00:05.123456 --> 00:06,25\nb", ["3.05-4.5 a", "5.123-6.25 b"]),
        ("id\nmore\n00:01.000 --> 00:02.000\na", ["1.0-2.0 a"]), ("", []),
    ])
    func filesAreTakenApartAsTheSpecificationHasIt(_ text: String, _ expected: [String]) {
        #expect(Self.cues("WEBVTT\n\n" + text) == expected)
        #expect(Self.cues("\u{FEFF}WEBVTT\ttitle\nX-Y: z\n\n" + text) == expected)
        #expect(Self.cues("WEBVTT\n\n" + text.replacing("\n", with: "\r\n")) == expected.map { $0.replacing("\r\n", with: "\n") })
        #expect(Self.cues("WEBVTTx\n\n" + text) == nil && Self.cues(text) == nil)
    }

    @Test func timesDirectlyBelowTheFirstLineBeginACue() {
        #expect(Self.cues("WEBVTT\n00:01.000 --> 00:02.000\na") == ["1.0-2.0 a"])
        #expect(Self.cues("WEBVTT") == [])
    }

    @Test func regionsHaveTheirPlace() throws {
        let placement = try #require(WebVTTPlacement.parse("region:fred align:left", header: Self.sheet))
        #expect(placement.alignment == 1)
        let point = try #require(placement.position)
        #expect(abs(point.x - 0.1) < 1e-9 && abs(point.y - 0.9) < 1e-9)
        let middle = try #require(WebVTTPlacement.parse("region:fred", header: Self.sheet)?.position)
        #expect(abs(middle.x - 0.3) < 1e-9)
        #expect(WebVTTPlacement.parse("region:nobody", header: Self.sheet) == nil)
        // A line of its own is outside of regions.
        #expect(WebVTTPlacement.parse("region:fred line:0", header: Self.sheet)?.alignment == 8)
    }

    private static func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        [0, 0, UInt8((8 + body.count) >> 8), UInt8((8 + body.count) & 255)] + Array(name.utf8) + body
    }

    @Test func samplesOfMP4HaveCues() {
        let cue = Self.box(
            "vttc", Self.box("iden", [0x31]) + Self.box("sttg", Array("line:0".utf8)) + Self.box("payl", Array("words".utf8)))
        #expect(WebVTTBoxes.cues(cue + cue)?.map(\.text) == ["words", "words"])
        #expect(WebVTTBoxes.cues(cue)?.first?.settings == "line:0")
        #expect(WebVTTBoxes.cues(Self.box("vtte", [])) == [])
        #expect(WebVTTBoxes.cues(Array("plain words".utf8)) == nil && WebVTTBoxes.cues([]) == nil)
        for count in 0..<cue.count { _ = WebVTTBoxes.cues(Array(cue.prefix(count))) }
    }
}
