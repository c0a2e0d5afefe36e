import AetherCore
import AetherTerminal
import AetherTestSupport
import Testing

@testable import AetherUI

/// Every pane in every language, on a terminal of 80x24: as little is cut and left out as in English. The language is the task's, so that tests in
/// English run beside these.
@Suite struct TranslatedScreenTests {
    private static let languages = CatalogueTests.languages
    private static let shape = ScreenShape(name: "80x24", columns: 80, rows: 24)

    @Test(arguments: languages) func noPaneIsCut(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        for pane in ScreenPane.allCases {
            let english = Losses(ChromeView.panes(pane.model(Self.shape)), catalogue: nil)
            let theirs = Language.$catalogue.withValue(catalogue) {
                Losses(ChromeView.panes(pane.model(Self.shape)), catalogue: catalogue)
            }
            theirs.expect(noneBeyond: english, "\(language), \(pane)")
        }
    }

    @Test(arguments: languages) func noMenuIsCut(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        func panes(_ kind: MenuKind) -> [Pane] {
            var model = model(film(), columns: 80, rows: 24)
            model.renderers = RendererOffer(names: ["halfblock", "sextant", "kitty"], present: "kitty")
            _ = model.update(.action(.showMenu(kind)), now: at(1))
            return ChromeView.panes(model)
        }
        for kind in MenuKind.allCases {
            let english = Losses(panes(kind), catalogue: nil)
            let theirs = Language.$catalogue.withValue(catalogue) { Losses(panes(kind), catalogue: catalogue) }
            theirs.expect(noneBeyond: english, "\(language), \(kind)")
        }
    }

    /// The help has as many columns as in English, so that one does not scroll more for the language.
    @Test(arguments: languages) func theHelpFits(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        func columns() -> [Int] {
            [(80, 24), (120, 40), (200, 60)].map { columns, rows in
                HelpColumns(
                    .standard, having: [], in: CellSize(columns: columns - 4, rows: rows - 6), Glyphs(isUnicode: true)
                ).columns.count
            }
        }
        let english = columns(), theirs = Language.$catalogue.withValue(catalogue) { columns() }
        #expect(theirs == english)
    }

    /// The heads of rows have 11 cells in telemetry and information.
    @Test(arguments: languages) func theHeadsOfRowsFit(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        Language.$catalogue.withValue(catalogue) {
            let scene = ScreenPane.inspectorBuffers.model(Self.shape).scene
            let rows = TelemetryPage.allCases.flatMap { $0.rows(scene).map(\.label) }
            let information = InfoLines.of(scene).filter { !$0.isHeading }.map(\.label)
            #expect(rows.count > 20 && information.count > 5)
            for label in rows + information {
                #expect(ChromeText.columns(of: label) <= 11, "\(language): \(label)")
            }
        }
    }

    private static let keys: [KeyStroke] =
        [
            .character(" "), .left, .right, .up, .down, .home, .end, .pageUp, .pageDown, .backspace, .delete, .insert, .enter,
            .escape, .tab, .function(12),
        ].map { KeyStroke($0) }

    /// Names of keys are no longer than the longest in English, in ASCII where nothing else is shown, and read as they are printed.
    @Test(arguments: languages) func theNamesOfKeysFit(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        let longest = Self.keys.map { ChromeText.columns(of: $0.label()) }.max() ?? 0
        Language.$catalogue.withValue(catalogue) {
            for key in Self.keys {
                #expect(ChromeText.columns(of: key.label()) <= longest, "\(language): \(key.label())")
                #expect(key.label(unicode: false).allSatisfy { $0.isASCII }, "\(language): \(key.label(unicode: false))")
                #expect(KeyName.strokes(key.label()) == [key] && KeyName.strokes(key.label(unicode: false)) == [key])
            }
            #expect(Set(Self.keys.map { $0.label(unicode: false) }).count == Self.keys.count)
            for entry in Keymap.standard.entries { #expect(entry.keysLabel(unicode: false).allSatisfy { $0.isASCII }) }
            // The English names are understood in every language: files go from one machine to another.
            #expect(
                KeyName.strokes("Ctrl+PgUp") == [KeyStroke(.pageUp, .control)] && KeyName.strokes("Space") == [KeyStroke(" ")])
        }
    }

    /// A terminal that has only ASCII gets ASCII in every language.
    @Test(arguments: languages) func withoutUnicodeTheWordsAreASCII(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        let shape = ScreenShape(name: "", columns: 80, rows: 24, isUnicode: false)
        Language.$catalogue.withValue(catalogue) {
            for pane in ScreenPane.allCases {
                for run in ChromeView.panes(pane.model(shape)).flatMap(\.runs) {
                    #expect(run.text.utf8.allSatisfy { $0 < 0x80 }, "\(language), \(pane): \(run.text)")
                }
            }
        }
    }

    /// A sentence of the bar beside a title leaves room for it.
    @Test(arguments: languages) func theWordsOfTheBarAreShort(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        let words = [
            "LIVE", "Go live", "Loop", "Repeat file", "Repeat", "Shuffle", "Audio", "Sub", "No audio", "Muted", "Vol %1",
        ]
        for word in words {
            let text = try #require(catalogue.sentences[word]?.first)
            #expect(ChromeText.columns(of: text) <= 11, "\(language): \(text)")
        }
    }
}

/// The texts that panes have lost for want of room.
private struct Losses {
    /// Texts that end in an ellipsis which is not theirs.
    var cuts: [String] = []
    /// Texts that reach into the next one of their row.
    var overlaps: [String] = []
    /// Texts that are there, and hints in the last row of each pane.
    var texts = 0, hints = 0

    init(_ panes: [Pane], catalogue: Catalogue?) {
        let own = Set(catalogue?.sentences.values.flatMap { $0 } ?? [])
        for pane in panes {
            let rows = Dictionary(grouping: pane.runs.filter { !$0.text.allSatisfy { $0 == " " } }, by: \.row)
            for (row, runs) in rows {
                let runs = runs.sorted { $0.column < $1.column }
                cuts += runs.map(\.text).filter { $0.hasSuffix("…") && !own.contains($0) && !Self.endsSo.contains($0) }
                for (one, next) in zip(runs, runs.dropFirst()) where one.column + ChromeText.columns(of: one.text) > next.column {
                    overlaps.append("\(one.text) | \(next.text)")
                }
                if row == pane.rect.rows - 1 {
                    hints += runs.map { $0.text.split(separator: "  ").count }.reduce(0, +)
                }
                texts += runs.count
            }
        }
    }

    /// English sentences that end in an ellipsis.
    private static let endsSo: Set<String> = ["Add audio file…", "Reading …", "Decoding …", "Reading…"]

    func expect(noneBeyond english: Losses, _ place: String) {
        #expect(cuts.count <= english.cuts.count, "\(place): \(cuts)")
        #expect(overlaps.count <= english.overlaps.count, "\(place): \(overlaps)")
        #expect(texts >= english.texts, "\(place): \(texts) texts instead of \(english.texts)")
        #expect(hints >= english.hints, "\(place): \(hints) hints instead of \(english.hints)")
    }
}
