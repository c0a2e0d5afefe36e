import AetherCore
import AetherFormats
import Testing

/// The caption bytes of one packet that carries one block.
private func packet(_ codes: [UInt8], service: UInt8 = 1) -> [UInt8] {
    var payload = [service << 5 | UInt8(codes.count)] + codes
    if payload.count % 2 == 0 { payload.append(0) }
    let size = UInt8((payload.count + 1) / 2)
    var bytes: [UInt8] = [0xFF, 0x40 | size, payload[0]]
    for index in stride(from: 1, to: payload.count, by: 2) { bytes += [0xFE, payload[index], payload[index + 1]] }
    return bytes
}

/// Window 0, seen or not: two rows of 32 at the bottom, or elsewhere.
private func window(
    _ number: UInt8 = 0, isVisible: Bool = true, vertical: UInt8 = 70, horizontal: UInt8 = 105, anchor: UInt8 = 7,
    rows: UInt8 = 2, priority: UInt8 = 0
) -> [UInt8] {
    [0x98 + number, (isVisible ? 0x38 : 0x18) | priority, vertical, horizontal, anchor << 4 | (rows - 1), 31, 0x11]
}

private func text(_ string: String) -> [UInt8] { Array(string.utf8) }

@Suite struct DTVCCDecoderTests {
    private func lines(_ screens: [DTVCCDecoder.Screen]) -> [[String]] { screens.map { $0.texts.flatMap(\.body.lines) } }

    static let table: [(name: String, codes: [UInt8], lines: [String])] = [
        ("plain", window() + text("Hello"), ["Hello"]),
        ("two rows", window() + text("one") + [0x0D] + text("two"), ["one", "two"]),
        ("rows move up", window() + text("a") + [0x0D] + text("b") + [0x0D] + text("c"), ["b", "c"]),
        ("pen location", window() + [0x92, 1, 2] + text("x") + [0x92, 0, 0] + text("y"), ["y", "x"]),
        ("backspace", window() + text("ab") + [0x08] + text("c"), ["ac"]),
        ("clear", window() + text("ab") + [0x0C] + text("c"), ["c"]),
        ("row cleared", window() + text("ab") + [0x0E] + text("c"), ["c"]),
        ("signs", window() + [0x7F, 0xE9, 0x10, 0x34, 0x10, 0x25], ["♪é”…"]),
        ("hidden", window(isVisible: false) + text("ab"), []),
        ("shown later", window(isVisible: false) + text("ab") + [0x89, 1], ["ab"]),
        ("toggled", window() + text("ab") + [0x8B, 1], []), ("deleted", window() + text("ab") + [0x8C, 1] + text("c"), []),
        ("reset", window() + text("ab") + [0x8F], []),
        ("by priority", window(0, priority: 3) + text("low") + window(1, priority: 1) + text("high"), ["high", "low"]),
        ("current window", window(0) + text("a") + window(1) + text("b") + [0x80] + text("c"), ["ac", "b"]),
        ("without a window", text("nothing"), []),
        ("arguments are no text", window() + [0x97, 0x41, 0x42, 0x43, 0x44] + [0x8D, 0x41] + text("x"), ["x"]),
        (
            "kinds to come",
            window() + [0x10, 0x18, 0x41, 0x41, 0x41] + [0x10, 0x90, 2, 0x41, 0x41] + [0x10, 0x88, 0x41, 0x41, 0x41, 0x41, 0x41]
                + text("x"), ["x"]
        ),
        ("escape is no text", window() + [0x1B, 0x5B, 0x5B] + text("x") + [0x03], ["x"]),
        ("redefined", window() + text("a") + window() + text("b"), ["ab"]),
    ]

    @Test(arguments: table.indices) func codesDrawIntoWindows(_ index: Int) {
        let row = Self.table[index]
        var decoder = DTVCCDecoder()
        // A block has 31 bytes at most: the codes go over several.
        var shown: [String] = []
        for start in stride(from: 0, to: row.codes.count, by: 13) {
            for screen in decoder.take(packet(Array(row.codes[start..<min(row.codes.count, start + 13)]))) {
                shown = screen.texts.flatMap(\.body.lines)
            }
        }
        #expect(shown == row.lines, "\(row.name)")
    }

    @Test func whatHasNotChangedIsNotSaidAgain() {
        var decoder = DTVCCDecoder()
        #expect(lines(decoder.take(packet(window() + text("a")))) == [["a"]])
        #expect(decoder.take(packet([0x03])).isEmpty)
        #expect(decoder.take([0xFC, 0x80, 0x80, 0xFA, 0, 0]).isEmpty)
        #expect(lines(decoder.take(packet([0x8A, 1]))) == [[]])
    }

    @Test func servicesAreApart() {
        var decoder = DTVCCDecoder()
        _ = decoder.take(packet(window() + text("one")))
        let second = decoder.take(packet(window() + text("two"), service: 2))
        #expect(second.map(\.service) == [2] && lines(second) == [["two"]])
    }

    @Test func packetsGoOverSeveralFrames() {
        let bytes = packet(window() + text("Hello there"))
        var decoder = DTVCCDecoder()
        var shown: [DTVCCDecoder.Screen] = []
        for start in stride(from: 0, to: bytes.count, by: 6) { shown += decoder.take(bytes[start..<min(bytes.count, start + 6)]) }
        #expect(lines(shown) == [["Hello there"]])
    }

    @Test(
        arguments: [(70, 105, 7, nil), (5, 105, 1, 8), (2, 5, 0, 7), (37, 105, 4, 5), (70, 205, 8, 3), (70, 5, 6, 1)]
            as [(UInt8, UInt8, UInt8, Int?)])
    func windowsHaveTheirThirdOfTheFrame(_ vertical: UInt8, _ horizontal: UInt8, _ anchor: UInt8, _ alignment: Int?) {
        var decoder = DTVCCDecoder()
        let definition: [UInt8] = [0x98, 0x38, vertical, horizontal, anchor << 4 | 1, 9, 0x11]
        #expect(decoder.take(packet(definition + text("x"))).first?.texts.map(\.placement?.alignment) == [alignment])
    }

    @Test func pensHaveLooks() throws {
        var decoder = DTVCCDecoder()
        let codes = window() + text("a") + [0x90, 0, 0x80] + text("b") + [0x91, 0x30, 0, 0] + text("c")
        let runs = try #require(decoder.take(packet(codes)).first?.texts.first?.body.runs)
        #expect(runs.map(\.text) == ["a", "b", "c"] && runs.map(\.isItalic) == [false, true, true])
        #expect(runs.map(\.color) == [nil, nil, SubtitleColor(r: 255, g: 0, b: 0)])
    }

    @Test func rubbishDoesNoHarm() {
        var random = UInt64(7), decoder = DTVCCDecoder()
        for _ in 0..<3000 {
            let bytes = (0..<60).map { index -> UInt8 in
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return index % 3 == 0
                    ? 0xFC | UInt8(truncatingIfNeeded: random >> 40) & 3 : UInt8(truncatingIfNeeded: random >> 48)
            }
            for screen in decoder.take(bytes) { #expect(screen.texts.count <= 8) }
        }
    }
}
