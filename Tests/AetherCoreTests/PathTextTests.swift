import AetherCore
import AetherTestSupport
import Testing

@Suite struct PathTextTests {
    private func bytes(_ path: String) -> [UInt8] { PathText.cString(path).map { UInt8(bitPattern: $0) } }

    @Test(arguments: ["", "/films/a b.mkv", "\u{96E8}/\u{1F600}.mkv", "e\u{301}", "\u{10FF7F}"])
    func whatIsTextStaysAsItIs(_ name: String) {
        #expect(PathText.text(Array(name.utf8)) == name && bytes(name) == Array(name.utf8) + [0])
    }

    @Test func bytesThatAreNoTextAreKeptAndShownAsWhatNobodyKnows() {
        let name: [UInt8] = Array("caf".utf8) + [0xE9] + Array(" \u{FC}.flac".utf8)
        let text = PathText.text(name)
        #expect(text.hasPrefix("caf") && text.hasSuffix(" \u{FC}.flac") && bytes(text) == name + [0])
        #expect(DisplayText.singleLine(text) == "caf\u{FFFD} \u{FC}.flac")
    }

    /// Also where a name has the very scalars that stand for such bytes.
    @Test func everyNameComesBack() {
        var random = SeededRandom(seed: 11)
        let pieces: [[UInt8]] = [
            [0xFF], [0xFE], [0x80], [0xC3], [0xC3, 0xA9], [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80],
            [0x61], [0x2F], [0xF0, 0x9F],
        ]
        for _ in 0..<2000 {
            let name = (0..<Int.random(in: 0..<8, using: &random)).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
            #expect(bytes(PathText.text(name)) == name + [0])
        }
    }
}
