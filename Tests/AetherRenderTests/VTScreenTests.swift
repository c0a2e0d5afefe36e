import AetherCore
import AetherTestSupport
import Testing

/// The judge is judged: the terminal model against sequences whose effect is known.
@Suite struct VTScreenTests {
    private func screen(_ text: String, columns: Int = 10, rows: Int = 3) -> VTScreen {
        var screen = VTScreen(columns: columns, rows: rows)
        screen.feed(Array(text.utf8))
        return screen
    }

    @Test(arguments: [
        ("ab\u{1B}[2;3Hc", "ab\n  c\n"), ("\u{1B}[H\u{1B}[2Bx\u{1B}[Ay\u{1B}[Dz", "\n z\nx"),
        ("x\u{1B}[5Gy\u{1B}[3dz", "x   y\n\n     z"),
        ("abc\rX\nY", "Xbc\n Y\n"), ("abcdef\u{1B}[3G\u{1B}[K", "ab\n\n"), ("abc\u{1B}[2J", "\n\n"),
        ("1\r\n2\r\n3\r\n4", "2\n3\n4"),
        ("0123456789ab", "0123456789\nab\n"), ("\u{1B}[?7l0123456789ab", "012345678b\n\n"), ("中文\u{1B}[2Gx", " x文\n\n"),
        ("a\u{1B}]0;title\u{7}b\u{1B}P+q\u{1B}\\c\u{1B}_Gi=1\u{1B}\\d", "abcd\n\n"), ("\u{1B}[;4Hx", "   x\n\n"),
    ])
    func paintsWhatATerminalPaints(bytes: String, text: String) {
        let result = screen(bytes)
        #expect(result.text == text)
        #expect(result.unknown.isEmpty)
    }

    @Test(arguments: [
        ("31", CellColor.indexed(1)), ("97", .indexed(15)), ("38;5;200", .indexed(200)), ("38;2;1;2;3", .rgb(1, 2, 3)),
        ("38:2:1:2:3", .rgb(1, 2, 3)), ("38:2::1:2:3", .rgb(1, 2, 3)), ("38:5:7", .indexed(7)), ("31;39", .terminalDefault),
        ("31;0", .terminalDefault),
    ])
    func readsForegrounds(parameters: String, colour: CellColor) {
        let result = screen("\u{1B}[\(parameters)mx")
        #expect(result[0, 0].foreground == colour && result.unknown.isEmpty)
        let behind = parameters.replacing("38", with: "48").replacing("31", with: "41")
            .replacing("97", with: "107").replacing("39", with: "49")
        #expect(screen("\u{1B}[\(behind)mx")[0, 0].background == colour)
    }

    @Test func keepsTheModesAndRestoresTheScreen() {
        var result = screen("hello\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2026h\u{1B}[?1003;1006h\u{1B}[Hother")
        #expect(result.text == "other\n\n" && result.isOn(1049) && !result.isOn(25) && result.isOn(2026))
        #expect(result.isOn(1003) && result.isOn(1006))
        result.feed(Array("\u{1B}[?1003;1006l\u{1B}[?2026l\u{1B}[?25h\u{1B}[?1049l!".utf8))
        #expect(result.text == "hello!\n\n" && !result.isOn(1049) && result.isOn(25) && result.modes[1006] == false)
    }

    @Test func saysWhatItDoesNotKnow() {
        for bytes in ["\u{1B}[5y", "\u{1B}[99m", "\u{1B}[38;2;1;2m", "\u{1}", "\u{1B}%Q", "\u{1B}[38;5;300m", "\u{85}"] {
            #expect(screen(bytes).unknown.count == 1, "\(visible(Array(bytes.utf8)))")
        }
        var cut = VTScreen(columns: 4, rows: 1)
        cut.feed([0xE4, 0xB8])
        #expect(cut.isInsideSequence)
        cut.feed([0xAD])
        #expect(!cut.isInsideSequence && cut.rows == ["中  "])
    }

    @Test func decodesHalfBlocks() {
        let image = screen("\u{1B}[38;2;1;2;3;48;2;4;5;6m▀▄█ x", columns: 5, rows: 1).pixels()
        let fore = RasterImage.rgb(1, 2, 3), back = RasterImage.rgb(4, 5, 6)
        #expect(image.pixels == [fore, back, fore, back, back, back, fore, fore, back, back])
    }
}
