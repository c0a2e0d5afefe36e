import AetherCore
import AetherEngine
import AetherTerminal
import AetherTestSupport
import Testing

@testable import AetherUI

private func opened(_ film: AppModel = model(), typing text: String = "") -> AppModel {
    pressing([KeyStroke(":")] + text.map { KeyStroke($0) }, film).0
}

@Suite struct PaletteTests {
    @Test(arguments: [(80, 24), (40, 12)]) func thePaletteHasItsScreens(_ columns: Int, _ rows: Int) throws {
        let film = model(columns: columns, rows: rows)
        var text = try screen(opened(film)) + screen(opened(film, typing: "sub"))
        text += try screen(opened(film, typing: "nonsense")) + screen(opened(film, typing: "seek-percent 50"))
        text += try screen(pressing([KeyStroke(.enter)], opened(film, typing: "seek x")).0)
        expectGolden(text: text, "palette-\(columns)x\(rows)")
    }

    @Test func asciiTerminalsGetAscii() throws {
        let text = try screen(opened(model(columns: 90, rows: 20, isUnicode: false, hasColor: false), typing: "seek"))
        #expect(text.replacing("·", with: "").utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func everyActionIsListedOnceByItsNameWithItsKeys() {
        let palette = Palette(.standard)
        for entry in Keymap.standard.entries where entry.bindings.count <= 4 {
            for binding in entry.bindings {
                let rows = palette.entries.filter { $0.meaning == .perform(binding.action) }
                #expect(rows.map(\.name) == [ActionName.text(binding.action)])
                #expect(binding.strokes.allSatisfy { rows.first?.keys.contains($0.label()) == true })
            }
        }
        #expect(Set(palette.entries.map(\.name)).count == palette.entries.count)
    }

    @Test func aLineSaysWhatItDoesAndIsFoundByOtherWords() {
        func first(_ text: String) -> String? {
            var palette = Palette(.standard)
            for character in text { palette.type(character) }
            return palette.selected?.name
        }
        let words = [
            "pause": "pause", "mute": "mute", "silence": "mute", "fullscreen": "fit", "screenshot": "still",
            "captions": "next-subtitles",
            "louder": "volume-up", "exit": "quit", "rewind": "seek -5", "stats": "telemetry", "headphones": "menu devices",
        ]
        for (typed, name) in words { #expect(first(typed) == name, "\(typed)") }
        let entry = Palette(.standard).entries.first { $0.name == "slower" }
        #expect(entry?.description == "Slower by 10 %")
    }

    @Test func whatThePersonUnboundIsListedWithoutKeys() throws {
        let map = try KeysFile.strictly("[keys]\nm = \"none\"\n\"g s\" = \"seek 30\"")
        let palette = Palette(map)
        #expect(palette.entries.first { $0.name == "mute" }?.keys == "")
        #expect(palette.entries.first { $0.name == "seek 30" }?.keys == "g s")
    }

    /// Typed lines, and the action of Enter for each; nil: a complaint.
    static let lines: [(typed: String, action: PlayerAction?)] = [
        ("mute", .toggleMute), ("seek 90", .seek(seconds: 90)), ("seek-percent 50", .seekPercent(50)),
        ("seek -5", .seek(seconds: -5)), ("seek 2.5", .seek(seconds: 2.5)), ("seek-exactly -0.04", .seekExactly(seconds: -0.04)),
        ("seek-percent 33.3", .seekPercent(33.3)), ("seek 0", nil), ("seek nan", nil), ("seek inf", nil),
        ("normal", .normalSpeed), ("audio tracks", .showMenu(.audio)), ("MENU chap", .showMenu(.chapters)),
        ("audio-delay 0.25", .delayAudio(seconds: 0.25)),
        ("sound-delay 0.25", .delayAudio(seconds: 0.25)), ("end", .seekToEnd), ("telem page", .nextTelemetryPage),
        ("seek-percent 101", nil), ("mute 3", nil), ("nonsense", nil), ("none", nil), ("menu films", nil),
    ]

    @Test(arguments: lines.indices) func enterDoesWhatIsMeant(_ index: Int) {
        let row = Self.lines[index]
        var palette = Palette(.standard)
        for character in row.typed { palette.type(character) }
        let outcome = palette.enter()
        #expect(outcome == row.action.map { .perform($0) } ?? .stay, "\(row.typed): \(palette.selected?.name ?? "")")
        #expect((palette.complaint == nil) == (row.action != nil), "\(palette.complaint ?? "")")
    }

    @Test func complaintsSayWhatToDo() {
        #expect(
            pressing([KeyStroke(.enter)], opened(typing: "seek x")).0.palette?.complaint?.contains("seek takes seconds") == true)
        let mistyped = pressing([KeyStroke(.enter)], opened(typing: "muet")).0
        #expect(mistyped.palette?.complaint == "muet is not an action; did you mean \"mute\"?")
        #expect(pressing([KeyStroke(.backspace)], mistyped).0.palette?.complaint == nil)
    }

    @Test func wordsThatTakeAValueWaitForIt() {
        let (model, effects) = pressing([KeyStroke(.end), KeyStroke(.enter)], opened(typing: "subtitle-lift"))
        #expect(effects.isEmpty && model.palette?.query == "subtitle-lift ")
        #expect(pressing([KeyStroke("3"), KeyStroke(.enter)], model).0.palette == nil)
    }

    @Test func itClosesAndThePlayerDoesWhatWasChosen() {
        let (model, effects) = pressing([KeyStroke(.enter)], opened(typing: "seek-percent 50"))
        #expect(effects == [.send(.seekToFraction(0.5))] && model.palette == nil)
        #expect(pressing([KeyStroke(.escape)], opened(typing: "x")).0.palette == nil)
        #expect(pressing([KeyStroke(.backspace)], opened()).0.palette == nil)
        #expect(pressing([KeyStroke(.tab)], opened(typing: "fast")).0.palette?.query == "faster")
        // A row that was chosen by hand counts more than what the letters alone would mean.
        let (_, chosen) = pressing([KeyStroke(.down), KeyStroke(.up), KeyStroke(.enter)], opened(typing: "faster"))
        #expect(chosen == [.send(.set(.rate(1.1)))])
        #expect(pressing([KeyStroke(.enter)], opened(typing: "quit")).1 == [.quit])
    }

    @Test func theMouseChoosesAndAClickBesideItCloses() throws {
        let model = opened()
        let pane = try #require(model.palette.flatMap { PalettePane($0, model.scene) })
        func after(_ event: MouseEvent) -> (AppModel, [AppEffect]) {
            var model = model
            let effects = model.update(.mouse(event), now: at(3)).filter { $0 != .redraw }
            return (model, effects)
        }
        #expect(after(MouseEvent(.press, .left, x: 10, y: pane.frame.rect.row + 1)).1 == [.send(.pause)])
        #expect(after(MouseEvent(.scrollDown, x: 10, y: pane.frame.rect.row + 1)).0.palette?.selection == 1)
        #expect(after(MouseEvent(.press, .left, x: 10, y: 20)).0.palette == nil)
        #expect(after(MouseEvent(.press, .left, x: 10, y: pane.frame.rect.row)).0.palette != nil)
    }
}
