import AetherCore
import Testing

@testable import AetherEngine

@Suite struct SidecarNameTests {
    struct Row: Sendable {
        let file: String
        var isInFolder = false
        var language: String?
        var flags = ""
        var title = ""
    }

    static let belonging: [Row] = [
        Row(file: "film.srt"), Row(file: "Film.SRT"), Row(file: "film.de.srt", language: "de"),
        Row(file: "film.forced.en.ass", language: "en", flags: "f"), Row(file: "film.en.forced.srt", language: "en", flags: "f"),
        Row(file: "film.eng.sdh.srt", language: "eng", flags: "s"), Row(file: "film.hi.srt", language: "hi"),
        Row(file: "film.en.hi.srt", language: "en", flags: "s"), Row(file: "film.pt-BR.vtt", language: "pt-BR"),
        Row(file: "film.pt_BR.cc.srt", language: "pt-BR", flags: "s"),
        Row(file: "film.EN.forced.ass", language: "en", flags: "f"), Row(file: "film.zh-hant.srt", language: "zh-Hant"),
        Row(file: "film.es-419.sdh.srt", language: "es-419", flags: "s"), Row(file: "film.en-cc.srt", language: "en", flags: "s"),
        Row(file: "film.cht.srt", language: "zh-Hant"), Row(file: "film [Deutsch].srt", language: "de"),
        Row(file: "film.Chinese (Simplified).srt", language: "zh-Hans"), Row(file: "film.日本語.srt", language: "ja"),
        Row(file: "film.en_de.srt", language: "en", title: "de"),
        Row(file: "film_German.srt", language: "de"), Row(file: "film.en.commentary.srt", language: "en", flags: "c"),
        Row(file: "film.en.Director Cut.srt", language: "en", title: "Director Cut"), Row(file: "film.sup"),
        Row(file: "film.idx"),
        Row(file: "2_English.srt", isInFolder: true, language: "en"), Row(file: "French.srt", isInFolder: true, language: "fr"),
        Row(file: "film.ja.ttml", isInFolder: true, language: "ja"),
    ]

    @Test(arguments: belonging) func aNameSaysLanguageAndKind(_ row: Row) throws {
        let name = try #require(SidecarName(row.file, video: "film.mkv", isInFolder: row.isInFolder))
        #expect(name.language == row.language)
        #expect(name.isForced == row.flags.contains("f"))
        #expect(name.isHearingImpaired == row.flags.contains("s"))
        #expect(name.isCommentary == row.flags.contains("c"))
        if !row.title.isEmpty { #expect(name.title == row.title) }
    }

    @Test(arguments: ["film2.srt", "another.srt", "film.mkv", "film.txt", "film", "srt", ".srt", "fil.srt", ""])
    func othersDoNotBelong(_ file: String) { #expect(SidecarName(file, video: "film.mkv") == nil) }

    @Test func aVideoWithDotsInItsNameKeepsThem() {
        #expect(SidecarName("A.Film.2020.1080p.en.srt", video: "A.Film.2020.1080p.mkv")?.language == "en")
        #expect(SidecarName("A.Film.2020.srt", video: "A.Film.2020.1080p.mkv") == nil)
    }
}
