import AetherCore
import AetherEngine
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct LayerStackTests {
    /// The player with these actions done one after the other.
    private func doing(_ actions: [PlayerAction], _ model: AppModel = model()) -> AppModel {
        var model = model
        for action in actions { _ = model.update(.action(action), now: at(1)) }
        return model
    }

    @Test func escapeClosesTheHelpAndNotTheBrowserBelowIt() {
        let both = doing([.browse, .toggleHelp])
        #expect(both.showsHelp && both.browser != nil)
        let (without, _) = pressing([KeyStroke(.escape)], both)
        #expect(!without.showsHelp && without.browser != nil)
        #expect(pressing([KeyStroke(.escape)], without).0.browser == nil)
    }

    @Test func theHelpOverAListKeepsItsKeysFromTheList() {
        let both = doing([.browse, .toggleHelp])
        let (after, effects) = pressing([KeyStroke(.down), KeyStroke(.left), KeyStroke("x")], both)
        #expect(after.browser?.query == "" && after.browser?.awaited == both.browser?.awaited)
        #expect(!effects.contains { if case .browse = $0 { true } else { false } })
    }

    @Test func theListOfCuesOpensOverTheNoticesAndHasTheKeys() throws {
        var model = model()
        for number in 0..<30 { _ = model.update(.notice("Notice \(number)"), now: at(1)) }
        model = doing([.toggleNotices], model)
        (model, _) = pressing([KeyStroke("L")], model)
        let listing = CueListing(
            track: TrackID(.container, 3), revision: 1,
            cues: (0..<40).map { number in
                SubtitleCue(
                    id: number, track: TrackID(.container, 3), start: .seconds(10 + 60 * Double(number)),
                    end: .seconds(20 + 60 * Double(number)), body: .text("Cue \(number)"))
            }, spans: nil)
        _ = model.update(.cues(listing), now: at(1))
        let shown = try rendered(model)
        #expect(shown.contains { $0.contains("Cue 30") }, "the list lies on top")
        let standing = model.cueList?.selection
        (model, _) = pressing([KeyStroke(.down)], model)
        #expect(model.cueList?.selection == standing.map { $0 + 1 })
        (model, _) = pressing([KeyStroke(.escape)], model)
        #expect(model.cueList == nil)
        #expect(try rendered(model).contains { $0.contains("Notice 29") }, "what lay below is there again")
    }

    /// What lies on top is drawn last, hears keys first, and has the click and the scroll bar where it lies.
    @Test func oneOrderDecides() throws {
        var model = model()
        for number in 0..<60 { _ = model.update(.notice("Notice \(number)"), now: at(1)) }
        model = doing([.toggleTelemetry, .browse, .toggleNotices, .palette], model)
        #expect(model.layers.order == [.telemetry, .browser, .notices, .palette])
        #expect(model.layers.listening == [.palette, .telemetry])
        let drawn = ChromeView.panes(model).map(\.window).suffix(4)
        #expect(Array(drawn) == [.telemetry, .browser, .notices, .palette])
        let wheel = MouseEvent(.scrollDown, x: 40, y: 4)
        _ = model.update(.mouse(wheel), now: at(2))
        #expect(model.palette?.selection == 1, "the palette lies under the pointer")
        // Without the palette it is the notices, and neither the browser below them nor the volume.
        model = doing([.palette], model)
        let before = (model.browser?.selection, model.snapshot.volume)
        _ = model.update(.mouse(MouseEvent(.scrollUp, x: 40, y: 4)), now: at(2))
        #expect(model.notices.below == 3 && model.browser?.selection == before.0 && model.snapshot.volume == before.1)
    }

    @Test func aClickOnTheHelpIsNotOneOnTheListBelowIt() throws {
        var model = doing([.toggleCueList, .toggleHelp])
        let rect = try #require(HelpPane.pane(model, above: TransportBar.pane(model))?.rect)
        let effects = model.update(.mouse(MouseEvent(.press, .left, x: rect.column + 1, y: rect.row + 1)), now: at(2))
        #expect(model.cueList != nil && !effects.contains { if case .send = $0 { true } else { false } })
        #expect(!model.showsHelp || model.helpPage == 1)
    }

    @Test(arguments: [[Layer.scrub, .help, .telemetry], [.help, .telemetry, .scrub], [.telemetry, .scrub, .help]])
    func levelsLieOverOneAnotherHoweverTheyOpen(_ opened: [Layer]) {
        var stack = LayerStack()
        for layer in opened { stack.note(layer, isOpen: true) }
        #expect(stack.order == [.telemetry, .scrub, .help] && stack.listening == [.help, .scrub, .telemetry])
        stack.note(.menu, isOpen: true)
        stack.note(.help, isOpen: true)
        #expect(stack.order.last == .menu && stack.listening == [.menu, .scrub, .telemetry])
        stack.note(.menu, isOpen: false)
        #expect(stack.top(.list) == .help)
    }
}
