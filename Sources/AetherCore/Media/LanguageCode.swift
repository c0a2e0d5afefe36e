/// A language as tags and file names give it: ISO 639-1, 639-2/B, 639-2/T, with a region or without, or its English name.
public struct LanguageCode: Sendable, Equatable {
    /// As written, in lower case, or the code where a name was written.
    public let tag: String

    /// nil for a word that is no language known here.
    public init?(_ word: some StringProtocol) {
        let word = word.lowercased()
        if let code = Self.names[word] {
            tag = code
        } else if (2...3).contains(Self.base(word).count), Self.aliases[Self.base(word)] != nil {
            tag = word
        } else {
            return nil
        }
    }

    /// The 639-2/T code of a tag, or its first part where it is not known.
    public static func canonical(_ tag: String) -> String {
        let base = base(tag.lowercased())
        return aliases[base] ?? base
    }

    private static func base(_ tag: String) -> String {
        tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init) ?? ""
    }

    /// English name, ISO 639-1, 639-2/B and 639-2/T codes of the languages that films come in.
    private static let rows = """
        arabic ar ara|bulgarian bg bul|bengali bn ben|tibetan bo tib bod|catalan ca cat|czech cs cze ces|welsh cy wel cym|danish da dan
        german de ger deu|greek el gre ell|english en eng|spanish es spa|estonian et est|basque eu baq eus|persian fa per fas
        finnish fi fin|french fr fre fra|irish ga gle|galician gl glg|hebrew he heb|hindi hi hin|croatian hr hrv|hungarian hu hun
        armenian hy arm hye|indonesian id ind|icelandic is ice isl|italian it ita|japanese ja jpn|georgian ka geo kat|korean ko kor
        lithuanian lt lit|latvian lv lav|macedonian mk mac mkd|malay ms may msa|bokmal nb nob|dutch nl dut nld|norwegian no nor
        polish pl pol|portuguese pt por|romanian ro rum ron|russian ru rus|slovak sk slo slk|slovenian sl slv|albanian sq alb sqi
        serbian sr srp|swedish sv swe|tamil ta tam|telugu te tel|thai th tha|turkish tr tur|ukrainian uk ukr|urdu ur urd
        vietnamese vi vie|chinese zh chi zho
        """.split(whereSeparator: { $0 == "|" || $0 == "\n" }).map { $0.split(separator: " ").map(String.init) }

    private static let aliases: [String: String] = {
        var map: [String: String] = [:]
        for row in rows { for code in row.dropFirst() { map[code] = row[row.count - 1] } }
        return map
    }()

    private static let names: [String: String] = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
}
