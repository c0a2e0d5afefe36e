import AetherTerminal
import Foundation
@_spi(_Unicode) import Swift
import Testing

@Suite struct CanonicalTextTests {
    /// Every scalar of Unicode 15, which Debian 12's HarfBuzz knows, as the standard library has it; of Hangul each thirteenth.
    @Test func eachScalarIsTakenApartAndJoined() {
        let parts: [any Sequence<Int>] = [
            0xA0..<0x3400, 0xA000..<0xAC00, stride(from: 0xAC00, to: 0xD7A4, by: 13), 0xF900..<0xFFFE, 0x10000..<0x1F000,
            0x2F800..<0x2FA20,
        ]
        var wrong: [String] = []
        for value in parts.flatMap({ Array($0) }) {
            guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major <= 15 else { continue }
            for text in [String(Character(scalar)), "e\(Character(scalar))\u{323}\u{301}"] {
                let apart = CanonicalText.decomposed(text), whole = CanonicalText.composed(text)
                if !apart.unicodeScalars.elementsEqual(text._nfd) || !whole.unicodeScalars.elementsEqual(text._nfc) {
                    wrong.append(String(value, radix: 16))
                }
            }
        }
        #expect(wrong == [])
    }

    @Test(arguments: [
        ("", "", ""), ("plain", "plain", "plain"), ("\u{E9}", "e\u{301}", "\u{E9}"), ("e\u{301}x", "e\u{301}x", "\u{E9}x"),
        // Marks below before those above, whatever their order was; two above keep theirs.
        ("e\u{301}\u{323}", "e\u{323}\u{301}", "\u{1EB9}\u{301}"), ("a\u{301}\u{302}", "a\u{301}\u{302}", "\u{E1}\u{302}"),
        ("\u{1EA5}", "a\u{302}\u{301}", "\u{1EA5}"), ("한", "\u{1112}\u{1161}\u{11AB}", "한"), ("\u{301}e", "\u{301}e", "\u{301}e"),
        // One scalar that stands for another, and a pair that is not joined.
        ("\u{212A}", "K", "K"), ("\u{958}", "\u{915}\u{93C}", "\u{915}\u{93C}"),
        ("\u{10FFFF}é", "\u{10FFFF}e\u{301}", "\u{10FFFF}\u{E9}"),
    ])
    func textIsTakenApartAndJoined(_ text: String, _ apart: String, _ whole: String) {
        #expect(Array(CanonicalText.decomposed(text).unicodeScalars) == Array(apart.unicodeScalars))
        #expect(Array(CanonicalText.composed(text).unicodeScalars) == Array(whole.unicodeScalars))
    }

    @Test(arguments: [
        ("", ""), ("Plain 7", "plain 7"), ("Élan", "elan"), ("e\u{301}LAN", "elan"), ("STRASSE", "straße"), ("STRAẞE", "strasse"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Ёлка", "елка"), ("ＦＵＬＬ　ｗｉｄｔｈ", "full width"), ("ｶﾞｷﾞ", "ガギ"), ("İstanbul", "istanbul"), ("ắ", "a"), ("≠", "="),
        ("Å", "a"),
    ])
    func whatAPersonTakesForTheSameIsFoldedToTheSame(_ one: String, _ other: String) {
        #expect(FoldedText.of(one) == FoldedText.of(other))
        #expect(Array(FoldedText.of(one).utf8) == Array(FoldedText.of(other).utf8))
    }

    /// Marks that make another letter of one.
    @Test(arguments: [("ガ", "カ"), ("ש\u{5C1}", "ש"), ("ก\u{E48}", "ก"), ("ø", "o"), ("क\u{93C}", "क")])
    func anotherLetterIsNoAccent(_ one: String, _ other: String) {
        #expect(FoldedText.of(one) != FoldedText.of(other))
    }

    /// Latin, Greek and Cyrillic letters.
    @Test func lettersAreFoldedAsByFoundation() {
        var wrong: [String] = []
        for value in [Array(0xC0...0x52F), Array(0x1E00...0x1FFF)].joined() {
            guard let scalar = Unicode.Scalar(UInt32(value)), scalar.properties.isAlphabetic,
                scalar.properties.canonicalCombiningClass == .notReordered
            else { continue }
            let text = String(Character(scalar))
            let foundation = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            if FoldedText.of(text) != FoldedText.of(foundation) {
                wrong.append("\(String(value, radix: 16)) \(text) \(foundation)")
            }
        }
        #expect(wrong == [])
    }
}
