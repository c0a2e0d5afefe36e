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

    /// A new property belongs into the scene, into a layer, or into a value of its own.
    @Test func theModelHoldsFewProperties() {
        let held = Mirror(reflecting: model()).children.compactMap(\.label)
        let seen = Mirror(reflecting: model().scene).children.compactMap(\.label)
        #expect((1...21).contains(held.count), "\(held)")
        #expect((1...18).contains(seen.count), "\(seen)")
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

    /// The topmost layer is drawn last, hears keys first, and has the click and the scroll bar in its place.
    @Test func oneOrderDecides() throws {
        var model = model()
        for number in 0..<60 { _ = model.update(.notice("Notice \(number)"), now: at(1)) }
        model = doing([.toggleTelemetry, .browse, .toggleNotices, .palette], model)
        #expect(kinds(model.layers.order) == ["TelemetryLayer", "Browser", "NoticeList", "Palette"])
        #expect(model.layers.listening == [3, 0])
        let drawn = ChromeView.panes(model).map(\.window).filter { $0 != .edge }.suffix(4)
        #expect(Array(drawn) == [.telemetry, .browser, .notices, .palette])
        let wheel = MouseEvent(.scrollDown, x: 40, y: 4)
        _ = model.update(.mouse(wheel), now: at(2))
        #expect(model.palette?.selection == 1, "the palette lies under the pointer")
        // Without the palette it is the notices, and neither the browser below them nor the volume.
        model = doing([.palette], model)
        let before = (model.browser?.selection, model.snapshot.volume)
        _ = model.update(.mouse(MouseEvent(.scrollUp, x: 40, y: 4)), now: at(2))
        #expect(
            model.layers[NoticeList.self]?.below == 3 && model.browser?.selection == before.0 && model.snapshot.volume == before.1
        )
    }

    @Test func aClickOnTheHelpIsNotOneOnTheListBelowIt() throws {
        var model = doing([.toggleCueList, .toggleHelp])
        let rect = try #require(model.layers[HelpLayer.self]?.rect(in: model.scene))
        let effects = model.update(.mouse(MouseEvent(.press, .left, x: rect.column + 1, y: rect.row + 1)), now: at(2))
        #expect(model.cueList != nil && !effects.contains { if case .send = $0 { true } else { false } })
        #expect(model.showsHelp)
    }

    private func kinds(_ layers: [any Layer]) -> [String] { layers.map { String(describing: type(of: $0)) } }

    @Test(arguments: [["scrub", "help", "telemetry"], ["help", "telemetry", "scrub"], ["telemetry", "scrub", "help"]])
    func levelsLieOverOneAnotherHoweverTheyOpen(_ opened: [String]) {
        var stack = LayerStack()
        for layer in opened {
            switch layer {
            case "scrub": stack[Scrub.self] = Scrub(.keys, at: .zero)
            case "help": stack[HelpLayer.self] = HelpLayer()
            default: stack[TelemetryLayer.self] = TelemetryLayer()
            }
        }
        #expect(kinds(stack.order) == ["TelemetryLayer", "Scrub", "HelpLayer"] && stack.listening == [2, 1, 0])
        stack[Menu.self] = Menu(.audio, items: [])
        stack[HelpLayer.self] = HelpLayer()
        #expect(kinds(stack.order).last == "Menu" && stack.listening == [3, 1, 0], "what is open stays where it lies")
        stack[Menu.self] = nil
        #expect(stack.top(.list) is HelpLayer)
    }

    /// A menu and the subtitle list give way to another list; what is about them leaves them below.
    @Test func passingListsCloseWhenAnotherListOpens() {
        func below(_ open: (inout LayerStack) -> Void) -> [String] {
            var stack = LayerStack()
            stack[NoticeList.self] = NoticeList()
            stack[Menu.self] = Menu(.audio, items: [])
            open(&stack)
            return kinds(stack.order)
        }
        #expect(below { $0[InfoLayer.self] = InfoLayer() } == ["NoticeList", "InfoLayer"])
        #expect(below { $0[CueList.self] = CueList(TrackID(.container, 3), isSearch: false) } == ["NoticeList", "CueList"])
        #expect(below { $0[EqualizerLayer.self] = EqualizerLayer() } == ["NoticeList", "EqualizerLayer"])
        #expect(below { $0[HelpLayer.self] = HelpLayer() } == ["NoticeList", "Menu", "HelpLayer"])
        #expect(below { $0[TelemetryLayer.self] = TelemetryLayer() } == ["TelemetryLayer", "NoticeList", "Menu"])
        #expect(below { $0[Menu.self] = Menu(.video, items: []) } == ["NoticeList", "Menu"])
    }

    /// Every list of the player, opened with more rows than are seen.
    private func list(_ name: String) -> AppModel {
        var model = model(rows: 16)
        switch name {
        case "menu":
            _ = model.update(.files((0..<60).map { "File \($0)" }), now: at(0))
            _ = model.update(.action(.showMenu(.files)), now: at(1))
        case "palette": model = doing([.palette], model)
        case "help": model = doing([.toggleHelp], model)
        case "browser":
            model = doing([.browse], model)
            guard let request = model.browser?.awaited else { return model }
            let entries = (0..<60).map { Browser.Entry(.media, name: "\($0).mkv") }
            _ = model.update(.directory(DirectoryAnswer(request: request, listing: .read(entries, isCut: false))), now: at(1))
        case "cues":
            model = doing([.toggleCueList], model)
            let cues = (0..<60).map { number in
                SubtitleCue(
                    id: number, track: TrackID(.container, 3), start: .seconds(Double(number)),
                    end: .seconds(Double(number) + 1), body: .text("Cue \(number)"))
            }
            _ = model.update(.cues(CueListing(track: TrackID(.container, 3), revision: 1, cues: cues, spans: nil)), now: at(1))
        default:
            for number in 0..<60 { _ = model.update(.notice("Notice \(number)"), now: at(1)) }
            model = doing([.toggleNotices], model)
        }
        return model
    }

    /// One switch of keys, one of the mouse for all lists: whichever is on top, they go to its ends, by pages, by its scroll bar, and out.
    @Test(arguments: ["menu", "palette", "browser", "cues", "notices", "help"]) func oneListLayerServesAllLists(_ name: String)
        throws
    {
        let opened = list(name)
        func seen(_ model: AppModel) -> Range<Int>? {
            (model.layers.top(.list) as? any ListLayer)?.frame(in: model.scene)?.window
        }
        let frame = try #require((opened.layers.top(.list) as? any ListLayer)?.frame(in: opened.scene))
        #expect(frame.window.count < frame.total)
        let (first, _) = pressing([KeyStroke(.home)], opened)
        #expect(seen(first)?.lowerBound == 0)
        let (last, _) = pressing([KeyStroke(.end)], first)
        #expect(seen(last)?.upperBound == frame.total)
        #expect(seen(pressing([KeyStroke(.pageUp), KeyStroke(.pageUp)], last).0) != seen(last))
        // The scroll bar is that of the list on top: its upper end is the list's beginning.
        var dragged = last
        let column = frame.rect.column + frame.rect.columns - 1
        for (action, row) in [(MouseEvent.Action.press, frame.rect.row + frame.window.count), (.drag, 0), (.release, 0)] {
            _ = dragged.update(.mouse(MouseEvent(action, .left, x: column, y: row)), now: at(2))
        }
        #expect(seen(dragged)?.lowerBound == 0 && dragged.snapshot.volume == last.snapshot.volume)
        // Keys with Ctrl are the player's.
        #expect(seen(pressing([KeyStroke(.home, .control)], last).0) == seen(last))
        #expect(pressing([KeyStroke(.escape)], dragged).0.layers.top(.list) == nil)
    }
}
