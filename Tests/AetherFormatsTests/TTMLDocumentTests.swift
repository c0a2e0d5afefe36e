import AetherCore
import AetherFormats
import Testing

@Suite struct TTMLDocumentTests {
    private func cues(_ body: String, head: String = "", root: String = "") throws -> [TimedTextCue] {
        let text =
            "<?xml version=\"1.0\"?><!DOCTYPE tt [<!ENTITY a \"b\">]><tt \(root)><head>\(head)</head><body>\(body)</body></tt>"
        return try #require(TTMLDocument(Array(text.utf8))).cues
    }

    @Test(arguments: [
        ("1s", 1.0), ("1.5s", 1.5), ("250ms", 0.25), ("2m", 120), ("1h", 3600), ("50f", 2), ("90000t", 1), ("00:01:02.5", 62.5),
        ("00:00:01:05", 1.2), ("01:00:00", 3600),
    ])
    func readsTimes(_ text: String, _ seconds: Double) throws {
        let cues = try cues(
            "<div><p begin=\"\(text)\" end=\"10h\">x</p></div>", root: "ttp:frameRate=\"25\" ttp:tickRate=\"90000\"")
        #expect(cues.map(\.start) == [.seconds(seconds)])
    }

    @Test func aParagraphWhoseTimesNobodyKnowsIsLeftOut() throws {
        let cues = try cues(
            """
            <div><p begin="00:09.000" end="00:12.000">a</p><p begin="13s" end="x">b</p><p begin="14s" end="15s">c</p>
            <p begin="" dur="2s">d</p></div>
            """)
        #expect(cues.flatMap(\.body.lines) == ["d", "c"] && cues.last?.start == .seconds(14))
    }

    /// A paragraph is walked once for each time at which one of its parts changes: the square of what is in it.
    @Test func aParagraphIsBoundedInTextAndTimes() throws {
        let spans = (0..<400).map {
            "<span begin=\"\($0)s\" end=\"\($0 + 500)s\">\(String(repeating: "word ", count: 200))</span>"
        }
        let cues = try cues("<div><p>\(spans.joined())</p></div>")
        #expect((1...128).contains(cues.count))
        #expect(cues.allSatisfy { $0.body.lines.joined().utf8.count <= 8000 })
    }

    @Test func childrenAreWithinTheirParentsTime() throws {
        let cues = try cues(
            """
            <div begin="10s" end="20s"><p begin="1s" end="30s">a</p><p begin="2s" dur="3s">b &amp; c</p></div>
            <div timeContainer="seq" begin="40s"><p dur="1s">d</p><p begin="1s" dur="2s">e</p></div>
            """)
        #expect(cues.map(\.start) == [.seconds(11), .seconds(12), .seconds(40), .seconds(42)])
        #expect(cues.map(\.end) == [.seconds(20), .seconds(15), .seconds(41), .seconds(44)])
        #expect(cues.flatMap(\.body.lines) == ["a", "b & c", "d", "e"])
    }

    @Test func spansHaveLooksTimesAndBreaks() throws {
        let cues = try cues(
            """
            <div><p begin="0s" end="4s">one
               two<br/>three <span tts:fontStyle="italic" style="y">four</span></p>
            <p begin="5s" end="9s"><span begin="0s">early</span> <span begin="2s">late</span></p></div>
            """, head: "<styling><style xml:id=\"y\" tts:color=\"yellow\" tts:fontWeight=\"bold\"/></styling>")
        #expect(cues.count == 3)
        #expect(cues[0].body.lines == ["one two", "three four"])
        let yellow = SubtitleColor(r: 255, g: 255, b: 0)
        #expect(cues[0].body.runs?.last == SubtitleTextRun(" four", color: yellow, isBold: true, isItalic: true))
        #expect(cues[1].body.lines == ["early"] && cues[1].end == .seconds(7))
        #expect(cues[2].body.lines == ["early late"] && cues[2].start == .seconds(7) && cues[2].end == .seconds(9))
    }

    @Test func regionsPlaceTheirText() throws {
        let cues = try cues(
            "<div><p region=\"top\" begin=\"0s\" end=\"1s\">x</p><p begin=\"2s\" end=\"3s\">y</p></div>",
            head: """
                <layout><region xml:id="top" tts:origin="10% 5%" tts:extent="80% 20%"><style tts:displayAlign="before"/>
                <style tts:textAlign="center"/></region></layout>
                """)
        #expect(cues[0].placement == SubtitleTextPlacement(alignment: 8, position: SubtitlePoint(x: 0.5, y: 0.05)))
        #expect(cues[1].placement == nil)
    }

    /// W3C TTML2, 12.4: what only says something about the document has no part in a sequence, and bare text in one has no time.
    @Test func sequencesCountWhatIsShownOnly() throws {
        let cues = try cues(
            """
            <div timeContainer="seq"><metadata begin="7s"><ttm:desc>x</ttm:desc></metadata>
            <p begin="5s" dur="5s">a</p><p begin="5s" end="10s">b</p></div>
            <div timeContainer="seq" begin="30s" dur="10s"><p dur="20s">c</p><p>never</p></div>
            <div begin="50s"><p timeContainer="seq" dur="9s">never<span dur="2s">d</span>never<span begin="1s" dur="3s">e</span></p></div>
            """)
        #expect(cues.flatMap(\.body.lines) == ["a", "b", "c", "d", "e"])
        #expect(cues.map(\.start) == [.seconds(5), .seconds(15), .seconds(30), .seconds(50), .seconds(53)])
        #expect(cues.map(\.end) == [.seconds(10), .seconds(20), .seconds(40), .seconds(52), .seconds(56)])
    }

    @Test func regionsHaveTheirTimes() throws {
        let cues = try cues(
            "<div region=\"r\"><p begin=\"2s\" end=\"30s\">a</p></div><div><p begin=\"40s\" end=\"41s\">b</p></div>",
            head: "<layout><region xml:id=\"r\" begin=\"5s\" end=\"12s\"/></layout>")
        #expect(cues.map(\.start) == [.seconds(5), .seconds(40)])
        #expect(cues.map(\.end) == [.seconds(12), .seconds(41)])
    }

    /// W3C TTML2, 13.1.2: `set` changes its parent while it is active, of a region as well.
    @Test func whatIsSetHoldsForItsTime() throws {
        let cues = try cues(
            """
            <div><p begin="0s" end="10s"><set tts:color="red" begin="2s" end="4s"/><set tts:visibility="hidden" begin="6s"/>a</p>
            <p begin="20s" end="26s" tts:display="none"><set begin="1s" end="3s" tts:display="auto"/>b</p>
            <p begin="30s" end="36s" region="r">c <span><set tts:display="none" begin="4s"/>d</span></p></div>
            """,
            head: """
                <layout><region xml:id="r" tts:origin="0% 0%" tts:extent="100% 100%"><set begin="32s" tts:displayAlign="after"/>
                </region></layout>
                """)
        let red = SubtitleColor(r: 255, g: 0, b: 0)
        let shown = cues.map { cue in
            "\(cue.start.seconds)-\(cue.end?.seconds ?? -1) \(cue.body.lines[0]) \(cue.body.runs?.first?.color == red) \(cue.placement?.alignment ?? 0)"
        }
        #expect(
            shown == [
                "0.0-2.0 a false 0", "2.0-4.0 a true 0", "4.0-6.0 a false 0", "21.0-23.0 b false 0", "30.0-32.0 c d false 7",
                "32.0-34.0 c d false 1", "34.0-36.0 c false 1",
            ])
    }

    @Test func stylesComeFromRegionsOtherStylesAndTheInitialOne() throws {
        let cues = try cues(
            "<div><p begin=\"0s\" end=\"1s\" region=\"r\">a<span style=\"two\">b</span><span tts:color=\"#00000000\">c</span></p></div>",
            head: """
                <styling><initial tts:fontStyle="italic"/><style xml:id="two" style="one" tts:fontWeight="bold"/>
                <style xml:id="one" style="two" tts:color="lime"/></styling>
                <layout><region xml:id="r" tts:color="red"/></layout>
                """)
        #expect(
            cues.first?.body.runs == [
                SubtitleTextRun("a", color: SubtitleColor(r: 255, g: 0, b: 0), isItalic: true),
                SubtitleTextRun("b", color: SubtitleColor(r: 0, g: 255, b: 0), isBold: true, isItalic: true),
            ])
    }

    @Test func foreignElementsAreLeftOut() throws {
        let cues = try cues(
            "<div xmlns:f=\"http://example.org/other\"><f:p>no</f:p><p begin=\"0s\" end=\"1s\">a<f:b>no</f:b></p></div>")
        #expect(cues.flatMap(\.body.lines) == ["a"])
    }

    @Test func partsOfAParagraphStandInTheirRegions() throws {
        let cues = try cues(
            "<div><p begin=\"0s\" end=\"1s\">no <span region=\"a\">up</span><span region=\"b\">down</span></p></div>",
            head: """
                <layout><region xml:id="a" tts:origin="0% 0%" tts:extent="100% 20%"/>
                <region xml:id="b" tts:position="0% 100%" tts:extent="100% 20%" tts:displayAlign="after"/></layout>
                """)
        #expect(cues.flatMap(\.body.lines) == ["up", "down"])
        #expect(cues.map { $0.placement?.alignment } == [7, 1])
        #expect(cues.last?.placement?.position == SubtitlePoint(x: 0, y: 1))
    }

    @Test(arguments: ["", "<", "<tt", "no xml", "<html><p>x</p></html>", "<!DOCTYPE", "<!--", "<tt a='", "\u{0}"])
    func whatIsNoTTMLIsNone(_ text: String) {
        let count = TTMLDocument(Array(text.utf8))?.cues.count ?? 0
        #expect(count == 0)
    }

    @Test func deepAndEndlessDocumentsAreBounded() throws {
        let deep = String(repeating: "<div>", count: 100_000) + "<p begin=\"0s\" end=\"1s\">x</p>"
        #expect(try cues(deep).isEmpty)
        let many = String(repeating: "<p begin='0s' end='1s'>x</p>", count: 30_000)
        #expect(try cues(many).count == 20_000)
    }

    @Test func breaksOffWhereTheDocumentDoes() throws {
        let document = try #require(TTMLDocument(Array("<tt><body><p begin='0s' end='1s'>a</p><p begin='1s' end='2s'>b".utf8)))
        #expect(document.cues.flatMap(\.body.lines) == ["a"])
    }
}
