import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@Suite struct TextEncodingTests {
    private static let russian = "Где ты был вчера вечером? Мы тебя ждали до полуночи, а потом пошли домой без тебя."
    private static let polish =
        "Gdzie byłeś wczoraj wieczorem? Czekaliśmy na ciebie do północy, a potem poszliśmy do domu. Źle, żółć."
    private static let japanese = "昨日の夜はどこにいたの？みんなであなたを待っていました。それから家に帰りました。"
    private static let german =
        "Wo warst du gestern Abend? Wir haben bis Mitternacht auf dich gewartet. Schöne Grüße, Müßiggänger!"
    private static let greek = "Πού ήσουν χθες το βράδυ; Σε περιμέναμε μέχρι τα μεσάνυχτα και μετά πήγαμε σπίτι."

    @Test(arguments: [
        ("UTF-8", german), ("UTF-16LE", german), ("UTF-16BE", russian), ("UTF-16", japanese), ("CP1251", russian),
        ("KOI8-R", russian), ("CP1250", polish), ("ISO-8859-1", german), ("CP1252", german), ("SHIFT_JIS", japanese),
        ("EUC-JP", japanese), ("CP1253", greek),
    ])
    func findsTheCharacterSetOfASubtitle(_ name: String, _ text: String) throws {
        let script = (1...6).map { "\($0)\n00:00:0\($0),000 --> 00:00:0\($0),900\n\(text)\n\n" }.joined()
        let folder = try TemporaryFolder()
        let path = folder.path("text.srt")
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        let made = try Fixtures.run("iconv", ["-f", "UTF-8", "-t", name, path])
        try #require(made.status == 0)
        #expect(String(decoding: TextEncoding.utf8([UInt8](made.output)), as: UTF8.self) == script)
    }

    @Test func whatNoCharacterSetReadsIsReplaced() {
        let broken = TextEncoding.utf8([0xEF, 0xBB, 0xBF, 0x41, 0xFF, 0x42])
        #expect(broken == Array("A\u{FFFD}B".utf8))
        #expect(TextEncoding.utf8([]) == [])
        for count in 0..<64 {
            let noise = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 131) }
            #expect(String(validating: TextEncoding.utf8(noise), as: UTF8.self) != nil)
        }
    }
}
