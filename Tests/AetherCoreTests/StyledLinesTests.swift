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

/// One slot between threads.
@Suite struct MailboxTests {
    @Test func aNewerLetterReplacesAnUnreadOne() {
        let box = Mailbox<Int>()
        #expect(box.take() == nil)
        #expect(box.post(1) == nil && box.post(2) == 1)
        #expect(box.take() == 2 && box.take() == nil)
    }

    /// Posted, replaced and taken add up: each of 20,000 letters of four threads is given back once.
    @Test func lettersAreNeitherLostNorDoubled() {
        let box = Mailbox<Int>(), seen = Monitor([Int](repeating: 0, count: 20_000))
        let posters = (0..<4).map { poster in
            WorkerThread(name: "test") {
                for number in 0..<5_000 {
                    if let replaced = box.post(poster * 5_000 + number) { seen.update { $0[replaced] += 1 } }
                    if number % 3 == 0, let taken = box.take() { seen.update { $0[taken] += 1 } }
                }
            }
        }
        for poster in posters { poster.join() }
        if let last = box.take() { seen.update { $0[last] += 1 } }
        #expect(seen.read { $0.allSatisfy { $0 == 1 } })
    }

    @Test func epochsFollowOneAnother() {
        #expect(Epoch() == Epoch(0) && Epoch(3).next == Epoch(4) && Epoch(3) < Epoch(4) && !(Epoch(4) < Epoch(4)))
    }
}
