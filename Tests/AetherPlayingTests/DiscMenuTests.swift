import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// The menus of a DVD, as a person goes through them.
@Suite(.serialized, .enabled(if: DVDFixture.isPossible, Comment(rawValue: DVDFixture.missing)))
struct DiscMenuTests {
    @Test func theDiscBeginsWithItsMenuAndButtonsLeadToTitles() async throws {
        let screening = try await Screening.of(MenuFixture.made().image) { $0.beginsWithMenu = true }
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 && $0.snapshot.hasFirstFrame })
        let menu = try #require(screening.snapshot.menu)
        #expect(menu.selected == 1 && menu.isStill && !menu.isOverTitle && abs(menu.aspect - 4.0 / 3) < 0.05)
        let place = MenuFixture.place(ofButton: 2)
        #expect(menu.button(x: Double(place.x + 100) / 720, y: Double(place.y + 20) / 576) == 2)
        #expect(menu.button(x: 0.01, y: 0.01) == nil)
        #expect(screening.snapshot.hasMenus && screening.snapshot.subtitleTracks.isEmpty)
        screening.engine.menu(.down)
        #expect(await screening.eventually { $0.snapshot.menu?.selected == 2 })
        // It stays for as long as nobody chooses.
        #expect(await screening.eventually { $0.snapshot.position >= $0.snapshot.startTime + .seconds(0.9) })
        #expect(screening.snapshot.phase == .playing && screening.snapshot.menu?.selected == 2)
        screening.engine.menu(.activate)
        #expect(await screening.eventually { $0.snapshot.activeTitle == 2 && $0.snapshot.hasFirstFrame })
        #expect(screening.snapshot.menu == nil)
        // Its end leads to the root menu.
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 && $0.snapshot.activeTitle == 0 })
        #expect(screening.engine.takeNews().filter { $0.turn == .ended(nil) }.isEmpty, "the disc has not ended")
        await screening.engine.stop()
    }

    @Test func aTitleGoesOnWhereItWasLeft() async throws {
        let screening = try await Screening.of(MenuFixture.made().folder) { $0.autoplay = false }
        #expect(screening.snapshot.activeTitle == 1 && screening.snapshot.menu == nil && screening.snapshot.hasMenus)
        let start = screening.snapshot.startTime
        #expect(await screening.say(.seek(to: start + .seconds(3.2), .exact)))
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 })
        #expect(screening.snapshot.activeTitle == 0 && !screening.snapshot.wantsToPlay)
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.activeTitle == 1 && $0.snapshot.hasFirstFrame })
        #expect(screening.snapshot.menu == nil)
        #expect(
            (screening.snapshot.position - start - .seconds(3.2)).magnitude < .milliseconds(50), "\(screening.snapshot.position)")
        // By a button that chooses the other audio track.
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 })
        screening.engine.menu(.choose(2))
        #expect(await screening.eventually { $0.snapshot.activeTitle == 1 && $0.snapshot.hasFirstFrame })
        let tracks = screening.snapshot.audioTracks
        #expect(tracks.map(\.language) == ["en", "fr"] && screening.snapshot.activeAudioTrack == tracks.last?.id)
        #expect((screening.snapshot.position - start - .seconds(3.2)).magnitude < .milliseconds(50))
        await screening.engine.stop()
    }

    @Test func aMenuThatMovesGoesRound() async throws {
        let screening = try await Screening.of(MenuFixture.made().image) { $0.beginsWithMenu = true }
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 })
        screening.engine.menu(.choose(3))
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 2 && $0.snapshot.hasFirstFrame })
        screening.engine.menu(.down)
        let epoch = screening.snapshot.epoch
        #expect(await screening.eventually { $0.snapshot.epoch > epoch && $0.snapshot.phase == .playing }, "it has begun anew")
        // dvdauthor's first command of a menu selects the first button.
        #expect(await screening.eventually { $0.snapshot.menu?.selected == 1 } && screening.snapshot.menu?.isStill == false)
        screening.engine.menu(.goUp)
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 })
        await screening.engine.stop()
    }

    @Test func menusAreInThePersonsLanguage() async throws {
        let screening = try await Screening.of(MenuFixture.made().image) {
            ($0.beginsWithMenu, $0.subtitleLanguages) = (true, ["de"])
        }
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 2 })
        await screening.engine.stop()
    }

    @Test func aDiscWithoutMenusSaysSo() async throws {
        let screening = try await Screening.of(DVDFixture.made().image) { ($0.autoplay, $0.beginsWithMenu) = (false, true) }
        #expect(screening.snapshot.activeTitle == 1 && !screening.snapshot.hasMenus)
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.notice != nil })
        #expect(screening.snapshot.notice?.text == "this source has no menus")
        await screening.engine.stop()
    }

    /// The selected button is red, the others are white, and one that is chosen is yellow.
    @Test func theSelectedButtonIsSeen() async throws {
        let sink = LastFrameSink()
        let engine = AetherEngine(sink: sink)
        try await engine.load(
            .location(.file(MenuFixture.made().image)), options: Screening.options { $0.beginsWithMenu = true })
        @Sendable func colours() -> [UInt32]? {
            sink.pixels(at: (1...3).map(MenuFixture.place).map { (x: $0.x + 100, y: $0.y + 20) })
        }
        @Sendable func shows(_ selected: Int) -> Bool { ButtonColours.show(selected, colours()) }
        #expect(await sink.eventually { shows(1) }, "\((colours() ?? []).map { String($0, radix: 16) })")
        engine.menu(.down)
        #expect(await sink.eventually { shows(2) }, "\((colours() ?? []).map { String($0, radix: 16) })")
        engine.menu(.up)
        engine.menu(.up)
        #expect(await sink.eventually { shows(3) })
        await engine.stop()
    }
}
