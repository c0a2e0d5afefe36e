import AetherCore
import Testing

@Suite struct LanguageCodeTests {
    @Test(arguments: [
        ("en", "en"), ("ENG", "eng"), ("English", "en"), ("ger", "ger"), ("deu", "deu"), ("german", "de"), ("Deutsch", "de"),
        ("pt-BR", "pt-BR"), ("pt_br", "pt-BR"), ("PTBR", "pt-BR"), ("es-419", "es-419"), ("zh-hans", "zh-Hans"),
        ("ZH_HANT", "zh-Hant"),
        ("chs", "zh-Hans"), ("日本語", "ja"), ("français", "fr"), ("yue", "yue"),
    ])
    func aWordThatNamesALanguage(_ word: String, _ tag: String) { #expect(LanguageCode(word)?.tag == tag) }

    @Test(arguments: [
        "", "e", "xx", "sdh", "forced", "hello", "en-", "-en", "en-US-x", "en-USA", "en-1", "en-12", "en-12a", "en-ü2", "en US",
        "en--US",
        "\u{1B}[1m", "eng\0",
    ])
    func aWordThatNamesNone(_ word: String) { #expect(LanguageCode(word) == nil) }

    /// The three codes of a language and its name mean the same.
    @Test(arguments: [
        ["de", "ger", "deu"], ["fr", "fre", "fra"], ["zh", "chi", "zho", "zh-Hans", "ZH_tw"], ["pt", "por", "pt-BR"],
    ])
    func codesOfOneLanguageHaveOneCanonicalForm(_ codes: [String]) {
        #expect(Set(codes.map(LanguageCode.canonical)).count == 1)
        #expect(LanguageCode.canonical(codes[0]) == LanguageCode.canonical(codes[0].uppercased()))
    }

    @Test func unknownTagsKeepTheirFirstPart() {
        #expect(
            LanguageCode.canonical("tlh-Latn") == "tlh" && LanguageCode.canonical("") == "" && LanguageCode.canonical("-_") == "")
    }

    @Test func theRegionOfATag() {
        #expect(LanguageCode.region(of: "pt-BR") == "br" && LanguageCode.region(of: "zh_Hans") == "hans")
        #expect(LanguageCode.region(of: "en") == nil && LanguageCode.region(of: "") == nil)
    }
}
