import AetherCore
import AetherEngine
import AetherTerminal
import Foundation
import Testing

@testable import AetherUI

private func opened(columns: Int = 80, rows: Int = 24, typing text: String = "") -> AppModel {
    pressing([KeyStroke("?")] + text.map { KeyStroke($0) }, model(columns: columns, rows: rows)).0
}

private func layer(_ model: AppModel) throws -> HelpLayer { try #require(model.layers[HelpLayer.self]) }

@Suite struct HelpTests {
    private static let sizes = [(40, 10), (40, 12), (80, 24), (100, 30), (120, 40), (200, 60)]

    @Test(arguments: sizes) func sectionsStayWhole(_ columns: Int, _ rows: Int) {
        let room = CellSize(columns: columns - 4, rows: rows - 6), glyphs = Glyphs(isUnicode: true)
        let content = HelpColumns(.standard, having: [], in: room, glyphs)
        for section in Keymap.Section.allCases {
            let wanted = Keymap.standard.entries.filter { $0.section == section }.map(\.description)
            let holding = content.columns.filter { $0.lines.contains { $0.isHeading && $0.text == section.rawValue } }
            #expect(holding.count == 1)
            let lines = holding.first?.lines ?? []
            let start = (lines.firstIndex { $0.isHeading && $0.text == section.rawValue } ?? 0) + 1
            #expect(lines.dropFirst(start).map(\.text).filter { !$0.isEmpty }.prefix(wanted.count).map { $0 } == wanted)
        }
    }

    @Test(arguments: sizes) func everyKeyIsSeenByScrolling(_ columns: Int, _ rows: Int) throws {
        var model = opened(columns: columns, rows: rows)
        var seen = ""
        for _ in 0..<40 {
            seen += try rendered(model).joined(separator: "\n")
            model = pressing([KeyStroke(.pageDown)], model).0
        }
        for entry in Keymap.standard.entries {
            #expect(seen.contains(entry.description.prefix(columns >= 80 ? 60 : 18)), "\(entry.description)")
        }
        #expect(try layer(pressing([KeyStroke(.home)], model).0).top == 0)
    }

    @Test func theArrowsScrollAndTheVideoGoesOn() throws {
        let (model, effects) = pressing([KeyStroke(.down), KeyStroke(.down), KeyStroke(.up)], opened())
        #expect(try layer(model).top == 1 && effects.isEmpty)
        #expect(pressing([KeyStroke(" ")], model).1 == [.send(.pause)])
    }

    @Test func aSlashFiltersByWordsAndSynonyms() throws {
        let model = opened(typing: "/mute")
        let text = try screen(model)
        #expect(text.contains("Mute") && !text.contains("Scrub with preview") && text.contains("/mute_"))
        #expect(try screen(opened(typing: "/fullscreen")).contains("Fit or fill"))
        #expect(try screen(opened(typing: "/qqqq")).contains("No key has these words"))
        // Escape takes the filter back, then closes.
        let back = pressing([KeyStroke(.escape)], model).0
        #expect(try screen(back).contains("Play, pause"))
        #expect(!pressing([KeyStroke(.escape)], back).0.showsHelp)
        // A typed letter is no key of the player.
        #expect(pressing([KeyStroke("q")], opened(typing: "/")).1.isEmpty)
    }

    @Test func theHelpKeyAndAClickBesideItCloseIt() throws {
        #expect(!pressing([KeyStroke("?")], opened()).0.showsHelp)
        var model = opened(columns: 200, rows: 60)
        _ = model.update(.mouse(MouseEvent(.press, .left, x: 0, y: 0)), now: at(3))
        #expect(!model.showsHelp)
    }

    @Test func keysOfPresetsAreSentences() throws {
        let map = try KeysFile.strictly("preset = \"mpv\"")
        let entry = try #require(map.entries.first { $0.bindings.contains { $0.action == .seek(seconds: 600) } })
        #expect(entry.description == "10 min forward")
        for preset in KeyPreset.allCases {
            let map = Keymap(.standard, changes: KeysFile.changes(of: preset))
            for entry in map.entries {
                #expect(entry.description.first?.isLowercase == false, "\(entry.description)")
                #expect(!entry.bindings.contains { ActionName.text($0.action) == entry.description }, "\(entry.description)")
            }
        }
    }
}

/// The preset of mpv beside mpv's own table.
@Suite struct MpvPresetTests {
    private static var manual: String {
        get throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../man/aether-tui-keys.5")
            return try String(contentsOf: file, encoding: .utf8)
        }
    }

    @Test func everyKeyOfMpvDoesTheSameOrIsListed() throws {
        let map = try KeysFile.strictly("preset = \"mpv\""), manual = try Self.manual
        for row in MpvBindings.all {
            let strokes = try #require(KeyName.strokes(row.key), "\(row.key)")
            let meaning = map.meaning(of: strokes)
            guard let text = row.action else {
                #expect(meaning == .nothing, "\(row.key)")
                #expect(manual.contains(".It Cm \(row.key)\n"), "\(row.key) is not listed")
                continue
            }
            let action = try #require(try ActionName.action(text))
            #expect(meaning == .action(action), "\(row.key): \(meaning)")
        }
    }
}

/// The line around panes.
@Suite struct PaneEdgeTests {
    @Test func aPaneHasALineWhereThereIsRoom() throws {
        let model = pressing([KeyStroke("a")], model()).0
        let rect = try #require(model.layers[Menu.self]?.rect(in: model.scene))
        let rows = try rendered(model).map { Array($0) }
        #expect(rows[rect.row - 1][rect.column - 1] == "╭" && rows[rect.row][rect.column - 1] == "│")
        #expect(rows[rect.row - 1][rect.column + 3] == "─")
    }

    @Test func theLineCoversNeitherTheBarNorTheScreenBeyond() {
        let scene = model().scene
        let whole = CellRect(column: 0, row: 0, columns: 80, rows: 22)
        #expect(PaneEdge.pane(around: whole, in: scene) == nil)
        let low = CellRect(column: 10, row: 4, columns: 20, rows: 18)
        #expect(PaneEdge.rect(around: low, in: scene) == CellRect(column: 9, row: 3, columns: 22, rows: 19))
    }

    @Test func aSubtitleStandsBesideTheLineToo() throws {
        var snapshot = film()
        snapshot.activeSubtitleTrack = TrackID(.container, 3)
        snapshot.visibleCues = [
            SubtitleCue(
                id: 1, track: TrackID(.container, 3), start: .seconds(1808), end: .seconds(1900), body: .text("Where were you?"))
        ]
        let model = pressing([KeyStroke("M")], model(snapshot, columns: 120, rows: 30)).0
        #expect(try screen(model).contains("Where were you?"))
    }
}
