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

    /// By language, best preference first, and within it by `rank`; without a wish, the track the file marks as default or forced; else
    /// none. `forcedOnly`: nothing but tracks of forced lines.
    static func subtitle(_ tracks: [TrackInfo], languages: [String], forcedOnly: Bool = false) -> TrackID? {
        let candidates = tracks.filter { !forcedOnly || $0.isForced }
        func best(_ tracks: [TrackInfo]) -> TrackID? { tracks.min { rank($0) < rank($1) }?.id }
        for language in languages {
            if let track = best(candidates.filter { matches($0.language, language) }) { return track }
        }
        return languages.isEmpty ? best(candidates.filter { $0.isDefault || $0.isForced }) : nil
    }

    /// Lower is better: full, then for the hard of hearing, then forced lines only, then commentary; text before pictures, and what the
    /// file marks before what it does not. Ties are broken by order.
    static func rank(_ track: TrackInfo) -> Int {
        let kind = track.isCommentary ? 3 : track.isForced ? 2 : track.isHearingImpaired ? 1 : 0
        return kind * 4 + (track.isBitmapSubtitle ? 2 : 0) + (track.isDefault ? 0 : 1)
    }

    /// Whether a file's language tag is the one asked for: ISO 639-1, 639-2/B and 639-2/T name the same, regions are ignored.
    static func matches(_ tag: String?, _ wanted: String) -> Bool {
        guard let tag else { return false }
        return LanguageCode.canonical(tag) == LanguageCode.canonical(wanted)
    }
}
