import AetherCore
import AetherLibrary
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct ScreenChoicesTests {
    private let now = HostTime(nanoseconds: 1_000_000_000)

    private func model(isThemeGiven: Bool = false) -> AppModel {
        var model = AppModel(size: CellSize(columns: 80, rows: 24), now: now)
        _ = model.update(.theme("default", isGiven: isThemeGiven), now: now)
        return model
    }

    @Test func onlyWhatThePersonChoosesIsKept() {
        var model = model()
        #expect(model.screenChoices == ScreenChoices())
        _ = model.update(.action(.toggleRemaining), now: now)
        #expect(model.screenChoices == ScreenChoices(showsRemaining: true))
        _ = model.update(.action(.toggleBar), now: now)
        #expect(model.screenChoices == ScreenChoices(hidesBar: model.barMode == .off, showsRemaining: true))
    }

    @Test func aThemeIsChosenWhenItIsKeptAndNotWhenItIsTriedOn() {
        var model = model()
        for effect in model.update(.action(.nextTheme), now: now) {
            if effect == .listThemes { _ = model.update(.themes(["default", "nord", "paper"]), now: now) }
        }
        _ = model.update(.key(KeyStroke(.down)), now: now)
        #expect(model.themes.present == "nord" && model.screenChoices.theme == nil)
        _ = model.update(.key(KeyStroke(.enter)), now: now)
        #expect(model.screenChoices.theme == "nord")
    }

    @Test func whatWasLeftIsRestoredUnlessItIsSaidAnew() {
        let left = ScreenChoices(theme: "nord", hidesBar: true, showsRemaining: true)
        var free = model()
        #expect(free.update(.screenChoices(left), now: now).contains(.useTheme("nord")))
        #expect(free.barMode == .off && !free.isBarVisible && free.showsRemaining && free.screenChoices == left)
        var given = model(isThemeGiven: true)
        #expect(!given.update(.screenChoices(left), now: now).contains(.useTheme("nord")))
        #expect(given.themes.present == "default" && given.showsRemaining)
        // A theme out of config.toml comes again the next time: the message says where it is set.
        _ = given.keepTheme("nord", now)
        #expect(given.message?.text.contains("theme = \"nord\" in config.toml") == true)
    }
}
