import AetherCore
import AetherFormats
import Testing

@Suite struct USFTextTests {
    @Test func tagsBecomeLooksAndPlaces() throws {
        let block =
            "<text alignment=\"TopLeft\">One <b>bold</b> &amp;\n <font color=\"#8000FF00\">green</font><br/>two</text><image>x.png</image><text>three</text>"
        let (body, placement) = try #require(USFText.read(Array(block.utf8)))
        #expect(body.lines == ["One bold & green", "two", "three"])
        #expect(
            body.runs?.prefix(4) == [
                SubtitleTextRun("One"), SubtitleTextRun(" bold", isBold: true), SubtitleTextRun(" &"),
                SubtitleTextRun(" green", color: SubtitleColor(r: 0, g: 255, b: 0)),
            ])
        #expect(placement?.alignment == 7)
    }

    @Test(arguments: [("plain", "plain"), ("<text>a", "a"), ("<text>\u{1B}[2Ja</text>", "[2Ja"), ("</b>x", "x")])
    func brokenBlocksAreReadAsFarAsTheyGo(_ block: String, _ text: String) {
        #expect(USFText.read(Array(block.utf8))?.body.lines == [text])
    }

    @Test func nothingIsNothing() {
        for block in ["", "<text></text>", "<image>a.png</image>", "<"] { #expect(USFText.read(Array(block.utf8)) == nil) }
        let deep = String(repeating: "<b>", count: 100_000) + "x"
        #expect(USFText.read(Array(deep.utf8))?.body.lines == ["x"])
    }
}
