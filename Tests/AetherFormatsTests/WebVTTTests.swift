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
        ("</b>a</i>", "a"), ("<i>open\nnext", "[i]open\nnext"), ("\u{1B}[2J\u{202E}x", "[2Jx"),
    ])
    func textsHaveTheirLooks(_ words: String, _ expected: String) {
        #expect(Self.text(words) == expected)
    }

    @Test func theFilesOwnStylesAreFollowed() {
        #expect(Self.text("all", Self.sheet) == "[#0,255,0]all")
        #expect(Self.text("<c.loud>x</c>", Self.sheet) == "[b#255,0,0]x")
        #expect(Self.text("<i>x</i>", Self.sheet) == "[bi#255,0,0]x")
        // What is chosen by an id is left out.
        #expect(Self.text("<b>x</b>", Self.sheet) == "[b#0,255,0]x")
    }

    @Test func whatStandsBeforeTheCuesIsLeftOut() {
        func bare(_ text: String) -> String { String(decoding: WebVTTHeader.bare(Array(text.utf8)), as: UTF8.self) }
        let cue = "id\n00:01.000 --> 00:02.000\nwords\n\nNOTE x\n"
        #expect(bare("WEBVTT\n\nSTYLE\n::cue { color: red }\n\nNOTE a\n\n" + cue) == "WEBVTT\n\n" + cue)
        #expect(bare("WEBVTT\r\n\r\nREGION\r\nid:a\r\n\r\n" + cue) == "WEBVTT\n\n" + cue)
        for text in ["WEBVTT\n00:01.000 --> 00:02.000\nx", "WEBVTT\n\nSTYLE\n", "1\n00:00:01,000 --> 00:00:02,000\nx", ""] {
            #expect(bare(text) == text)
        }
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
