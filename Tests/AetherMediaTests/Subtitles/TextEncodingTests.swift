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

    private static let chinese = "昨天晚上你在哪里？我们等你等到半夜，然后没有你就回家了。这是怎么回事？"
    private static let traditional =
        "昨天晚上你在哪裡？我們等你等到半夜，然後沒有你就回家了。這是怎麼回事？我不知道你在說什麼。請坐，我們來談談吧。他們說明天會下雨，可是今天天氣很好。"
        + "你為什麼不早點告訴我？這個問題很難回答。我愛你，但是我必須離開。快跑！警察來了！謝謝你的幫忙，我永遠不會忘記。"
    private static let korean = "어젯밤에 어디 있었어? 우리는 자정까지 너를 기다리다가 집에 갔어. 무슨 일이야?"
    private static let hebrew = "איפה היית אתמול בערב? חיכינו לך עד חצות, ואחר כך הלכנו הביתה בלעדיך."
    private static let arabic = "أين كنت مساء أمس؟ انتظرناك حتى منتصف الليل ثم عدنا إلى البيت بدونك."
    private static let turkish =
        "Dün akşam neredeydin? Gece yarısına kadar seni bekledik, sonra sensiz eve gittik. Güzel şeyler, ığüşöç İĞ."
    private static let thai = "เมื่อคืนคุณอยู่ที่ไหน เรารอคุณจนถึงเที่ยงคืน แล้วก็กลับบ้านโดยไม่มีคุณ"

    @Test(arguments: [
        ("UTF-8", german), ("UTF-16LE", german), ("UTF-16BE", russian), ("UTF-16", japanese), ("CP1251", russian),
        ("KOI8-R", russian), ("CP1250", polish), ("ISO-8859-1", german), ("CP1252", german), ("SHIFT_JIS", japanese),
        ("EUC-JP", japanese), ("CP1253", greek), ("UTF-32LE", russian), ("UTF-16LE", japanese), ("GB18030", chinese),
        ("BIG5", traditional),
        ("EUC-KR", korean), ("CP1255", hebrew), ("CP1256", arabic), ("CP1254", turkish), ("ISO-8859-2", polish),
        ("CP866", russian),
        ("ISO-8859-5", russian), ("TIS-620", thai), ("ISO-8859-7", greek), ("MACCYRILLIC", russian), ("ISO-2022-JP", japanese),
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
