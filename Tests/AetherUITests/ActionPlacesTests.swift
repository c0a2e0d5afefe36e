import AetherCore
import AetherTerminal
import Testing

@testable import AetherUI

/// Whatever a key does is found without it: in a menu, and in the palette.
@Suite struct ActionPlacesTests {
    private static func keymap(_ preset: KeyPreset) -> Keymap { Keymap(.standard, changes: KeysFile.changes(of: preset)) }

    /// The actions that the main menu leads to, through the menus that it opens.
    private static func inMenus(_ keymap: Keymap) -> Set<PlayerAction> {
        var found: Set<PlayerAction> = []
        var waiting = MenuContent.player(keymap, unicode: true)
        while let item = waiting.popLast() {
            guard case .action(let action)? = item.choice, found.insert(action).inserted else { continue }
            if case .showMenu(.actions(let section)) = action {
                waiting += MenuContent.actions(section, keymap, unicode: true)
            }
        }
        return found
    }

    @Test(arguments: KeyPreset.allCases) func everyKeyHasAPlaceInAMenuAndInThePalette(_ preset: KeyPreset) {
        let keymap = Self.keymap(preset), menus = Self.inMenus(keymap), palette = Palette(keymap)
        let words = Set(palette.entries.compactMap { if case .complete(let word) = $0.meaning { word } else { nil } })
        for binding in keymap.entries.flatMap(\.bindings) + keymap.chords.map({ Keymap.Binding(action: $0.value, strokes: []) }) {
            let action = binding.action, name = ActionName.text(action)
            #expect(menus.contains(action), "\(name) is in no menu")
            let isListed = palette.entries.contains { $0.meaning == .perform(action) }
            #expect(isListed || words.contains(name.prefix { $0 != " " } + " "), "\(name) is not in the palette")
        }
    }

    @Test func actionsWithoutAKeyHaveAPlaceToo() {
        let menus = Self.inMenus(.standard), palette = Palette(.standard)
        #expect(ActionName.listed.contains(.savePlaylist) && ActionName.listed.contains(.cycle("rotate")))
        for action in ActionName.listed {
            #expect(menus.contains(action), "\(ActionName.text(action)) is in no menu")
            let lines = palette.entries.filter { $0.meaning == .perform(action) }
            #expect(lines.count == 1, "\(ActionName.text(action))")
            #expect(lines.first?.description.hasPrefix("Next value") == false, "\(ActionName.text(action)) has no sentence")
        }
        for (typed, action) in [("rotate", "rotate"), ("headphones crossfeed", "crossfeed"), ("mirror", "flip")] {
            var palette = Palette(.standard)
            for character in typed { palette.type(character) }
            #expect(palette.selected?.meaning == .perform(.cycle(action)), "\(typed)")
        }
    }

    @Test func keysOfAPresetStandInTheirSections() throws {
        let keymap = Self.keymap(.mpv)
        func section(_ action: PlayerAction) -> Keymap.Section? {
            keymap.entries.first { $0.bindings.contains { $0.action == action } }?.section
        }
        #expect(section(.seek(seconds: 600)) == .seeking && section(.revertSeek) == .seeking)
        #expect(section(.add("volume", -2)) == .audio && section(.add("panscan", -0.1)) == .video)
        #expect(section(.toggleSecondSubtitles) == .subtitles && section(.alignCue(1)) == .subtitles)
        #expect(section(.sayProgress) == .display)
    }

    @Test func keysOfProgramsHaveTheirPlacesAsLongAsTheyAreBound() throws {
        var model = model()
        let key = KeyStroke(.function(8))
        _ = model.update(.binding(key, "sleep-timer"), now: at(1))
        let entry = try #require(Palette(model.keymap).entries.first { $0.meaning == .perform(.tellProgram("sleep-timer")) })
        #expect(entry.description == "Sleep timer" && entry.keys == "F8")
        #expect(Self.inMenus(model.keymap).contains(.tellProgram("sleep-timer")))
        #expect(model.keymap.entries.contains { $0.description == "Sleep timer" && $0.section == .playback })
        for effects in [pressing([key], model).1, model.update(.action(.tellProgram("sleep-timer")), now: at(2))] {
            #expect(effects.contains(.tellBinding("sleep-timer")))
        }
        _ = model.update(.binding(key, nil), now: at(3))
        #expect(!Palette(model.keymap).entries.contains { $0.name == "sleep-timer" } && model.keymap.isStandard)
        for number in 0..<200 { _ = model.update(.binding(KeyStroke(.function(number)), "n\(number)"), now: at(4)) }
        #expect(model.scriptKeys.names.count == 100)
    }

    @Test func theMenuOfASectionLeadsBackToTheMainMenu() {
        var model = model()
        _ = model.update(.action(.showMenu(.actions(.video))), now: at(1))
        #expect(model.menu?.items.contains { $0.label == "More brightness" && $0.detail == "B" } == true)
        let (back, _) = pressing([KeyStroke(.left)], model)
        #expect(back.menu?.kind == .player)
        // In other menus the arrow is the player's.
        #expect(pressing([KeyStroke(.left)], back).0.menu?.kind == .player)
    }
}
