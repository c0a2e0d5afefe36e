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
