import AetherCore
import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// The menus of a Blu-ray disc, as a person goes through them.
@Suite(.serialized)
struct BluRayMenuTests {
    /// A disc, and an engine with it.
    private struct Show {
        let folder: TemporaryFolder
        let screening: Screening

        init(_ change: (inout LoadOptions) -> Void) async throws {
            folder = try TemporaryFolder()
            screening = try await Screening.of(BluRayMenuFixture.image(in: folder), change)
        }

        func end() async {
            await screening.engine.stop()
            withExtendedLifetime(folder) {}
        }
    }

    @Test func theDiscBeginsWithItsMenuAndButtonsLeadToTitles() async throws {
        let show = try await Show { $0.beginsWithMenu = true }, screening = show.screening
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 && $0.snapshot.hasFirstFrame })
        let menu = try #require(screening.snapshot.menu)
        #expect(menu.selected == 1 && menu.isStill && !menu.isOverTitle && abs(menu.aspect - 4.0 / 3) < 0.05)
        let place = BluRayMenuFixture.place(ofButton: 2)
        #expect(menu.button(x: Double(place.x + 60) / 320, y: Double(place.y + 15) / 240) == 2)
        #expect(menu.button(x: 0.01, y: 0.01) == nil)
        #expect(screening.snapshot.hasMenus && screening.snapshot.activeTitle == 0)
        screening.engine.menu(.down)
        #expect(await screening.eventually { $0.snapshot.menu?.selected == 2 })
        // It stays for as long as nobody chooses.
        #expect(await screening.eventually { $0.snapshot.position >= $0.snapshot.startTime + .seconds(2.9) })
        #expect(screening.snapshot.phase == .playing && screening.snapshot.menu?.selected == 2)
        screening.engine.menu(.activate)
        #expect(await screening.eventually { $0.snapshot.activeTitle == 2 && $0.snapshot.hasFirstFrame })
        #expect(screening.snapshot.menu == nil)
        // Its end leads back.
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 && $0.snapshot.activeTitle == 0 })
        #expect(screening.engine.takeNews().filter { $0.turn == .ended(nil) }.isEmpty, "the disc has not ended")
        await show.end()
    }

    @Test func buttonsLeadToAnotherPage() async throws {
        let show = try await Show { $0.beginsWithMenu = true }, screening = show.screening
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 && $0.snapshot.hasFirstFrame })
        screening.engine.menu(.choose(3))
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 2 })
        screening.engine.menu(.choose(2))
        let java = "the menus of this disc lead to a program in Java (BD-J): not played"
        #expect(await screening.eventually { $0.snapshot.notice?.text == java })
        // All of this may be over before the first frame has begun to play.
        #expect(await screening.reaches(.playing))
        #expect(screening.snapshot.menu?.buttons.count == 2, "the menu stays")
        screening.engine.menu(.up)
        screening.engine.menu(.activate)
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 })
        #expect(screening.snapshot.menu?.selected == 3)
        screening.engine.menu(.goUp)
        #expect(await screening.eventually { $0.snapshot.notice?.text == "this disc has no such menu" })
        await show.end()
    }

    @Test func aMenuThatMovesGoesRoundAndKeepsItsPage() async throws {
        let show = try await Show { $0.beginsWithMenu = true }, screening = show.screening
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 && $0.snapshot.hasFirstFrame })
        screening.engine.send(.selectTitle(5))
        #expect(await screening.eventually { $0.snapshot.menu?.isStill == false && $0.snapshot.hasFirstFrame })
        screening.engine.menu(.choose(3))
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 2 })
        let epoch = screening.snapshot.epoch
        #expect(await screening.eventually { $0.snapshot.epoch > epoch && $0.snapshot.phase == .playing }, "it has begun anew")
        #expect(screening.snapshot.menu?.buttons.count == 2)
        await show.end()
    }

    @Test func aTitleGoesOnWhereItWasLeft() async throws {
        let show = try await Show { $0.autoplay = false }, screening = show.screening
        #expect(screening.snapshot.activeTitle == 1 && screening.snapshot.menu == nil && screening.snapshot.hasMenus)
        let start = screening.snapshot.startTime
        func isThere() -> Bool { (screening.snapshot.position - start - .seconds(3.2)).magnitude < .milliseconds(50) }
        #expect(await screening.say(.seek(to: start + .seconds(3.2), .exact)))
        // The menu over it.
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 2 && $0.snapshot.hasFirstFrame })
        #expect(screening.snapshot.menu?.isOverTitle == true && screening.snapshot.activeTitle == 1 && isThere())
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.menu == nil })
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 2 })
        screening.engine.menu(.goUp)
        #expect(await screening.eventually { $0.snapshot.menu == nil })
        // The disc's menu, and back.
        screening.engine.menu(.goUp)
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 3 && $0.snapshot.activeTitle == 0 })
        #expect(!screening.snapshot.wantsToPlay)
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.activeTitle == 1 && $0.snapshot.hasFirstFrame })
        #expect(screening.snapshot.menu == nil && isThere(), "\(screening.snapshot.position)")
        await show.end()
    }

    @Test func theMenuOverATitleLeadsThroughIt() async throws {
        let show = try await Show { ($0.autoplay, $0.title) = (false, 1) }, screening = show.screening
        let tracks = screening.snapshot.audioTracks
        #expect(tracks.map(\.language) == ["deu", "eng"] && screening.snapshot.activeAudioTrack == tracks.first?.id)
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.menu?.buttons.count == 2 && $0.snapshot.hasFirstFrame })
        screening.engine.menu(.choose(1))
        let start = screening.snapshot.startTime
        #expect(
            await screening.eventually {
                ($0.snapshot.position - start - .seconds(6)).magnitude < .milliseconds(50) && $0.snapshot.seekTarget == nil
            })
        #expect(screening.snapshot.menu?.buttons.count == 2, "it stays open")
        screening.engine.menu(.choose(2))
        #expect(await screening.eventually { $0.snapshot.menu == nil })
        #expect(
            await screening.eventually { $0.snapshot.activeAudioTrack == $0.snapshot.audioTracks.last?.id })
        #expect(screening.snapshot.activeTitle == 1)
        await show.end()
    }

    @Test func aDiscWithoutMenusSaysSo() async throws {
        let folder = try TemporaryFolder()
        try BluRayFixture.write(BluRayFixture.made().files(), to: folder.url.path)
        let screening = try await Screening.of(folder.url.path) { ($0.autoplay, $0.beginsWithMenu) = (false, true) }
        #expect(screening.snapshot.activeTitle == 1 && !screening.snapshot.hasMenus)
        screening.engine.menu(.open)
        #expect(await screening.eventually { $0.snapshot.notice?.text == "this source has no menus" })
        await screening.engine.stop()
        withExtendedLifetime(folder) {}
    }

    /// The selected button is red, the others are white.
    @Test func theSelectedButtonIsSeen() async throws {
        let folder = try TemporaryFolder(), sink = LastFrameSink()
        let engine = AetherEngine(sink: sink)
        try await engine.load(
            .location(.file(BluRayMenuFixture.image(in: folder))), options: Screening.options { $0.beginsWithMenu = true })
        @Sendable func colours() -> [UInt32]? {
            sink.pixels(at: (1...3).map(BluRayMenuFixture.place).map { (x: $0.x + 60, y: $0.y + 15) })
        }
        @Sendable func shows(_ selected: Int) -> Bool { ButtonColours.show(selected, colours()) }
        #expect(await sink.eventually { shows(1) }, "\((colours() ?? []).map { String($0, radix: 16) })")
        engine.menu(.down)
        #expect(await sink.eventually { shows(2) }, "\((colours() ?? []).map { String($0, radix: 16) })")
        engine.menu(.up)
        engine.menu(.up)
        #expect(await sink.eventually { shows(3) })
        await engine.stop()
        withExtendedLifetime(folder) {}
    }
}
