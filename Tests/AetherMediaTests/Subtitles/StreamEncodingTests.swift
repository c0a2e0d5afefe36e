import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

@Suite struct StreamEncodingTests {
    private static let russian = [
        "Где ты был вчера?", "Мы ждали тебя.", "Я не знаю, о чём ты говоришь.", "Потом пошли домой без тебя.", "Хорошо, завтра.",
    ]

    private func bytes(_ text: String, in name: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        try text.write(toFile: folder.path("a"), atomically: true, encoding: .utf8)
        return [UInt8](try Fixtures.run("iconv", ["-f", "UTF-8", "-t", name, folder.path("a")]).output)
    }

    @Test(arguments: [("WINDOWS-1251", nil), ("KOI8-R", nil), ("WINDOWS-1251", "rus")] as [(String, String?)])
    func aStreamIsGuessedAtAsAWhole(_ name: String, _ language: String?) throws {
        var encoding = StreamEncoding(language: language)
        let lines = try Self.russian.map { try bytes($0, in: name) }
        for line in lines { _ = encoding.read(line) }
        #expect(lines.map { String(decoding: encoding.text(of: $0) ?? $0, as: UTF8.self) } == Self.russian)
        // With a language the first line is right already.
        if language != nil {
            var other = StreamEncoding(language: language)
            #expect(other.read(lines[0]).text == Array(Self.russian[0].utf8))
        }
    }

    @Test func textsInUTF8AreLeftAlone() {
        var encoding = StreamEncoding(language: "de")
        #expect(encoding.read(Array("Schöne Grüße".utf8)).text == nil && encoding.read(Array("plain".utf8)).text == nil)
        // One byte that was hurt makes no other character set of it.
        let hurt = encoding.read(Array("Grü".utf8) + [0xFF] + Array("ße".utf8))
        #expect(hurt.text == nil && !hurt.isChanged)
    }

    @Test func aLanguageHelpsWhereTheTextIsShort() throws {
        let table = [
            ("Źle, żółć.", "WINDOWS-1250", "pol"), ("Καλημέρα!", "WINDOWS-1253", "gre"), ("Güle güle, ığ", "WINDOWS-1254", "tr"),
            ("Œuvre, cœur…", "WINDOWS-1252", "fr"), ("你好", "GB18030", "zh"), ("你好嗎", "BIG5", "zh-Hant"), ("はい", "CP932", "ja"),
            ("네", "UHC", "ko"), ("שלום", "WINDOWS-1255", "he"), ("مرحبا", "WINDOWS-1256", "ar"),
        ]
        for (text, name, language) in table {
            let made = TextEncoding.utf8(try bytes(text, in: name), language: language)
            #expect(String(decoding: made, as: UTF8.self) == text, "\(name)")
        }
    }

    @Test func hurtUTF8StaysUTF8() {
        let text = String(repeating: "Schöne Grüße, Müßiggänger!\n", count: 4)
        #expect(TextEncoding.detect(Array(text.utf8) + [0xFF, 0x0A]) == "UTF-8")
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE"]) func chineseInUTF16WithoutAMark(_ name: String) throws {
        let line = String(repeating: "昨天晚上你在哪里我们等你等到半夜", count: 8)
        let script = (1...4).map { "\($0)\n00:00:0\($0),000 --> 00:00:0\($0),900\n\(line)\n\n" }.joined()
        #expect(TextEncoding.detect(try bytes(script, in: name)) == name)
    }
}
