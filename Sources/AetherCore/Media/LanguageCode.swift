/// A language as tags and file names give it: ISO 639-1, 639-2/B, 639-2/T, with a region or without, or its English name.
public struct LanguageCode: Sendable, Equatable {
    /// The code in lower case with its region ("pt-BR") or writing ("zh-Hans"), or the code of a name.
    public let tag: String

    /// nil for a word that is no language known here.
    public init?(_ word: some StringProtocol) {
        let word = word.lowercased()
        if let code = Self.names[word] ?? Self.others[word] {
            tag = code
            return
        }
        let parts = word.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let base = parts.first, (2...3).contains(base.count), Self.aliases[String(base)] != nil, parts.count <= 2 else {
            return nil
        }
        guard parts.count == 2 else {
            tag = String(base)
            return
        }
        guard let region = Self.region(parts[1]) else { return nil }
        tag = "\(base)-\(region)"
    }

    /// The subtag behind a code: a country ("BR"), a part of the world ("419") or a writing ("Hans"); nil for what is none of them.
    private static func region(_ word: Substring) -> String? {
        let isWord = word.allSatisfy { $0.isASCII && $0.isLetter }
        switch word.count {
        case 2 where isWord: return word.uppercased()
        case 3 where word.allSatisfy { $0.isASCII && $0.isNumber }: return String(word)
        case 4 where isWord: return word.prefix(1).uppercased() + word.dropFirst()
        default: return nil
        }
    }

    /// The region or writing of a tag, in lower case; nil for none.
    public static func region(of tag: String) -> String? {
        tag.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).dropFirst().first.map(String.init)
    }

    /// The 639-2/T code of a tag, or its first part where it is not known.
    public static func canonical(_ tag: String) -> String {
        let base = base(tag.lowercased())
        return aliases[base] ?? base
    }

    private static func base(_ tag: String) -> String {
        tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init) ?? ""
    }

    /// English name, ISO 639-1, 639-2/B and 639-2/T codes of the languages that videos come in.
    private static let rows = """
        arabic ar ara|bulgarian bg bul|bengali bn ben|tibetan bo tib bod|catalan ca cat|czech cs cze ces|welsh cy wel cym|danish da dan
        german de ger deu|greek el gre ell|english en eng|spanish es spa|estonian et est|basque eu baq eus|persian fa per fas
        finnish fi fin|french fr fre fra|irish ga gle|galician gl glg|hebrew he heb|hindi hi hin|croatian hr hrv|hungarian hu hun
        armenian hy arm hye|indonesian id ind|icelandic is ice isl|italian it ita|japanese ja jpn|georgian ka geo kat|korean ko kor
        lithuanian lt lit|latvian lv lav|macedonian mk mac mkd|malay ms may msa|bokmal nb nob|dutch nl dut nld|norwegian no nor
        polish pl pol|portuguese pt por|romanian ro rum ron|russian ru rus|slovak sk slo slk|slovenian sl slv|albanian sq alb sqi
        serbian sr srp|swedish sv swe|tamil ta tam|telugu te tel|thai th tha|turkish tr tur|ukrainian uk ukr|urdu ur urd
        vietnamese vi vie|chinese zh chi zho|afrikaans af afr|azerbaijani az aze|belarusian be bel|bosnian bs bos|cantonese yue
        esperanto eo epo|filipino fil|gujarati gu guj|kannada kn kan|kazakh kk kaz|khmer km khm|luxembourgish lb ltz
        malayalam ml mal|marathi mr mar|mongolian mn mon|burmese my bur mya|nepali ne nep|nynorsk nn nno|punjabi pa pan|sinhala si sin
        swahili sw swa|tagalog tl tgl|uzbek uz uzb|yiddish yi yid
        """.split(whereSeparator: { $0 == "|" || $0 == "\n" }).map { $0.split(separator: " ").map(String.init) }

    /// Further names in files: languages in their own words, and codes of makers.
    private static let others: [String: String] = [
        "brazilian": "pt-BR", "pob": "pt-BR", "ptbr": "pt-BR", "chs": "zh-Hans", "zhs": "zh-Hans", "cht": "zh-Hant",
        "zht": "zh-Hant", "deutsch": "de", "français": "fr", "francais": "fr", "español": "es", "espanol": "es",
        "castellano": "es", "latino": "es-419", "italiano": "it", "português": "pt", "portugues": "pt", "nederlands": "nl",
        "svenska": "sv", "norsk": "no", "dansk": "da", "suomi": "fi", "polski": "pl", "čeština": "cs", "cesky": "cs",
        "slovenčina": "sk", "magyar": "hu", "română": "ro", "romana": "ro", "hrvatski": "hr", "srpski": "sr", "türkçe": "tr",
        "turkce": "tr", "русский": "ru", "українська": "uk", "български": "bg", "ελληνικά": "el", "العربية": "ar", "עברית": "he",
        "فارسی": "fa", "farsi": "fa", "हिन्दी": "hi", "ไทย": "th", "日本語": "ja", "한국어": "ko", "中文": "zh", "简体中文": "zh-Hans",
        "简体": "zh-Hans", "繁體中文": "zh-Hant", "繁體": "zh-Hant", "繁体": "zh-Hant",
    ]

    private static let aliases: [String: String] = {
        var map: [String: String] = [:]
        for row in rows { for code in row.dropFirst() { map[code] = row[row.count - 1] } }
        return map
    }()

    private static let names: [String: String] = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
}
