/// Languages by their ISO 639 codes. A table of the ones that videos carry: the ICU tables behind Foundation's names would add
/// 30 MB to a static program.
public enum LanguageName {
    /// The English name of a code ("de", "ger", "deu" → "German"; "pt-BR" → "Portuguese (BR)"); the code itself when unknown.
    public static func english(_ code: String) -> String {
        let parts = code.split(separator: "-", maxSplits: 1)
        guard let base = parts.first, let entry = byWord[base.lowercased()] else { return code }
        return parts.count == 2 ? "\(entry.name) (\(parts[1]))" : entry.name
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
    private static let table = """
        Afrikaans af afr;Albanian sq alb sqi;Arabic ar ara;Armenian hy arm hye;Azerbaijani az aze;Basque eu baq eus
        Belarusian be bel;Bengali bn ben;Bosnian bs bos;Bulgarian bg bul;Catalan ca cat;Chinese zh chi zho;Cantonese yue
        Croatian hr hrv;Czech cs cze ces;Danish da dan;Dutch nl dut nld;English en eng;Esperanto eo epo;Estonian et est
        Filipino fil;Finnish fi fin;French fr fre fra;Galician gl glg;Georgian ka geo kat;German de ger deu;Greek el gre ell
        Gujarati gu guj;Hebrew he heb;Hindi hi hin;Hungarian hu hun;Icelandic is ice isl;Indonesian id ind;Irish ga gle
        Italian it ita;Japanese ja jpn;Kannada kn kan;Kazakh kk kaz;Khmer km khm;Korean ko kor;Latin la lat;Latvian lv lav
        Lithuanian lt lit;Macedonian mk mac mkd;Malay ms may msa;Malayalam ml mal;Marathi mr mar;Mongolian mn mon
        Norwegian no nor;Bokmål nb nob;Nynorsk nn nno;Persian fa per fas;Polish pl pol;Portuguese pt por;Punjabi pa pan
        Romanian ro rum ron;Russian ru rus;Serbian sr srp;Sinhala si sin;Slovak sk slo slk;Slovenian sl slv;Spanish es spa
        Swahili sw swa;Swedish sv swe;Tagalog tl tgl;Tamil ta tam;Telugu te tel;Thai th tha;Tibetan bo tib bod
        Turkish tr tur;Ukrainian uk ukr;Urdu ur urd;Uzbek uz uzb;Vietnamese vi vie;Welsh cy wel cym;Yiddish yi yid
        """

    private static let byWord: [String: Entry] = {
        var result: [String: Entry] = [:]
        for language in table.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
            let words = language.split(separator: " ").map(String.init)
            guard let name = words.first else { continue }
            for word in words { result[word.lowercased()] = Entry(name: name) }
        }
        return result
    }()
}
