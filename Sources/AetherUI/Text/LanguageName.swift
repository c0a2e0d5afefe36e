import AetherCore

/// Languages by their ISO 639 codes. A table of the ones that videos carry: the ICU tables behind Foundation's names would add
/// 30 MB to a static program.
public enum LanguageName {
    /// The English name of a code ("de", "ger", "deu" → "German"; "pt-BR" → "Portuguese (BR)"); the code itself when unknown.
    public static func english(_ code: String) -> String {
        let parts = code.split(separator: "-", maxSplits: 1)
        guard let base = parts.first, let entry = byWord[base.lowercased()] else { return code }
        return parts.count == 2 ? "\(entry.name) (\(parts[1]))" : entry.name
    }

    /// The name in the language of the person.
    static func shown(_ code: String) -> String {
        let parts = code.split(separator: "-", maxSplits: 1)
        guard let base = parts.first, let entry = byWord[base.lowercased()] else { return code }
        let name = translated(Phrase(stringLiteral: entry.name))
        return parts.count == 2 ? "\(name) (\(parts[1]))" : name
    }

    /// Whether two codes or names mean one language. A region counts only where both have one.
    public static func isSame(_ a: String, _ b: String) -> Bool {
        let (first, second) = (a.lowercased(), b.lowercased())
        if first == second { return true }
        let left = first.split(separator: "-", maxSplits: 1), right = second.split(separator: "-", maxSplits: 1)
        guard let leftBase = left.first, let rightBase = right.first else { return false }
        if left.count == 2, right.count == 2, left[1] != right[1] { return false }
        if leftBase == rightBase { return true }
        guard let one = byWord[String(leftBase)], let other = byWord[String(rightBase)] else { return false }
        return one.name == other.name
    }

    private struct Entry { let name: String }

    /// Name, then ISO 639-1, 639-2/B and 639-2/T codes.
    private static let table: [(name: Phrase, codes: String)] = [
        (phrase("Afrikaans"), "af afr"), (phrase("Albanian"), "sq alb sqi"), (phrase("Arabic"), "ar ara"),
        (phrase("Armenian"), "hy arm hye"), (phrase("Azerbaijani"), "az aze"), (phrase("Basque"), "eu baq eus"),
        (phrase("Belarusian"), "be bel"), (phrase("Bengali"), "bn ben"), (phrase("Bosnian"), "bs bos"),
        (phrase("Bulgarian"), "bg bul"), (phrase("Catalan"), "ca cat"), (phrase("Chinese"), "zh chi zho"),
        (phrase("Cantonese"), "yue"), (phrase("Croatian"), "hr hrv"), (phrase("Czech"), "cs cze ces"),
        (phrase("Danish"), "da dan"), (phrase("Dutch"), "nl dut nld"), (phrase("English"), "en eng"),
        (phrase("Esperanto"), "eo epo"), (phrase("Estonian"), "et est"), (phrase("Filipino"), "fil"),
        (phrase("Finnish"), "fi fin"), (phrase("French"), "fr fre fra"), (phrase("Galician"), "gl glg"),
        (phrase("Georgian"), "ka geo kat"), (phrase("German"), "de ger deu"), (phrase("Greek"), "el gre ell"),
        (phrase("Gujarati"), "gu guj"), (phrase("Hebrew"), "he heb"), (phrase("Hindi"), "hi hin"),
        (phrase("Hungarian"), "hu hun"), (phrase("Icelandic"), "is ice isl"), (phrase("Indonesian"), "id ind"),
        (phrase("Irish"), "ga gle"), (phrase("Italian"), "it ita"), (phrase("Japanese"), "ja jpn"),
        (phrase("Kannada"), "kn kan"), (phrase("Kazakh"), "kk kaz"), (phrase("Khmer"), "km khm"),
        (phrase("Korean"), "ko kor"), (phrase("Latin"), "la lat"), (phrase("Latvian"), "lv lav"),
        (phrase("Lithuanian"), "lt lit"), (phrase("Macedonian"), "mk mac mkd"), (phrase("Malay"), "ms may msa"),
        (phrase("Malayalam"), "ml mal"), (phrase("Marathi"), "mr mar"), (phrase("Mongolian"), "mn mon"),
        (phrase("Norwegian"), "no nor"), (phrase("Bokmål"), "nb nob"), (phrase("Nynorsk"), "nn nno"),
        (phrase("Persian"), "fa per fas"), (phrase("Polish"), "pl pol"), (phrase("Portuguese"), "pt por"),
        (phrase("Punjabi"), "pa pan"), (phrase("Romanian"), "ro rum ron"), (phrase("Russian"), "ru rus"),
        (phrase("Serbian"), "sr srp"), (phrase("Sinhala"), "si sin"), (phrase("Slovak"), "sk slo slk"),
        (phrase("Slovenian"), "sl slv"), (phrase("Spanish"), "es spa"), (phrase("Swahili"), "sw swa"),
        (phrase("Swedish"), "sv swe"), (phrase("Tagalog"), "tl tgl"), (phrase("Tamil"), "ta tam"),
        (phrase("Telugu"), "te tel"), (phrase("Thai"), "th tha"), (phrase("Tibetan"), "bo tib bod"),
        (phrase("Turkish"), "tr tur"), (phrase("Ukrainian"), "uk ukr"), (phrase("Urdu"), "ur urd"),
        (phrase("Uzbek"), "uz uzb"), (phrase("Vietnamese"), "vi vie"), (phrase("Welsh"), "cy wel cym"),
        (phrase("Yiddish"), "yi yid"),
    ]

    private static let byWord: [String: Entry] = {
        var result: [String: Entry] = [:]
        for language in table {
            let name = language.name.key
            for word in [name] + language.codes.split(separator: " ").map(String.init) {
                result[word.lowercased()] = Entry(name: name)
            }
        }
        return result
    }()
}
