import AetherCore
import AetherEngine
import AetherLibrary
import AetherTerminal
import Testing

@testable import AetherUI

/// Keys and pointer over the menu of a disc.
@Suite struct DiscMenuTests {
    /// Two buttons in the left half of a frame, one above the other.
    private static let menu = DiscMenu(
        buttons: [
            .init(number: 1, x: 0.1, y: 0.1, width: 0.3, height: 0.2), .init(number: 2, x: 0.1, y: 0.6, width: 0.3, height: 0.2),
        ], selected: 1)

    private func model(_ menu: DiscMenu?) -> AppModel {
        var snapshot = EngineSnapshot()
        (snapshot.phase, snapshot.wantsToPlay, snapshot.isSeekable, snapshot.menu) = (.playing, true, true, menu)
        (snapshot.duration, snapshot.hasMenus) = (.seconds(100), true)
        var model = AetherUITests.model()
        _ = model.update(.snapshot(snapshot), now: at(1))
        return model
    }

    private func effects(_ menu: DiscMenu?, _ stroke: KeyStroke) -> [AppEffect] {
        var model = model(menu)
        return model.update(.key(stroke), now: at(2)).filter { $0 != .redraw }
    }

    @Test func arrowsMoveAndEnterChooses() {
        let keys: [(KeyStroke, DiscMenuCommand)] = [
            (KeyStroke(.up), .up), (KeyStroke(.down), .down), (KeyStroke(.left), .left), (KeyStroke(.right), .right),
            (KeyStroke(.enter), .activate), (KeyStroke("2"), .choose(2)),
        ]
        for (stroke, wish) in keys {
            #expect(effects(Self.menu, stroke) == [.send(.menu(wish))])
            #expect(effects(nil, stroke) != [.send(.menu(wish))], "without a menu the keys are what they are")
        }
        #expect(effects(Self.menu, KeyStroke("7")) != [.send(.menu(.choose(7)))], "a button that there is not")
    }

    @Test func overATitleDigitsSeek() {
        let menu = DiscMenu(buttons: Self.menu.buttons, selected: 1, isOverTitle: true)
        #expect(effects(menu, KeyStroke(.down)) == [.send(.menu(.down))])
        #expect(effects(menu, KeyStroke("2")) != [.send(.menu(.choose(2)))])
    }

    @Test func theMenusKeysAreTheSameWithAndWithoutOne() {
        for menu in [Self.menu, nil] {
            #expect(effects(menu, KeyStroke(.character("d"), .alt)) == [.send(.menu(.open))])
            #expect(effects(menu, KeyStroke(.character("u"), .alt)) == [.send(.menu(.goUp))])
        }
    }

    /// A frame of 4:3 in 80×24 cells is 64 cells wide: 8 columns are left of it.
    @Test func thePointerFindsButtons() {
        func pointed(_ action: MouseEvent.Action, _ x: Int, _ y: Int) -> [AppEffect] {
            var model = model(Self.menu)
            _ = model.update(.key(KeyStroke("o")), now: at(2))
            return model.update(.mouse(MouseEvent(action, action == .move ? .none : .left, x: x, y: y)), now: at(3)).filter {
                $0 != .redraw
            }
        }
        #expect(pointed(.move, 20, 16) == [.send(.menu(.select(2)))])
        #expect(pointed(.move, 20, 4) == [], "it is selected already")
        #expect(pointed(.press, 20, 4) == [.send(.menu(.choose(1)))])
        #expect(pointed(.press, 20, 10) != [.send(.menu(.choose(1)))], "between them")
        #expect(pointed(.press, 4, 4) != [.send(.menu(.choose(1)))], "beside the frame")
    }

    @Test func actionsAreWrittenAsTheyAreRead() throws {
        for step in DiscMenuStep.allCases {
            let text = ActionName.text(.discMenu(step))
            #expect(text == "disc-menu \(step.rawValue)")
            #expect(try ActionName.action(text) == .discMenu(step))
        }
    }

    @Test func withoutMenusThereIsNothingToOpen() {
        var model = AetherUITests.model()
        _ = model.update(.snapshot(EngineSnapshot()), now: at(1))
        for step in [DiscMenuStep.open, .parent] {
            #expect(model.update(.action(.discMenu(step)), now: at(2)).allSatisfy { $0 == .redraw })
            #expect(model.message?.text == "This source has no menus")
        }
    }

    @Test func aMenuIsNoPlaceToComeBackTo() {
        var title = EngineSnapshot()
        (title.phase, title.duration, title.position) = (.playing, .seconds(600), .seconds(300))
        title.titles = [TitleInfo(id: 3, kind: .disc, name: "", startTime: .zero, duration: .seconds(600), tracks: [])]
        title.activeTitle = 3
        var menu = title
        (menu.menu, menu.activeTitle, menu.position, menu.duration) = (Self.menu, 0, .seconds(1), .seconds(2))
        var file = PlayedFile(.file("disc"))
        _ = file.follow(title, title: "disc", now: at(0))
        _ = file.follow(menu, title: "disc", now: at(5))
        #expect(file.progress?.position == .seconds(300) && file.progress?.choices.title == 3)
        var choices = HistoryChoices()
        choices.title = 3
        #expect(choices.commands(for: menu).isEmpty, "the menu that was asked for stays")
    }
}
