import AetherCore
import AetherEngine
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct ThemeMenuTests {
    private let now = HostTime(nanoseconds: 1_000_000_000)

    private func opened() -> AppModel {
        var model = AppModel(size: CellSize(columns: 80, rows: 24), now: now)
        _ = model.update(.theme("default", isGiven: false), now: now)
        #expect(model.update(.key(KeyStroke("t")), now: now).contains(.listThemes))
        _ = model.update(.themes(["default", "ember", "fjord"]), now: now)
        return model
    }

    @Test func tOpensTheMenuAndGoesOnInIt() {
        var model = opened()
        #expect(model.menu?.kind == .themes && model.menu?.choice == .theme("default"))
        #expect(model.update(.key(KeyStroke("t")), now: now).contains(.useTheme("ember")))
        #expect(model.update(.key(KeyStroke("t")), now: now).contains(.useTheme("fjord")))
        #expect(model.update(.key(KeyStroke("t")), now: now).contains(.useTheme("default")), "round again")
    }

    @Test func whatIsSelectedIsPutOnAndEscapeGoesBack() {
        var model = opened()
        #expect(model.update(.key(KeyStroke(.down)), now: now).contains(.useTheme("ember")))
        #expect(model.update(.key(KeyStroke("f")), now: now).contains(.useTheme("fjord")), "typed")
        #expect(model.update(.key(KeyStroke(.escape)), now: now).contains(.useTheme("default")))
        #expect(model.menu == nil && model.themes.present == "default")
    }

    @Test func enterKeepsWhatIsOn() {
        var model = opened()
        _ = model.update(.key(KeyStroke(.down)), now: now)
        let effects = model.update(.key(KeyStroke(.enter)), now: now)
        #expect(model.menu == nil && model.themes.present == "ember")
        #expect(!effects.contains { if case .useTheme = $0 { true } else { false } }, "it is on already")
        #expect(model.message?.text == "Theme ember")
    }

    @Test func theMarkStaysOnTheOneThatEscapeGoesBackTo() {
        var model = opened()
        for _ in 0..<2 {
            _ = model.update(.key(KeyStroke(.down)), now: now)
            #expect(model.menu?.items.filter(\.isPresent).map(\.choice) == [.theme("default")])
        }
    }

    /// Nothing but the picture that stands can say it.
    @Test func aThemeThatFollowsTheFrameFindsOneThatIsPaused() {
        let watch = MoodWatch()
        let image = RasterImage(width: 8, height: 8, pixels: Array(repeating: 0xFF00_60F0, count: 64))
        watch.look(at: VideoFrame(pts: .zero, duration: .zero, epoch: Epoch(), due: now, image: image), now: now)
        #expect(watch.present == nil)
        watch.isWatched = true
        #expect(watch.present == FrameMood(image) && watch.present != nil)
    }

    @Test func aThemeFromAFileIsInTheListToo() {
        var model = AppModel(size: CellSize(columns: 80, rows: 24), now: now)
        _ = model.update(.theme("./own.toml", isGiven: false), now: now)
        _ = model.update(.key(KeyStroke("t")), now: now)
        _ = model.update(.themes(["default"]), now: now)
        #expect(model.menu?.choice == .theme("./own.toml"))
    }
}
