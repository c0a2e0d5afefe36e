import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherUI

@Suite struct BrowserGlanceTests {
    private func opened(columns: Int = 80, rows: Int = 24, recent: [RecentFile] = []) throws -> AppModel {
        var model = model(columns: columns, rows: rows)
        _ = model.update(.playlist(PlaylistPosition(name: "demo.mkv", path: "/films/demo.mkv")), now: at(0))
        _ = model.update(.snapshot(film()), now: at(0))
        _ = model.update(.recent(recent), now: at(0))
        _ = model.update(.action(.browse), now: at(1))
        let request = try #require(model.browser?.awaited)
        let entries = (0..<30).map { Browser.Entry(.media, name: "\($0).mkv") } + [Browser.Entry(.playlist, name: "z.m3u")]
        _ = model.update(.directory(DirectoryAnswer(request: request, listing: .read(entries, isCut: false))), now: at(1))
        return model
    }

    private func looks(_ effects: [AppEffect]) -> [String?] {
        effects.compactMap { if case .browse(.look(let path)) = $0 { .some(path) } else { nil } }
    }

    @Test func aFileThatRestsUnderTheSelectionIsLookedAtOnce() throws {
        var model = try opened()
        #expect(model.nextWake(after: at(1)).map { $0 <= at(1.6) } == true)
        let effects1 = model.update(.tick, now: at(1.5))
        #expect(looks(effects1).isEmpty)
        let effects2 = model.update(.tick, now: at(1.6))
        #expect(looks(effects2) == ["/films/0.mkv"])
        let effects3 = model.update(.tick, now: at(9))
        #expect(looks(effects3).isEmpty)
        let picture = ScrubStill(image: RasterImage(width: 320, height: 180), number: -1)
        let effects4 = model.update(.glance("/films/0.mkv", picture), now: at(9))
        #expect(effects4.contains(.redraw))
        let rect = try #require(ChromeView.inset(model)?.image.rect)
        #expect(rect.columns >= 20 && rect.column + rect.columns <= 80 && rect.row > 2)
        // Another file: the picture goes, and the old one is broken off.
        let effects5 = model.update(.key(KeyStroke(.down)), now: at(10))
        #expect(looks(effects5) == [nil])
        #expect(ChromeView.inset(model) == nil)
        let effects6 = model.update(.glance("/films/0.mkv", picture), now: at(10))
        #expect(!effects6.contains(.redraw), "too late")
    }

    /// Keys repeat every 30 ms, also where the selection has come to the end of the list.
    @Test func nothingIsLookedAtWhileAKeyIsHeld() throws {
        var model = try opened()
        var time = 1.1, asked: [String?] = []
        for _ in 0..<200 {
            asked += looks(model.update(.key(KeyStroke(.pageDown)), now: at(time)))
            asked += looks(model.update(.tick, now: at(time + 0.02)))
            time += 0.03
        }
        #expect(asked.isEmpty)
    }

    @Test func directoriesAndListsHaveNoImageAndSmallScreensNoRoom() throws {
        var model = try opened()
        _ = model.update(.key(KeyStroke(.end)), now: at(2))
        let effects7 = model.update(.tick, now: at(5))
        #expect(looks(effects7).isEmpty && model.glance.path == nil)
        var small = try opened(columns: 40, rows: 12)
        let effects8 = small.update(.tick, now: at(5))
        #expect(looks(effects8).isEmpty)
    }

    @Test func whatWasPlayedBeforeStandsAboveWithoutWhatPlaysAndHasItsImage() throws {
        let recent = [RecentFile(location: "/films/demo.mkv"), RecentFile(location: "/old/a.mkv", title: "The Old One")]
        var model = try opened(recent: recent)
        #expect(model.browser?.entries.prefix(2).map(\.label) == ["The Old One", ".."])
        let effects9 = model.update(.tick, now: at(5))
        #expect(looks(effects9) == ["/old/a.mkv"])
        // Files that become known later do not move the selection.
        _ = model.update(.key(KeyStroke(.down)), now: at(6))
        _ = model.update(.key(KeyStroke(.down)), now: at(6))
        let selected = model.browser?.selected
        _ = model.update(.recent(recent + [RecentFile(location: "/old/b.mkv")]), now: at(7))
        #expect(model.browser?.selected == selected && model.browser?.entries.filter { $0.kind == .recent }.count == 2)
    }

    @Test(.enabled(if: Programs.demo != nil, "the demo clip is not made: make demo"))
    func aImageIsTakenOutOfTheFile() throws {
        let wake = WakeHandle(), films = SelectedVideo(wake: wake), demo = try #require(Programs.demo)
        films.look(at: "/nowhere/at/all.mkv")
        films.look(at: demo)
        var ready = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 60_000) == 1)
        let found = try #require(films.take())
        #expect(found.path == demo && found.still.image.width > 100 && found.still.number < 0)
        #expect(films.take() == nil)
    }
}
