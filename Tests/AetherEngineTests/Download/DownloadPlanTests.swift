import AetherFormats
import AetherSources
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// The renditions that a download fetches out of a list of variants.
@Suite struct DownloadPlanTests {
    private static func plan(_ text: String, _ change: (inout AssetDownloadConfiguration) throws -> Void) throws -> DownloadPlan {
        let address = try #require(StreamAddress("https://h/m.m3u8"))
        guard case .variants(let list) = try HLSPlaylist(Array(text.utf8), address: address) else { throw CancellationError() }
        let presentation = Presentation(list)
        var configuration = AssetDownloadConfiguration(asset: .url("https://h/m.m3u8"))
        try change(&configuration)
        return try DownloadPlan(presentation, presentation.mediaVariants(), configuration, name: "m")
    }

    private static func wish(_ predicate: String, _ audio: String = "", _ text: String = "") throws
        -> AssetDownloadContentConfiguration
    {
        AssetDownloadContentConfiguration(
            variantQualifiers: predicate.isEmpty ? [] : [try MediaVariantQualifier(predicate)],
            mediaSelections: AssetMediaSelection.list(.audio, audio) + AssetMediaSelection.list(.text, text))
    }

    @Test(
        arguments: [
            ("", "", ["dv", "atmos/en.m3u8"]), ("videoRange == SDR", "", ["sdr", "stereo/en.m3u8"]),
            ("videoRange == PQ", "en,fr", ["dv", "atmos/en.m3u8", "atmos/fr.m3u8"]),
            ("videoRange == SDR", "fra", ["sdr", "stereo/fr.m3u8"]),
            ("worst", "all", ["sdr", "stereo/en.m3u8", "stereo/fr.m3u8"]),
            ("peak < 20M", "de", ["sdr", "stereo/en.m3u8"]),
        ] as [(String, String, [String])])
    func ofTheListOfTheTalk(_ predicate: String, _ audio: String, _ renditions: [String]) throws {
        let plan = try Self.plan(VariantFixtures.talk) { $0.primaryContentConfiguration = try Self.wish(predicate, audio) }
        #expect(plan.parts.map(\.rendition) == renditions)
        #expect(plan.parts.allSatisfy { $0.auxiliary == nil })
        #expect(plan.notes == (audio == "de" ? ["no audio in ‘de’"] : []))
    }

    @Test func aWishThatNothingMeetsIsRefused() throws {
        #expect(throws: MediaError.self) {
            try Self.plan(VariantFixtures.talk) { $0.primaryContentConfiguration = try Self.wish("peak < 1M") }
        }
    }

    /// A rendition that the primary configuration has is not fetched again, and with the optimiser a further one only where it must be.
    @Test(arguments: [(false, ["720", "a/en", "1080"]), (true, ["720", "a/en"])])
    func theAuxiliaryIsTheComplementOfThePrimary(_ optimizes: Bool, _ renditions: [String]) throws {
        let plan = try Self.plan(VariantFixtures.ladder) { configuration in
            configuration.primaryContentConfiguration = try Self.wish("lines == 720p && codecs == avc1 && peak < 5M", "en")
            configuration.auxiliaryContentConfigurations = [try Self.wish("range == SDR && peak <= 5M", "en")]
            configuration.optimizesAuxiliaryContentConfigurations = optimizes
        }
        #expect(plan.parts.map(\.rendition) == renditions)
        #expect(plan.parts.map { $0.auxiliary == nil } == renditions.map { $0 != "1080" })
    }

    @Test func anAuxiliaryBringsItsOwnAudio() throws {
        let plan = try Self.plan(VariantFixtures.ladder) { configuration in
            configuration.primaryContentConfiguration = try Self.wish("range == PQ && peak < 5M", "en,de")
            configuration.auxiliaryContentConfigurations = [try Self.wish("alac IN formatIDs", "en"), try Self.wish("peak < 1")]
        }
        #expect(plan.parts.map(\.rendition) == ["pq", "a/en", "a/de", "alac", "l/en"])
        #expect(plan.choices.map(\.variant) == ["pq", "alac"])
        #expect(plan.notes.count == 1 && plan.notes[0].hasPrefix("auxiliary 2: none of its"))
    }
}
