import AetherCore
import AetherEngine
import AetherFormats
import AetherRender
import AetherSources
import AetherTerminal
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherUI

/// Logos of channels: when they are asked for, how they are fetched, where they lie.
@Suite struct ChannelLogosTests {
    private func watching(_ origin: String, columns: Int = 80) throws -> AppModel {
        let text = """
            #EXTM3U
            #EXTINF:-1 tvg-logo="\(origin)/one.png" group-title="All",One
            http://host/one.m3u8
            #EXTINF:-1 tvg-logo="\(origin)/two.png" group-title="All",Two
            http://host/two.m3u8
            #EXTINF:-1 tvg-logo="file:///etc/three.png" group-title="All",Three
            http://host/three.m3u8
            """
        var model = model(columns: columns)
        let book = ChannelBook(ChannelList(Array(text.utf8)), source: "/tv/list.m3u")
        _ = model.update(.playlist(Playlist(items: [try #require(book.item(0))]).position), now: at(1))
        _ = model.update(.snapshot(film()), now: at(1))
        _ = model.update(.television(.list(book)), now: at(1))
        return model
    }

    private func looks(_ effects: [AppEffect]) -> [Int?] {
        effects.compactMap { if case .television(.logo(let channel)) = $0 { .some(channel) } else { nil } }
    }

    @Test func theLogoOfTheChannelThatRestsUnderTheSelectionIsAskedForOnce() throws {
        var model = try watching("http://logos")
        let asked = [1.5, 1.7, 9].map { looks(model.update(.tick, now: at($0))) }
        #expect(asked == [[], [0], []])
        let still = ScrubStill(image: RasterImage(width: 120, height: 90), number: -1)
        let shown = model.update(.glance("http://logos/one.png", still), now: at(9))
        let rect = try #require(ChromeView.inset(model)?.image.rect)
        let pane = try #require(model.layers[Channels.self]?.rect(in: model.scene))
        #expect(shown.contains(.redraw) && rect.columns >= 8)
        #expect(rect.row > pane.row + pane.rows / 2 && rect.column + rect.columns < pane.column + pane.columns)
        // Another channel: the logo goes, and the old one is broken off.
        let next = model.update(.key(KeyStroke(.down)), now: at(10))
        #expect(looks(next) == [nil] && ChromeView.inset(model) == nil)
        let rested = model.update(.tick, now: at(10.7))
        #expect(looks(rested) == [1])
        // So it does when the pane is closed.
        let closed = model.update(.key(KeyStroke(.escape)), now: at(11)), later = model.update(.tick, now: at(20))
        #expect(looks(closed) == [nil] && looks(later).isEmpty)
    }

    @Test func nothingIsAskedForWhileAKeyIsHeldAndWhereThereIsNoRoomOrNoAddress() throws {
        var model = try watching("http://logos"), asked: [Int?] = []
        for press in 0..<100 {
            let now = 2 + Double(press) * 0.03
            asked += looks(model.update(.key(KeyStroke(press % 2 == 0 ? .down : .up)), now: at(now)))
            asked += looks(model.update(.tick, now: at(now + 0.02)))
        }
        #expect(asked.isEmpty)
        // The last one's leads to a file.
        _ = model.update(.key(KeyStroke(.end)), now: at(8))
        asked = looks(model.update(.tick, now: at(9)))
        #expect(model.layers[Channels.self]?.channel == 2 && asked.isEmpty)
        var narrow = try watching("http://logos", columns: 50)
        asked = looks(narrow.update(.tick, now: at(9)))
        #expect(asked.isEmpty)
    }

    // MARK: - Fetching

    private func image(of path: String, _ origin: TestOrigin, _ logos: ChannelLogos, _ wake: WakeHandle) throws -> RasterImage {
        logos.look(at: ChannelLogos.Wish(address: origin.address + path, http: HTTPOptions()))
        while true {
            var poll = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(Glibc.poll(&poll, 1, 60_000) == 1, "nobody woke")
            wake.drain()
            if let find = logos.take() {
                #expect(find.address == origin.address + path)
                return find.still.image
            }
        }
    }

    @Test func aLogoIsFetchedOnceAndDecoded() throws {
        let clip = try Fixtures.clip(["-f", "lavfi", "-i", "color=red:s=480x240:d=1", "-frames:v", "1"], ext: "png")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: clip)))
        let large = [UInt8](repeating: 7, count: ChannelLogos.byteLimit + 1)
        let origin = try TestOrigin(["/one.png": .bytes(bytes), "/two.png": .bytes(bytes), "/large.png": .bytes(large)])
        let wake = WakeHandle(), logos = ChannelLogos(wake: wake)
        let image = try image(of: "/one.png", origin, logos, wake)
        #expect(image.size == PixelSize(width: 240, height: 120) && image[100, 50] & 255 > 200)
        #expect(try self.image(of: "/one.png", origin, logos, wake) == image)
        #expect(origin.requests.count { $0.target == "/one.png" } == 1)
        // What is too large, or missing, is no logo; the one that is wanted next comes all the same.
        for path in ["/large.png", "/none.png"] {
            logos.look(at: ChannelLogos.Wish(address: origin.address + path, http: HTTPOptions()))
            #expect(origin.wait { $0.contains { $0.target == path } })
        }
        _ = try self.image(of: "/two.png", origin, logos, wake)
        #expect(logos.take() == nil)
    }
}
