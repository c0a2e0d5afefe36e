import AetherCore
import AetherFormats
import AetherTestSupport
import Foundation
import Testing

@Suite struct EBUDocumentTests {
    private static let corpus = Fixtures.shared?.appendingPathComponent("corpus")

    private func header(_ change: [Int: String] = [:]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0x20, count: 1024)
        for (place, text) in [0: "850STL25.0110009", 253: "23", 256: "00000000"].merging(change, uniquingKeysWith: { $1 }).sorted(
            by: { $0.key < $1.key })
        {
            bytes.replaceSubrange(place..<place + text.utf8.count, with: Array(text.utf8))
        }
        return bytes
    }

    private func block(
        _ text: [UInt8], number: UInt8 = 1, extensionNumber: UInt8 = 0xFF, from: [UInt8] = [0, 0, 1, 0],
        to: [UInt8] = [0, 0, 3, 5],
        row: UInt8 = 20, justification: UInt8 = 2, comment: UInt8 = 0
    ) -> [UInt8] {
        let head: [UInt8] = [0, number, 0, extensionNumber, 0] + from + to + [row, justification, comment]
        return head + text.prefix(112) + [UInt8](repeating: 0x8F, count: max(0, 112 - text.count))
    }

    private func cues(_ blocks: [UInt8], _ change: [Int: String] = [:]) throws -> [TimedTextCue] {
        try #require(EBUDocument(header(change) + blocks)).cues
    }

    @Test func timesAreFramesFromTheStartOfTheProgramme() throws {
        let tape = try cues(block([0x61], from: [10, 0, 1, 12], to: [10, 1, 0, 0]), [256: "10000000"])
        #expect(tape.map(\.start) == [.seconds(1.48)] && tape.map(\.end) == [.seconds(60)])
        let thirty = try cues(block([0x61], from: [0, 0, 1, 15], to: [0, 0, 2, 0]), [0: "850STL30.0110009"])
        #expect(thirty.map(\.start) == [.seconds(1.5)])
        // A subtitle that ends before it begins is never shown.
        #expect(try cues(block([0x61], from: [0, 0, 2, 0], to: [0, 0, 1, 0])).isEmpty)
    }

    @Test func severalBlocksAreOneSubtitle() throws {
        let cues = try cues(
            block(Array("one ".utf8), extensionNumber: 0) + block(Array("of the makers".utf8), extensionNumber: 0xFE)
                + block(Array("a note".utf8), comment: 1)
                + block(Array("two".utf8)) + block(Array("next".utf8), number: 2))
        #expect(cues.map(\.body.lines) == [["one two"], ["next"]])
    }

    static let texts: [(table: String, bytes: [UInt8], text: String)] = [
        ("00", [0x0B, 0x0B, 0xC8, 0x75, 0xC2, 0x65, 0x20, 0xFB, 0x0A], "u\u{308}e\u{301} ß"),
        ("00", [0x24, 0xA4, 0xD5, 0xE0], "¤$♪Ω"),
        ("01", [0xBF, 0xE0, 0xD8, 0xD2, 0xD5, 0xE2, 0xF0], "Привет№"),
        ("02", [0xE5, 0xE7, 0xBF], "مه؟".replacingOccurrences(of: "مه", with: "\u{0645}\u{0647}")),
        ("03", [0xC3, 0xE5, 0xE9, 0xDC], "Γειά".precomposedStringWithCanonicalMapping), ("04", [0xF9, 0xEC, 0xE5, 0xED], "שלום"),
        ("00", [0x41, 0x8A, 0x8A, 0x42, 0x9F, 0x1B, 0x5B], "A\nB ["),
    ]

    @Test(arguments: texts.indices) func theFiveTablesAreRead(_ index: Int) throws {
        let row = Self.texts[index]
        #expect(try cues(block(row.bytes), [12: row.table]).map { $0.body.lines.joined(separator: "\n") } == [row.text])
    }

    @Test func coloursAndItalicsAreLooks() throws {
        let text: [UInt8] = [0x03, 0x61, 0x80, 0x62, 0x81, 0x8A, 0x63]
        let runs = try #require(try cues(block(text)).first?.body.runs)
        let yellow = SubtitleColor(r: 255, g: 255, b: 0)
        #expect(runs.map(\.color) == [yellow, yellow, nil] && runs.map(\.isItalic) == [false, true, false])
        #expect(runs.map(\.text).joined() == "ab\nc")
    }

    @Test(arguments: [(2, 2, 8), (20, 2, nil), (20, 1, 1), (1, 3, 9), (20, 0, nil)] as [(UInt8, UInt8, Int?)])
    func rowsAndJustificationAreAPlace(_ row: UInt8, _ justification: UInt8, _ alignment: Int?) throws {
        #expect(try cues(block([0x61], row: row, justification: justification)).map(\.placement?.alignment) == [alignment])
    }

    @Test func whatIsNoneIsNil() {
        #expect(EBUDocument([]) == nil && EBUDocument(Array("1\n00:00".utf8)) == nil)
        #expect(EBUDocument([UInt8](repeating: 0x20, count: 5000)) == nil)
        // It breaks off within a block.
        #expect(EBUDocument(header() + block([0x61]) + block([0x62]).dropLast())?.cues.count == 1)
    }

    @Test(.enabled(if: corpus != nil, "the shared corpus is not here")) func readsTheCorpus() throws {
        let corpus = try #require(Self.corpus)
        let document = try #require(
            EBUDocument([UInt8](Data(contentsOf: corpus.appendingPathComponent("astisub/example-in.stl")))))
        #expect(document.language == "fre")
        // The same as in the SubRip and WebVTT files beside it.
        #expect(
            document.cues.map(\.body.lines) == [
                ["(deep rumbling)"], ["MAN:", "How did we end up here?"], ["This place is horrible."], ["Smells like balls."],
                ["We don't belong", "in this shithole."], ["(computer playing", "electronic melody)"],
            ])
        #expect(
            document.cues.map(\.start) == [
                .seconds(99), .seconds(124.08), .seconds(132.16), .seconds(140.24), .seconds(148.32), .seconds(151.4),
            ])
        #expect(document.cues.map(\.end) == [101.04, 127.12, 135.2, 142.28, 151.36, 153.44].map { MediaTime.seconds($0) })
        let irt = try #require(
            EBUDocument([UInt8](Data(contentsOf: corpus.appendingPathComponent("ttconv/stl/irt/requirement-0061-001.stl")))))
        #expect(irt.cues.map(\.body.lines) == [["Test Subtitle"]] && irt.language == "eng")
    }
}
