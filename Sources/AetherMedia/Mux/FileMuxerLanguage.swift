/// The names of languages that files have: three letters, by ISO 639-2. Pure.
enum FileMuxerLanguage {
    /// Two letters of ISO 639-1 and the three of ISO 639-2/B, as manifests and files have them most.
    private static let codes: [String: String] = [
        "ar": "ara", "bg": "bul", "bn": "ben", "ca": "cat", "cs": "cze", "cy": "wel", "da": "dan", "de": "ger", "el": "gre",
        "en": "eng", "es": "spa", "et": "est", "eu": "baq", "fa": "per", "fi": "fin", "fr": "fre", "ga": "gle", "gl": "glg",
        "he": "heb", "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind", "is": "ice", "it": "ita", "ja": "jpn", "ko": "kor",
        "lt": "lit", "lv": "lav", "mk": "mac", "ms": "may", "nb": "nob", "nl": "dut", "nn": "nno", "no": "nor", "pl": "pol",
        "pt": "por", "ro": "rum", "ru": "rus", "sk": "slo", "sl": "slv", "sq": "alb", "sr": "srp", "sv": "swe", "ta": "tam",
        "te": "tel", "th": "tha", "tr": "tur", "uk": "ukr", "ur": "urd", "vi": "vie", "zh": "chi",
    ]

    /// The three letters for a language as it is written in a manifest ("pt-BR"); one that is not known stays as it is.
    static func code(_ language: String) -> String {
        let base = language.lowercased().prefix { $0 != "-" && $0 != "_" }
        return codes[String(base)] ?? (base.utf8.count == 3 ? String(base) : language)
    }
}
