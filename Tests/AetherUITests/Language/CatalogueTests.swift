import AetherCore
import AetherOptions
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

/// The catalogues against the sources: `make catalogue` brings the sentences into them.
@Suite struct CatalogueTests {
    static let languages = InterfaceLanguage.allCases.filter { $0 != .auto && $0 != .english }.map(\.rawValue)

    @Test func theTemplateHasTheSentencesOfTheSources() throws {
        let sentences = try SourceTree.sentences()
        if ProcessInfo.processInfo.environment["AETHER_RECORD_CATALOGUE"] != nil {
            let file = SourceTree.root.appending(path: "po/aether-tui.pot")
            try CatalogueFile.template(sentences).write(to: file, atomically: true, encoding: .utf8)
        }
        let template = Set(try SourceTree.catalogue("aether-tui.pot").entries.map(\.sentence))
        let said = Set(sentences.map(\.sentence))
        #expect(said.subtracting(template).map(\.name).sorted() == [], "not in po/aether-tui.pot: make catalogue")
        #expect(template.subtracting(said).map(\.name).sorted() == [], "no longer said: make catalogue")
        #expect(said.count > 1000)
    }

    @Test(arguments: languages) func everySentenceIsTranslated(_ language: String) throws {
        let template = try SourceTree.catalogue("aether-tui.pot").entries.map(\.sentence)
        let catalogue = try SourceTree.catalogue(language + ".po")
        let names = catalogue.entries.map(\.sentence)
        #expect(Set(template).subtracting(names).map(\.name).sorted() == [], "not in \(language).po")
        #expect(Set(names).subtracting(template).map(\.name).sorted() == [], "no longer said")
        #expect(Set(names).count == names.count)
        #expect(catalogue.head.contains("Language: \(language)\n"))
        for entry in catalogue.entries {
            #expect(!entry.isFuzzy, "\(entry.sentence.name)")
            #expect(entry.translations.count == (entry.sentence.plural == nil ? 1 : 2))
            for text in entry.translations {
                #expect(!text.isEmpty, "\(entry.sentence.name) is not translated")
                // The form for one may do without its number: "a row".
                let marks = Self.marks(entry.sentence.plural ?? entry.sentence.key)
                #expect(
                    entry.sentence.plural == nil ? Self.marks(text) == marks : Self.marks(text).isSubset(of: marks), "\(text)")
                #expect(Self.margins(text) == Self.margins(entry.sentence.key), "“\(text)”")
                #expect(!text.unicodeScalars.contains(where: DisplayText.isUnsafe), "\(text)")
                // A translation that has no-break spaces would be wider than it looks, and cut where it need not.
                #expect(!text.contains("\u{A0}") && !text.contains("\u{202F}"), "\(text)")
            }
        }
    }

    /// The languages that are offered are those of the catalogues.
    @Test func theOptionNamesTheCatalogues() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.appending(path: "po").path)
        let found = files.filter { $0.hasSuffix(".po") }.map { String($0.dropLast(3)) }
        #expect(found.sorted() == Self.languages.sorted())
    }

    @Test func theLanguageIsReadBeforeTheCommandLineIsParsed() {
        #expect(InterfaceLanguage(in: ["--language", "de", "a.mkv"]) == .german)
        #expect(InterfaceLanguage(in: ["--language=fr", "--language=en"]) == .english)
        #expect(InterfaceLanguage(in: ["--", "--language=fr"]) == .auto)
        #expect(InterfaceLanguage(in: ["--language"]) == .auto && InterfaceLanguage(in: ["--language=xx"]) == .auto)
    }

    /// %1, %2 …, each once however often it is said.
    private static func marks(_ text: String) -> Set<Substring> { Set(text.matches(of: #/%[1-9]/#).map(\.output)) }

    /// Spaces at the ends join sentences.
    private static func margins(_ text: String) -> [Int] {
        [text.prefix { $0 == " " }.count, text.reversed().prefix { $0 == " " }.count]
    }
}
