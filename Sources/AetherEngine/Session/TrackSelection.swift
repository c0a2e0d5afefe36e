import AetherCore

/// Chooses the tracks a session begins with. Pure.
enum TrackSelection {
    /// The film: the first video track that is no cover picture, default ones first.
    static func video(_ tracks: [TrackInfo]) -> TrackID? {
        let films = tracks.filter { !$0.isAttachedPicture }
        return (films.first { $0.isDefault } ?? films.first)?.id
    }

    /// By language, best preference first; else the default track; else the first. Commentary only where nothing else is.
    static func audio(_ tracks: [TrackInfo], languages: [String]) -> TrackID? {
        let main = tracks.filter { !$0.isCommentary }
        let candidates = main.isEmpty ? tracks : main
        for language in languages {
            let matching = candidates.filter { matches($0.language, language) }
            if let track = matching.first(where: \.isDefault) ?? matching.first { return track.id }
        }
        return (candidates.first(where: \.isDefault) ?? candidates.first)?.id
    }

    /// By language (full before those for the hard of hearing, before forced, before commentary; text before pictures); without a
    /// wish, the track the file marks as default or forced; else none.
    static func subtitle(_ tracks: [TrackInfo], languages: [String]) -> TrackID? {
        let text = tracks.filter { !$0.isBitmapSubtitle }
        for language in languages {
            let matching = text.filter { matches($0.language, language) }
            if let best = matching.min(by: { penalty($0) < penalty($1) }) { return best.id }
        }
        return languages.isEmpty ? (text.first { $0.isDefault || $0.isForced })?.id : nil
    }

    private static func penalty(_ track: TrackInfo) -> Int {
        (track.isCommentary ? 4 : 0) + (track.isForced ? 2 : 0) + (track.isHearingImpaired ? 1 : 0)
    }

    /// Whether a file's language tag is the one asked for: ISO 639-1, 639-2/B and 639-2/T name the same, regions are ignored.
    static func matches(_ tag: String?, _ wanted: String) -> Bool {
        guard let tag else { return false }
        return canonical(tag) == canonical(wanted)
    }

    private static func canonical(_ tag: String) -> String {
        let base = tag.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init) ?? ""
        return aliases[base] ?? base
    }

    /// ISO 639-1 and 639-2/B codes to 639-2/T, for the languages that films come in.
    private static let aliases: [String: String] = {
        let rows = """
            ar ara|bg bul|bn ben|bo tib bod|ca cat|cs cze ces|cy wel cym|da dan|de ger deu|el gre ell|en eng|es spa|et est|eu baq eus
            fa per fas|fi fin|fr fre fra|ga gle|gl glg|he heb|hi hin|hr hrv|hu hun|hy arm hye|id ind|is ice isl|it ita|ja jpn|ka geo kat
            ko kor|lt lit|lv lav|mk mac mkd|ms may msa|nb nob|nl dut nld|no nor|pl pol|pt por|ro rum ron|ru rus|sk slo slk|sl slv
            sq alb sqi|sr srp|sv swe|ta tam|te tel|th tha|tr tur|uk ukr|ur urd|vi vie|zh chi zho
            """
        var map: [String: String] = [:]
        for row in rows.split(whereSeparator: { $0 == "|" || $0 == "\n" }) {
            let codes = row.split(separator: " ").map(String.init)
            guard let canonical = codes.last else { continue }
            for code in codes { map[code] = canonical }
        }
        return map
    }()
}
