import AetherCore
import AetherFormats
import AetherTestSupport
import Testing

@Suite struct LyricsTests {
    private func times(_ text: String) -> [String] {
        Lyrics(text).lines.map { "\($0.time.map { String(Int($0.milliseconds.rounded())) } ?? "-") \($0.text)" }
    }

    @Test(arguments: [
        ("[00:01.50]One\n[00:03]Two", ["1500 One", "3000 Two"]),
        ("[ti:Song]\n[ar: A]\n[length:03:20]\r\n[00:02.5] One\r\n\r\n[01:00.123]Two", ["2500 One", "60123 Two"]),
        ("[00:05.00][00:01.00]Again\n[00:03.00]Between", ["1000 Again", "3000 Between", "5000 Again"]),
        ("[1:02:03.45]Long", ["3723450 Long"]), ("[offset:+500]\n[00:01.00]A\n[00:00.20]B", ["0 B", "500 A"]),
        ("[offset:-500]\n[00:01.00]A", ["1500 A"]), ("[00:01.00]<00:01.00>one <00:01.50>two", ["1000 one two"]),
        ("[00:01.00]1 < 2 and <3> [sic]", ["1000 1 < 2 and <3> [sic]"]), ("[00:01.00]\n[00:02.00]x", ["1000 ", "2000 x"]),
        ("\u{FEFF}[00:01.00]A\nno time", ["1000 A"]),
        ("Plain\n\n[Chorus]\nwords\n\n", ["- Plain", "- ", "- [Chorus]", "- words"]),
        ("", []), ("\n \n", []), ("[00:01", ["- [00:01"]), ("[99999:00.00]x", ["- [99999:00.00]x"]),
        ("[00:61:x]y", ["- [00:61:x]y"]),
        ("[00:01.0000]x", ["- [00:01.0000]x"]), ("[٠٠:٠١.٠٠]x", ["- [٠٠:٠١.٠٠]x"]),
    ])
    func readsWhatPlayersWrite(_ text: String, _ expected: [String]) { #expect(times(text) == expected) }

    @Test func theLineThatIsSung() {
        let lyrics = Lyrics("[00:01.00]A\n[00:02.00]B\n[00:02.00]C\n[00:05.00]D")
        for (time, line, next) in [(0.0, nil, 1.0), (1, 0, 2), (1.9, 0, 2), (2, 2, 5), (4.9, 2, 5), (5, 3, nil), (99, 3, nil)]
            as [(Double, Int?, Double?)]
        {
            #expect(lyrics.current(at: .seconds(time)) == line, "\(time)")
            #expect(lyrics.nextChange(after: .seconds(time)) == next.map { .seconds($0) }, "\(time)")
        }
        #expect(Lyrics("plain").current(at: .seconds(1)) == nil && Lyrics("plain").nextChange(after: .zero) == nil)
    }

    @Test func whatAStrangerWroteIsBoundedAndStripped() {
        let many = Lyrics(String(repeating: "[00:01.00]x\n", count: 50_000))
        #expect(many.lines.count == Lyrics.lineLimit)
        let stacked = Lyrics(String(repeating: "[00:01.00]", count: 100_000) + "x")
        #expect(stacked.lines.count <= 64)
        let long = Lyrics("[00:01.00]" + String(repeating: "y", count: 3_000_000))
        #expect(long.lines.allSatisfy { $0.text.count <= 301 })
        let evil = Lyrics("[00:01.00]a\u{1B}[2Jb\u{202E}c\u{7}")
        #expect(evil.lines.first?.text == "a[2Jbc")
    }

    /// Any bytes give lines in order, each safe to show.
    @Test func anyTextGivesSortedSafeLines() {
        var random = SeededRandom(seed: 7)
        let pieces = ["[", "]", "0", "9", ":", ".", "<", ">", "\n", "a", "[00:01.00]", "[offset:", "\u{1B}", "é", " "]
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<40, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            let lyrics = Lyrics(text)
            let times = lyrics.lines.compactMap(\.time)
            #expect(times == times.sorted() && (times.isEmpty || times.count == lyrics.lines.count))
            #expect(lyrics.lines.allSatisfy { $0.text.unicodeScalars.allSatisfy { !DisplayText.isUnsafe($0) } })
        }
    }
}
