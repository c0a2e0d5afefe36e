import AetherCore

/// Chooses the tracks a session begins with. Pure.
enum TrackSelection {
    /// The video: the first video track that is no cover image, default ones first.
    static func video(_ tracks: [TrackInfo]) -> TrackID? {
        let videos = tracks.filter { !$0.isAttachedPicture }
        return (videos.first { $0.isDefault } ?? videos.first)?.id
    }

    /// By language, best preference first; else the default track; else the first. Commentary only where nothing else is.
    static func audio(_ tracks: [TrackInfo], languages: [String]) -> TrackID? {
        let main = tracks.filter { !$0.isCommentary }
        let candidates = main.isEmpty ? tracks : main
        for language in languages {
            let matching = candidates.filter { matches($0.language, language) }
            func rank(_ track: TrackInfo) -> Int { regionRank(track.language, language) * 2 + (track.isDefault ? 0 : 1) }
            if let track = matching.min(by: { rank($0) < rank($1) }) { return track.id }
        }
        return (candidates.first(where: \.isDefault) ?? candidates.first)?.id
    }

    /// By language, best preference first, and within it by `rank`; without a wish, a file under the video's very name, the track that the
    /// video marks as default or forced; else none. `forcedOnly`: nothing but tracks of forced lines.
    static func subtitle(_ tracks: [TrackInfo], languages: [String], forcedOnly: Bool = false) -> TrackID? {
        let candidates = tracks.filter { !forcedOnly || $0.isForced }
        func best(_ tracks: [TrackInfo], _ language: String? = nil) -> TrackID? {
            tracks.min { rank($0, language) < rank($1, language) }?.id
        }
        for language in languages {
            if let track = best(candidates.filter { matches($0.language, language) }, language) { return track }
        }
        guard languages.isEmpty else { return nil }
        // Who puts a file of that name beside a video wants to read it.
        return best(candidates.filter { $0.id.origin == .external && $0.isDefault })
            ?? best(candidates.filter { $0.isDefault || $0.isForced })
    }

    /// Lower is better: full, then for the hard of hearing, then forced lines only, then commentary; the region that is asked for; text
    /// before bitmaps, and what the file marks before what it does not. Ties are broken by order.
    static func rank(_ track: TrackInfo, _ language: String? = nil) -> Int {
        let kind = track.isCommentary ? 3 : track.isForced ? 2 : track.isHearingImpaired ? 1 : 0
        let region = language.map { regionRank(track.language, $0) } ?? 0
        return kind * 16 + region * 4 + (track.isBitmapSubtitle ? 2 : 0) + (track.isDefault ? 0 : 1)
    }

    /// 0: the region that is asked for, or none is. 1: the track names none. 2: another.
    private static func regionRank(_ tag: String?, _ wanted: String) -> Int {
        guard let region = LanguageCode.region(of: wanted), let tag else { return 0 }
        return LanguageCode.region(of: tag).map { $0 == region ? 0 : 2 } ?? 1
    }

    /// Whether a file's language tag is the one asked for: ISO 639-1, 639-2/B and 639-2/T name the same, whatever the region.
    static func matches(_ tag: String?, _ wanted: String) -> Bool {
        guard let tag else { return false }
        return LanguageCode.canonical(tag) == LanguageCode.canonical(wanted)
    }
}
