import AetherCore
import Testing

@Suite struct StyledLinesTests {
    private static func body(_ parts: [(String, SubtitleTextRun)]) -> SubtitleCue.Body? {
        var lines = StyledLines()
        for (text, look) in parts { for scalar in text.unicodeScalars { lines.append(scalar, look) } }
        return lines.body
    }
    private static func plain(_ text: String) -> String? {
        guard case .text(let text) = body([(text, SubtitleTextRun(""))]) else { return nil }
        return text
    }

    @Test(arguments: [
        ("one", "one"), ("  one \t two  ", "one two"), ("one\ntwo", "one\ntwo"), ("one\r\n\r\n\n two\n", "one\ntwo"),
        ("a\u{2028}b\u{85}c\u{0B}d", "a\nb\nc\nd"), ("a\u{1B}[31mb\u{9B}c\u{202E}d\0", "a[31mbcd"), ("one \n two", "one\ntwo"),
    ])
    func whiteSpaceIsReducedAndControlsAreLeftOut(_ text: String, _ wanted: String) { #expect(Self.plain(text) == wanted) }

    @Test(arguments: ["", " ", "\n \n", "\u{1B}\u{7F}", "\u{FEFF}"])
    func nothingIsNil(_ text: String) { #expect(Self.body([(text, SubtitleTextRun(""))]) == nil) }

    @Test func linesAreBoundedInLengthAndNumber() throws {
        let long = try #require(Self.plain(String(repeating: "x", count: 100_000) + "\nnext"))
        let lines = long.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].count == 501 && lines[0].last == "…" && lines[1] == "next")
        let many = try #require(Self.plain(String(repeating: "line\n", count: 1000)))
        #expect(many.split(separator: "\n").count == 16)
    }

    @Test func itSaysWhenItIsFull() {
        var lines = StyledLines()
        for _ in 0..<15 { for scalar in "x\n".unicodeScalars { lines.append(scalar, SubtitleTextRun("")) } }
        #expect(!lines.isFull)
        for scalar in "x\n".unicodeScalars { lines.append(scalar, SubtitleTextRun("")) }
        #expect(lines.isFull)
    }

    /// A space or a break between two looks belongs to the second; neighbours of one look are one run.
    @Test func looksMakeRuns() throws {
        let bold = SubtitleTextRun("", isBold: true), plain = SubtitleTextRun("")
        guard
            case .richText(let runs) = Self.body([("one ", plain), ("two", bold), ("\n", plain), ("three", bold), ("!", plain)])
        else {
            Issue.record("no rich text")
            return
        }
        #expect(runs.map(\.text) == ["one", " two\nthree", "!"])
        #expect(runs.map(\.isBold) == [false, true, false])
    }
}

/// Generations of the pipeline.
@Suite struct EpochTests {
    @Test func epochsFollowOneAnother() {
        #expect(Epoch() == Epoch(0) && Epoch(3).next == Epoch(4) && Epoch(3) < Epoch(4) && !(Epoch(4) < Epoch(4)))
    }
}
