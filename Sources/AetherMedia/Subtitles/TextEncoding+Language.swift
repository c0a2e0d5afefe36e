import AetherCore
import Glibc

extension TextEncoding {
    /// The character sets that texts of a language came in before Unicode, as iconv names them, the likeliest first; nil for languages
    /// without any of their own.
    static func usual(in language: String) -> [String]? {
        let isTraditional = ["hant", "tw", "hk"].contains { language.lowercased().split(separator: "-").contains($0[...]) }
        switch LanguageCode.canonical(language) {
        case "zho": return isTraditional ? ["BIG5", "BIG5-HKSCS", "GB18030"] : ["GB18030", "GBK", "BIG5", "EUC-TW"]
        case let code: return tables.first { $0.languages.contains(code) }?.sets
        }
    }

    private static let tables: [(languages: Set<String>, sets: [String])] = [
        (
            ["rus", "ukr", "bul", "mkd", "bel"],
            // Not the Mac's, which uchardet names for the first line of many a video.
            ["WINDOWS-1251", "KOI8-R", "KOI8-U", "ISO-8859-5", "IBM866", "IBM855"]
        ),
        (
            ["pol", "ces", "slk", "hun", "slv", "hrv", "bos", "ron", "sqi"],
            ["WINDOWS-1250", "ISO-8859-2", "ISO-8859-16", "IBM852", "MACCENTRALEUROPE"]
        ),
        (["ell"], ["WINDOWS-1253", "ISO-8859-7"]), (["tur", "aze"], ["WINDOWS-1254", "ISO-8859-9"]),
        (["heb"], ["WINDOWS-1255", "ISO-8859-8"]), (["ara", "fas", "urd"], ["WINDOWS-1256", "ISO-8859-6"]),
        (["est", "lav", "lit"], ["WINDOWS-1257", "ISO-8859-13", "ISO-8859-4"]), (["vie"], ["WINDOWS-1258", "VISCII"]),
        (["tha"], ["TIS-620", "ISO-8859-11"]), (["jpn"], ["CP932", "EUC-JP", "ISO-2022-JP"]),
        (["kor"], ["UHC", "EUC-KR", "ISO-2022-KR"]),
        (
            [
                "eng", "fra", "deu", "spa", "ita", "por", "nld", "swe", "dan", "nor", "nob", "nno", "fin", "isl", "cat", "eus",
                "glg", "gle",
            ], ["WINDOWS-1252", "ISO-8859-1", "ISO-8859-15"]
        ),
    ]

    /// Whether every byte is a letter of a character set, and none a control of it.
    static func isReadable(_ bytes: [UInt8], as name: String) -> Bool {
        guard let text = converted(bytes, from: name) else { return false }
        return !String(decoding: text, as: UTF8.self).unicodeScalars.contains { $0 == "\u{FFFD}" || 0x80...0x9F ~= $0.value }
    }
}
