import AetherCore
import AetherTestSupport
import ArgumentParser
import Testing

@testable import AetherUI

/// `--help` in every language. The language is the task's, so that tests in English run beside these.
@Suite struct TranslatedHelpTests {
    private static let languages = CatalogueTests.languages

    private static func options(_ catalogue: Catalogue?) -> [OptionCatalogue.Option] {
        Language.$catalogue.withValue(catalogue) { OptionCatalogue(of: PlayerOptions.self).options }
    }

    @Test(arguments: languages) func everyOptionIsDescribed(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        let english = Self.options(nil), theirs = Self.options(catalogue)
        // What is written stays: names, words and defaults.
        #expect(theirs.map(\.name) == english.map(\.name) && theirs.map(\.words) == english.map(\.words))
        #expect(theirs.map(\.defaultValue) == english.map(\.defaultValue))
        #expect(english.count > 70)
        for (one, other) in zip(english, theirs) {
            #expect(catalogue.sentences[one.abstract]?.first == other.abstract, "--\(one.name): \(other.abstract)")
            #expect(!other.abstract.isEmpty, "--\(one.name)")
        }
    }

    /// The words for values, too, and forms such as #RRGGBB as they are.
    @Test(arguments: languages) func theHelpNamesItsValues(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        let help = Language.$catalogue.withValue(catalogue) { PlayerOptions.helpMessage(columns: 400) }
        for word in ["file", "seconds", "number"] {
            let text = try #require(catalogue.sentences["value\u{4}" + word]?.first)
            #expect(help.contains("<\(text)>"), "\(language): \(word)")
        }
        #expect(help.contains("<#RRGGBB>") && help.contains("<low-latency|safe|fast-zap>"))
    }

    /// The description of a setting is the process's, whoever asks first: tests in other languages, too.
    @Test func theSettingsAreDescribedInTheLanguageOfTheProcess() throws {
        let catalogue = try SourceTree.catalogue("de.po").catalogue
        let said = Language.$catalogue.withValue(catalogue) { OptionCatalogue.player.option("volume")?.abstract }
        #expect(said == "Volume in percent, 0 to 150.")
    }

    @Test(arguments: languages) func theVersionNamesItsPartsInTheLanguage(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        let report = Language.$catalogue.withValue(catalogue) { App.versionReport(readsShares: true, readsDrives: false) }
        #expect(report.hasPrefix(App.version + "\n") && report.contains("aether-disc"))
        #expect(!report.contains("yes") && !report.contains("installed)"))
    }
}
