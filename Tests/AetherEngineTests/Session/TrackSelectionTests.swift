import AetherCore
import Testing

@testable import AetherEngine

@Suite struct TrackSelectionTests {
    private func track(
        _ number: Int, _ kind: TrackKind = .audio, _ language: String? = nil, isDefault: Bool = false, isForced: Bool = false,
        isHearingImpaired: Bool = false, isCommentary: Bool = false, isPicture: Bool = false, isBitmap: Bool = false
    ) -> TrackInfo {
        TrackInfo(
            id: TrackID(.container, number), kind: kind, codec: "x", language: language, isDefault: isDefault, isForced: isForced,
            isHearingImpaired: isHearingImpaired, isCommentary: isCommentary, isAttachedPicture: isPicture,
            isBitmapSubtitle: isBitmap)
    }

    @Test(arguments: [
        ("de", "ger", true), ("ger", "deu", true), ("deu", "de", true), ("DEU", "de-DE", true), ("de-AT", "ger", true),
        ("pt_BR", "por", true), ("fre", "fr", true), ("chi", "zh-Hant", true), ("en", "de", false), ("qaa", "qaa", true),
        ("", "de", false),
    ]) func languagesHaveManyNames(tag: String, wanted: String, same: Bool) {
        #expect(TrackSelection.matches(tag, wanted) == same)
        #expect(TrackSelection.matches(wanted, tag) == same)
    }

    @Test func aTrackWithoutALanguageIsNobodys() { #expect(!TrackSelection.matches(nil, "de")) }

    @Test func audioGoesByLanguageThenDefaultThenOrder() {
        let tracks = [
            track(1, .audio, "eng"), track(2, .audio, "ger", isCommentary: true), track(3, .audio, "ger"),
            track(4, .audio, "deu", isDefault: true), track(5, .audio, "fra"),
        ]
        let table: [(languages: [String], number: Int)] = [
            ([], 4), (["de"], 4), (["fr", "de"], 5), (["ja", "en"], 1), (["ja"], 4),
        ]
        for row in table { #expect(TrackSelection.audio(tracks, languages: row.languages)?.number == row.number, "\(row)") }
        #expect(TrackSelection.audio([], languages: ["de"]) == nil)
        #expect(TrackSelection.audio([track(1), track(2)], languages: [])?.number == 1)
        // Commentary only where nothing else is.
        #expect(TrackSelection.audio([track(1, isCommentary: true)], languages: [])?.number == 1)
        #expect(TrackSelection.audio([track(1, .audio, "de", isCommentary: true), track(2)], languages: ["de"])?.number == 2)
    }

    @Test func theRegionThatIsAskedForComesFirst() {
        let tracks = [
            track(1, .subtitle, "pt-PT"), track(2, .subtitle, "por"), track(3, .subtitle, "pt-BR"),
            track(4, .subtitle, "pt-BR", isForced: true), track(5, .subtitle, "zh-Hans"),
        ]
        for (wanted, number) in [("pt-BR", 3), ("pt", 1), ("pt-AO", 2), ("por", 1), ("zh-Hant", 5)] {
            #expect(TrackSelection.subtitle(tracks, languages: [wanted])?.number == number, "\(wanted)")
        }
        let sound = [track(1, .audio, "es", isDefault: true), track(2, .audio, "es-419")]
        #expect(TrackSelection.audio(sound, languages: ["es-419"])?.number == 2)
        #expect(TrackSelection.audio(sound, languages: ["spa"])?.number == 1)
    }

    @Test func theFilmIsNoCoverPicture() {
        let cover = track(0, .video, isDefault: true, isPicture: true)
        #expect(TrackSelection.video([cover, track(1, .video), track(2, .video, isDefault: true)])?.number == 2)
        #expect(TrackSelection.video([cover, track(1, .video)])?.number == 1)
        #expect(TrackSelection.video([cover]) == nil)
    }

    @Test func subtitlesAreShownWhenAskedForOrMarked() {
        let plain = [
            track(1, .subtitle, "de", isForced: true), track(2, .subtitle, "ger", isHearingImpaired: true),
            track(3, .subtitle, "deu"),
        ]
        #expect(TrackSelection.subtitle(plain, languages: ["de"])?.number == 3)
        #expect(TrackSelection.subtitle(Array(plain.prefix(2)), languages: ["de"])?.number == 2)
        #expect(TrackSelection.subtitle(plain, languages: ["ja"]) == nil)
        #expect(TrackSelection.subtitle(plain, languages: [])?.number == 1)
        #expect(TrackSelection.subtitle([track(1, .subtitle, "de")], languages: []) == nil)
        // `film.srt` beside a film whose own track is marked.
        let beside = TrackInfo(id: TrackID(.external, 1), kind: .subtitle, codec: "subrip", isDefault: true)
        let own = TrackInfo(id: TrackID(.container, 2), kind: .subtitle, codec: "subrip", language: "en", isDefault: true)
        #expect(TrackSelection.subtitle([own, beside], languages: []) == beside.id)
        #expect(TrackSelection.subtitle([own, beside], languages: ["en"]) == own.id)
        #expect(TrackSelection.subtitle([track(1, .subtitle, "de", isBitmap: true)], languages: ["de"])?.number == 1)
        #expect(TrackSelection.subtitle(plain, languages: ["de"], forcedOnly: true)?.number == 1)
        #expect(TrackSelection.subtitle([track(1, .subtitle, "de")], languages: ["de"], forcedOnly: true) == nil)
    }

    @Test func fullBeforeSDHBeforeForcedBeforeCommentaryAndTextBeforeFrames() {
        // Best first: each beats all behind it, in whatever order the file has them.
        let ranked = [
            track(1, .subtitle, "de", isDefault: true), track(2, .subtitle, "de"), track(3, .subtitle, "de", isBitmap: true),
            track(4, .subtitle, "de", isHearingImpaired: true),
            track(5, .subtitle, "de", isHearingImpaired: true, isBitmap: true),
            track(6, .subtitle, "de", isForced: true), track(7, .subtitle, "de", isForced: true, isBitmap: true),
            track(8, .subtitle, "de", isCommentary: true), track(9, .subtitle, "de", isCommentary: true, isBitmap: true),
        ]
        for index in ranked.indices {
            #expect(TrackSelection.subtitle(ranked[index...].reversed(), languages: ["de"])?.number == index + 1)
        }
        let languages = [track(1, .subtitle, "en"), track(2, .subtitle, "de", isCommentary: true)]
        #expect(TrackSelection.subtitle(languages, languages: ["de", "en"])?.number == 2)
    }
}
