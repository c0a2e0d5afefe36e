import AetherCore
import AetherTerminal
import Testing

/// The events of a text in which `^[` stands for ESC, given whole, byte by byte, and in pieces of 3: all must agree.
private func events(_ text: String, cursorReports: Int = 0, resolve: Bool = false) -> [InputEvent] {
    let bytes = escaped(text)
    let results = [bytes.count, 1, 3].map { size -> [InputEvent] in
        var decoder = InputDecoder()
        decoder.expectedCursorReports = cursorReports
        var found: [InputEvent] = []
        for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
            found += decoder.decode(bytes[start..<min(bytes.count, start + size)])
        }
        if resolve { found += decoder.resolve() }
        return found
    }
    #expect(results[0] == results[1], "byte by byte: \(text)")
    #expect(results[0] == results[2], "in threes: \(text)")
    return results[0]
}

/// The bytes of a text in which `^[` stands for ESC.
func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == 0x5E, rest.first == 0x5B {
            rest.removeFirst()
            bytes.append(0x1B)
        } else {
            bytes.append(byte)
        }
    }
    return bytes
}

private func key(_ key: Key, _ modifiers: KeyModifiers = []) -> InputEvent { .key(KeyEvent(key, modifiers)) }
private func char(_ character: Character, _ modifiers: KeyModifiers = []) -> InputEvent { key(.character(character), modifiers) }

struct InputDecoderTests {
    @Test(arguments: [
        ("a", [char("a")]), ("A?", [char("A"), char("?")]), (" ", [char(" ")]),
        ("é", [char("é")]), ("→", [char("→")]), ("😀", [char("😀")]),
        ("\r", [key(.enter)]), ("\n", [key(.enter)]), ("\t", [key(.tab)]),
        ("\u{7F}", [key(.backspace)]), ("\u{8}", [key(.backspace)]),
        ("\u{1}", [char("a", .control)]), ("\u{0}", [char(" ", .control)]), ("\u{1F}", [char("_", .control)]),
        ("^[a", [char("a", .alt)]), ("^[é", [char("é", .alt)]), ("^[\r", [key(.enter, .alt)]),
        ("^[\u{1}", [char("a", [.alt, .control])]),
    ])
    func readsCharactersAndControlBytes(_ text: String, _ expected: [InputEvent]) {
        #expect(events(text) == expected)
    }

    @Test(arguments: [
        // xterm, cursor and application mode
        ("^[[A", key(.up)), ("^[OA", key(.up)), ("^[[D", key(.left)), ("^[OC", key(.right)),
        ("^[[H", key(.home)), ("^[OF", key(.end)), ("^[[1~", key(.home)), ("^[[8~", key(.end)),
        ("^[[2~", key(.insert)), ("^[[3~", key(.delete)), ("^[[5~", key(.pageUp)), ("^[[6~", key(.pageDown)),
        ("^[OP", key(.function(1))), ("^[OS", key(.function(4))), ("^[[15~", key(.function(5))), ("^[[24~", key(.function(12))),
        ("^[[1;2C", key(.right, .shift)), ("^[[1;5D", key(.left, .control)), ("^[[1;8A", key(.up, [.shift, .alt, .control])),
        ("^[[5;3~", key(.pageUp, .alt)), ("^[[1;2P", key(.function(1), .shift)), ("^[[Z", key(.tab, .shift)),
        ("^[[1;2R", key(.function(3), .shift)), ("^[O5P", key(.function(1), .control)),
        // Linux console
        ("^[[[A", key(.function(1))), ("^[[[E", key(.function(5))),
        // rxvt
        ("^[[c", key(.right, .shift)), ("^[[d", key(.left, .shift)), ("^[Oa", key(.up, .control)),
        ("^[[3$", key(.delete, .shift)), ("^[[7^", key(.home, .control)), ("^[[6@", key(.pageDown, [.shift, .control])),
        ("^[^[[A", key(.up, .alt)),
        // modifyOtherKeys
        ("^[[27;5;46~", char(".", .control)), ("^[[27;2;65~", char("A")), ("^[[27;6;13~", key(.enter, [.shift, .control])),
        // kitty
        ("^[[97u", char("a")), ("^[[97;2u", char("A")), ("^[[49:33;2u", char("!")), ("^[[27u", key(.escape)),
        ("^[[106;5u", char("j", .control)), ("^[[57419u", key(.up)), ("^[[57399u", char("0")), ("^[[13;2u", key(.enter, .shift)),
        ("^[[97;1:1u", char("a")), ("^[[1;1:2A", key(.up)), ("^[[57376u", key(.function(13))),
        // keypad
        ("^[OM", key(.enter)), ("^[Oj", char("*")), ("^[Op", char("0")), ("^[Oy", char("9")),
    ])
    func readsKeySequences(_ text: String, _ expected: InputEvent) {
        #expect(events(text) == [expected])
        #expect(events(text + "q") == [expected, char("q")])
    }

    @Test(arguments: [
        "^[[97;1:3u", "^[[1;1:3A", "^[[57428u", "^[[99~", "^[[?999z", "^[[>1;2;3m", "^[[1;2;3", "^[[57450u",
        "^[]0;title\u{7}", "^[]52;c;AAAA^[\\", "^[P+r544e=41^[\\", "^[^secret^[\\", "^[Xsos^[\\", "^[_Zzz^[\\", "^[\\",
        "^[[M !!", "^[[1n", "^[[?1;2", "^[[201~", "^[[1;99999999999999999999999z",
    ])
    func neverTurnsUnknownSequencesIntoKeys(_ text: String) {
        #expect(events(text, resolve: true) == [])
    }

    @Test func resolvesALoneEscapeOnlyWhenTimeIsUp() {
        var decoder = InputDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.patience == .milliseconds(40))
        #expect(decoder.resolve() == [key(.escape)])
        #expect(decoder.patience == nil)
        #expect(decoder.decode([0x5B, 0x41]) == [char("["), char("A")])
    }

    @Test(arguments: [
        ("^[", [key(.escape)]), ("^[^[", [key(.escape), key(.escape)]), ("^[[", [char("[", .alt)]), ("^[O", [char("O", .alt)]),
        ("^[]", [char("]", .alt)]), ("^[P", [char("P", .alt)]), ("^[^[[", [key(.escape), char("[", .alt)]),
        ("^[[1;2", []), ("^[]11;rgb", []), ("^[_Gi=31", []), ("\u{1}", [char("a", .control)]),
    ])
    func resolvesWhatIsIncomplete(_ text: String, _ expected: [InputEvent]) {
        #expect(events(text, resolve: true) == expected)
    }

    /// The bytes of each read, with a pause behind each.
    @Test(arguments: [
        (["^[", "q"], [key(.escape), char("q")]), (["^[q"], [char("q", .alt)]), (["^[", "é"], [key(.escape), char("é")]),
        (["^[", "^[[A"], [key(.escape), key(.up)]), (["^[", "^[", "x"], [key(.escape), key(.escape), char("x")]),
        // Links cut where they like: what begins a sequence goes on with it.
        (["^[", "[A"], [key(.up)]), (["^[[", "A"], [key(.up)]), (["^[", "OP"], [key(.function(1))]),
        (["^[^[", "[A"], [key(.up, .alt)]),
        (["^[", "[0n"], [.reply(.status(true))]),
    ])
    func anEscapeThatCameAloneIsNoAlt(_ reads: [String], _ expected: [InputEvent]) {
        var decoder = InputDecoder()
        var found: [InputEvent] = []
        for read in reads {
            found += decoder.decode(escaped(read))
            decoder.pause()
        }
        #expect(found == expected)
    }

    @Test func anIntroducerBehindALoneEscapeIsALetterOnceItsTimeIsUp() {
        var decoder = InputDecoder()
        var found = decoder.decode([0x1B])
        decoder.pause()
        found += decoder.decode(Array("P".utf8))
        #expect(decoder.patience == .milliseconds(40))
        found += decoder.resolve()
        #expect(found == [key(.escape), char("P")])
    }

    /// kitty's keyboard protocol, flags 1 and 4.
    @Test(arguments: [
        ("^[[27u", key(.escape)), ("^[[27;129u", key(.escape)), ("^[[99;5u", char("c", .control)),
        // The key of C on a Russian keyboard.
        ("^[[1089::99;5u", char("c", .control)), ("^[[113;3u", char("q", .alt)), ("^[[57414u", key(.enter)),
        ("^[[101:69;4u", char("E", .alt)),
    ])
    func readsTheKeyboardProtocol(_ text: String, _ expected: InputEvent) {
        #expect(events(text) == [expected])
    }

    @Test func keysOfTheWindowManagerAreNotOurs() {
        #expect(events("^[[113;9u") == [] && events("^[[1;9A") == [])
        #expect(events("^[[?5u") == [.reply(.keyboard(flags: 5))])
    }

    @Test func keepsTheEscapeKeyThatWasPressedJustBeforeAReply() {
        #expect(events("^[^[[?62;c") == [key(.escape), .reply(.deviceAttributes([62, 0]))])
        #expect(events("^[^[P>|foot(1.13.1)^[\\") == [key(.escape), .reply(.version("foot(1.13.1)"))])
    }

    @Test(arguments: [
        ("^[[<0;1;1M", MouseEvent(.press, .left, x: 0, y: 0)), ("^[[<0;80;24m", MouseEvent(.release, .left, x: 79, y: 23)),
        ("^[[<2;5;6M", MouseEvent(.press, .right, x: 4, y: 5)), ("^[[<32;5;6M", MouseEvent(.drag, .left, x: 4, y: 5)),
        ("^[[<35;5;6M", MouseEvent(.move, x: 4, y: 5)), ("^[[<64;5;6M", MouseEvent(.scrollUp, x: 4, y: 5)),
        ("^[[<65;5;6M", MouseEvent(.scrollDown, x: 4, y: 5)),
        ("^[[<20;5;6M", MouseEvent(.press, .left, x: 4, y: 5, [.shift, .control])),
        ("^[[<0;0;99999999M", MouseEvent(.press, .left, x: 0, y: 65534)),
    ])
    func readsMouseReports(_ text: String, _ expected: MouseEvent) {
        #expect(events(text) == [.mouse(expected)])
    }

    @Test func countsPixelsWhereTheModeIsOn() {
        var decoder = InputDecoder()
        decoder.pixelMouse = true
        #expect(decoder.decode(escaped("^[[<0;641;9M")) == [.mouse(MouseEvent(.press, .left, x: 640, y: 8, unit: .pixels))])
    }

    @Test func readsFocusAndPaste() {
        #expect(events("^[[I^[[O") == [.focus(true), .focus(false)])
        #expect(events("^[[200~q^[[201x^[^[[A\r^[[201~q") == [.paste("q\u{1B}[201x\u{1B}\u{1B}[A\r"), char("q")])
        #expect(events("^[[200~^[[20^[[201~") == [.paste("\u{1B}[20")])
    }

    @Test func boundsAPasteAndDropsTheRest() {
        var decoder = InputDecoder()
        _ = decoder.decode(escaped("^[[200~"))
        #expect(decoder.decode([UInt8](repeating: 0x71, count: 3 << 20)) == [])
        let found = decoder.decode(escaped("^[[201~x"))
        guard found.count == 2, case .paste(let text) = found[0] else {
            Issue.record("\(found.count) events")
            return
        }
        #expect(text.utf8.count == 1 << 20)
        #expect(found[1] == char("x"))
    }

    @Test(arguments: [
        ("^[[0n", TerminalReply.status(true)), ("^[[3n", .status(false)),
        ("^[P>|kitty(0.26.5)^[\\", .version("kitty(0.26.5)")), ("^[[?62;4;22c", .deviceAttributes([62, 4, 22])),
        ("^[[>1;4000;0c", .secondaryAttributes([1, 4000, 0])), ("^[[?2026;2$y", .mode(2026, .reset)),
        ("^[[?80;0$y", .mode(80, .notRecognized)), ("^[[6;18;9t", .cellPixels(width: 9, height: 18)),
        ("^[[4;396;639t", .textAreaPixels(width: 639, height: 396)), ("^[[8;24;80t", .textAreaCells(columns: 80, rows: 24)),
        ("^[[12;40R", .cursor(row: 12, column: 40)), ("^[[?1;2R", .cursor(row: 1, column: 2)),
        ("^[_Gi=31;OK^[\\", .kittyGraphics(id: 31, message: "OK")),
        ("^[_Gi=31,p=7;OK^[\\", .kittyGraphics(id: 31, placement: 7, message: "OK")),
        ("^[_Gi=31;ENOTSUP:no\n^[\\", .kittyGraphics(id: 31, message: "ENOTSUP:no")),
        ("^[]11;rgb:ffff/8080/0000^[\\", .colour(.background, red: 0xFFFF, green: 0x8080, blue: 0)),
        ("^[]10;rgb:f/0/8\u{7}", .colour(.foreground, red: 0xFFFF, green: 0, blue: 0x8888)),
        ("^[]4;17;rgb:00/00/5f^[\\", .colour(.palette(17), red: 0, green: 0, blue: 0x5F5F)),
        ("^[[?1;0;1024S", .graphicsAttribute(item: 1, status: 0, values: [1024])),
        ("^[[?1;3S", .graphicsAttribute(item: 1, status: 3, values: [])),
        ("^[P1$r0;38:2::1:2:3m^[\\", .setting("0;38:2::1:2:3m")), ("^[P0$r^[\\", .setting(nil)),
    ])
    func readsReplies(_ text: String, _ expected: TerminalReply) {
        #expect(events(text) == [.reply(expected)])
    }

    @Test func takesAnAmbiguousCursorReportAsOneOnlyWhileItIsExpected() {
        #expect(events("^[[1;2R^[[1;2R", cursorReports: 1) == [.reply(.cursor(row: 1, column: 2)), key(.function(3), .shift)])
    }

    @Test func dropsInvalidUTF8AndGoesOn() {
        for bytes: [UInt8] in [
            [0xC0, 0x80], [0xFF], [0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC2, 0x85],
        ] {
            var decoder = InputDecoder()
            #expect(decoder.decode(bytes + [0x71]) == [char("q")], "\(bytes)")
        }
    }

    @Test func survivesGarbageAndSplitsItAlike() {
        var seed: UInt64 = 42
        func next() -> UInt64 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return seed >> 33
        }
        let alphabet = escaped("^[^[^[[]POX_^\\?<>=;:0123456789$~uMmRtcyAq\u{7}\u{18}") + [0x9B, 0xFF, 0xC3, 0xA9, 0xE2]
        for _ in 0..<300 {
            let bytes = (0..<200).map { _ in alphabet[Int(next() % UInt64(alphabet.count))] }
            var whole = InputDecoder(), split = InputDecoder()
            let expected = whole.decode(bytes) + whole.resolve()
            var found: [InputEvent] = []
            for byte in bytes { found += split.decode([byte]) }
            found += split.resolve()
            #expect(found == expected)
            // A flood of an endless string ends up nowhere, and a CAN later keys work again.
            _ = whole.decode(escaped("^[]11;") + [UInt8](repeating: 0x31, count: 1000))
            #expect(whole.decode([0x18, 0x71]) == [char("q")])
        }
    }
}
