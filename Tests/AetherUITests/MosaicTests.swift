import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import AetherTerminal
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherUI

/// Channels side by side.
@Suite struct MosaicTests {
    private static let names = ["One", "Two", "Three", "Four", "Five", "Six"]

    private func book() -> ChannelBook {
        let lines = Self.names.map { "#EXTINF:-1 tvg-id=\"\($0)\" group-title=\"All\",\($0)\nhttp://host/\($0).m3u8\n" }
        return ChannelBook(ChannelList(Array(("#EXTM3U\n" + lines.joined()).utf8)), source: "/tv/list.m3u")
    }

    /// A model that plays a channel.
    private func watching(_ channel: Int = 0, columns: Int = 80) throws -> AppModel {
        var model = model(columns: columns)
        let book = book()
        _ = model.update(.playlist(Playlist(items: [try #require(book.item(channel))]).position), now: at(1))
        _ = model.update(.snapshot(film()), now: at(1))
        _ = model.update(.television(.list(book)), now: at(1))
        return pressing([KeyStroke(.escape)], model).0
    }

    private let open = KeyStroke(.character("m"), .alt)

    private func requests(_ effects: [AppEffect]) -> [TelevisionRequest] {
        effects.compactMap { if case .television(let request) = $0 { request } else { nil } }
    }

    private func mutes(_ effects: [AppEffect]) -> [Bool] {
        effects.compactMap { if case .send(.set(.muted(let isMuted))) = $0 { isMuted } else { nil } }
    }

    @Test func theChannelsThatAreLikelyNextHaveAnOrder() throws {
        var model = try watching()
        #expect(model.scene.television?.likelyNext(4) == [1, 5, 2])
        _ = model.update(.playlist(Playlist(items: [try #require(book().item(3))]).position), now: at(2))
        #expect(model.scene.television?.likelyNext(4) == [4, 2, 0, 5] && model.scene.television?.likelyNext(2) == [4, 2])
    }

    // MARK: - Tiles

    @Test(arguments: 1...4)
    func tilesFillTheRasterAndDoNotOverlap(_ count: Int) {
        let layout = MosaicLayout(count: count), box = PixelSize(width: 161, height: 91)
        var covered = [Int](repeating: 0, count: box.width * box.height)
        for tile in 0..<count {
            let (x, y) = layout.pixels(of: tile, in: box), size = layout.size(of: tile, in: box)
            #expect(size.width <= x.count && size.height <= y.count && size.width > 0 && size.height > 0)
            for row in y { for column in x { covered[row * box.width + column] += 1 } }
        }
        #expect(covered.allSatisfy { $0 <= 1 } && (count == 3 || covered.allSatisfy { $0 == 1 }))
    }

    @Test(arguments: [
        (2, 0, 1, 0, 1), (2, 1, 1, 0, 1), (2, 0, 0, 1, 0), (4, 0, 0, 1, 2), (4, 3, 0, -1, 1), (3, 1, 0, 1, 2), (3, 2, 1, 0, 2),
    ])
    func neighboursAreWhereTheArrowsPoint(_ count: Int, _ tile: Int, _ right: Int, _ down: Int, _ expected: Int) {
        #expect(MosaicLayout(count: count).neighbour(of: tile, right: right, down: down) == expected)
    }

    @Test func eachFrameLiesInTheMiddleOfItsTile() {
        let layout = MosaicLayout(count: 4), box = PixelSize(width: 80, height: 40)
        let red = RasterImage.rgb(255, 0, 0), green = RasterImage.rgb(0, 255, 0), white = RasterImage.rgb(255, 255, 255)
        let black: UInt32 = 0xFF00_0000
        // One is smaller than its tile, another as large as the screen.
        let images: [RasterImage?] = [
            RasterImage(width: 10, height: 8, fill: red), nil, nil, RasterImage(width: 80, height: 40, fill: green),
        ]
        let image = layout.composed(images, chosen: 1, in: box)
        #expect(image.size == box && image[20, 10] == red && image[14, 10] == black && image[26, 10] == black)
        #expect(image[60, 30] == green && image[42, 21] == green && image[41, 21] == black && image[20, 30] == black)
        #expect(image[40, 0] == white && image[79, 19] == white && image[60, 10] == black && image[39, 0] == black)
    }

    // MARK: - The stage

    private final class Screen: VideoSink {
        let demand = RasterDemand(box: PixelSize(width: 80, height: 40), pixelAspect: 1)
        let frames = Monitor<[VideoFrame]>([])
        let cleared = Mutex(0)
        var lead: TimeSpan { .zero }
        var lastShown: ShownFrame? { nil }
        var statistics: SinkStatistics { SinkStatistics() }
        func show(_ frame: VideoFrame) { frames.update { $0.append(frame) } }
        func flush(_ epoch: Epoch) {}
        func clear() { cleared.withLock { $0 += 1 } }
    }

    private func frame(_ colour: UInt32, _ size: PixelSize, epoch: UInt64 = 1, at time: HostTime) -> VideoFrame {
        VideoFrame(
            pts: .seconds(3), duration: .milliseconds(40), epoch: Epoch(epoch), due: time,
            image: RasterImage(width: size.width, height: size.height, fill: colour))
    }

    @Test func aloneTheChannelHasTheScreenAsItIs() throws {
        let screen = Screen(), stage = MosaicStage(screen: screen, time: ManualTime())
        #expect(stage.demand == screen.demand)
        let shown = frame(0xFF00_00FF, PixelSize(width: 33, height: 22), at: at(0))
        stage.show(shown)
        MosaicTile(stage: stage, number: 1).show(shown)
        #expect(screen.frames.read { $0.map(\.image) } == [shown.image])
        stage.clear()
        #expect(screen.cleared.withLock { $0 } == 1)
    }

    @Test func tilesAreSmallerAndSlowerThanTheScreen() throws {
        let screen = Screen(), stage = MosaicStage(screen: screen, time: ManualTime()), tile = MosaicTile(stage: stage, number: 3)
        stage.lay(4)
        #expect(stage.demand.box == PixelSize(width: 38, height: 18) && tile.demand.box == stage.demand.box)
        #expect(stage.demand.frameRateLimit == 30 && tile.demand.frameRateLimit == 15)
        stage.follow(3)
        #expect(stage.demand.frameRateLimit == 15 && tile.demand.frameRateLimit == 30)
        stage.lay(1)
        #expect(stage.demand == screen.demand)
    }

    @Test func theChannelThatSoundsLeadsAndNoFrameOfTheOthersDoes() throws {
        let time = ManualTime(at(0)), screen = Screen(), stage = MosaicStage(screen: screen, time: time)
        let tiles = (1...3).map { MosaicTile(stage: stage, number: $0) }, size = PixelSize(width: 38, height: 18)
        stage.lay(4)
        // Two seconds of four channels with 25 frames a second.
        for _ in 0..<50 {
            stage.show(frame(RasterImage.rgb(9, 0, 0), size, epoch: 7, at: time.now()))
            for (place, tile) in tiles.enumerated() {
                tile.show(frame(RasterImage.rgb(0, UInt8(place + 1), 0), size, at: time.now()))
            }
            time.advance(by: .milliseconds(40))
        }
        let shown = screen.frames.read { $0 }
        #expect(shown.count == 50 && shown.allSatisfy { $0.epoch == Epoch(7) && $0.image.size == screen.demand.box })
        let last = try #require(shown.last?.image)
        #expect([last[10, 10], last[50, 10], last[10, 30], last[50, 30]].map { $0 & 0xFFFF } == [9, 0x100, 0x200, 0x300])
        // The one that sounds stands still: the others go on, more slowly.
        for _ in 0..<50 {
            for tile in tiles { tile.show(frame(RasterImage.rgb(0, 0, 5), size, at: time.now())) }
            time.advance(by: .milliseconds(40))
        }
        let more = screen.frames.read { $0.count } - 50
        #expect((20...30).contains(more), "\(more)")
    }

    // MARK: - Keys

    @Test func theChannelsBesideAreFavouritesFirstAndThenThoseThatFollow() throws {
        var model = try watching(1)
        let (_, effects) = pressing([open], model)
        #expect(requests(effects) == [.playBeside([2, 3, 4])])
        _ = model.update(.television(.favourites([book().memoryKey(5), book().memoryKey(0)])), now: at(1))
        let (opened, others) = pressing([open], model)
        #expect(requests(others) == [.playBeside([5, 0, 2])])
        #expect(opened.layers[Mosaic.self]?.channels == [1, 5, 0, 2])
    }

    @Test func arrowsChooseTheOneThatSounds() throws {
        var (model, effects) = pressing([open, KeyStroke(.right)], try watching())
        #expect(requests(effects) == [.playBeside([1, 2, 3]), .hear(1, isMuted: false)] && mutes(effects) == [true])
        (model, effects) = pressing([KeyStroke(.down)], model)
        #expect(requests(effects) == [.hear(3, isMuted: false)] && mutes(effects).isEmpty)
        (model, effects) = pressing([KeyStroke("m")], model)
        #expect(requests(effects) == [.hear(3, isMuted: true)] && mutes(effects).isEmpty)
        (model, effects) = pressing([KeyStroke("m"), KeyStroke(.left), KeyStroke(.up)], model)
        #expect(requests(effects).last == .hear(0, isMuted: false) && mutes(effects) == [false])
        (model, effects) = pressing([KeyStroke(.up)], model)
        #expect(requests(effects).isEmpty && mutes(effects).isEmpty)
    }

    @Test func enterOpensTheOneThatSoundsAndItsSoundStays() throws {
        let (model, effects) = pressing([open, KeyStroke(.right), KeyStroke(.enter)], try watching())
        #expect(requests(effects).last == .play(1) && mutes(effects) == [true, false])
        #expect(model.layers[Mosaic.self] == nil && !model.snapshot.isMuted)
    }

    @Test(arguments: [KeyStroke(.escape), KeyStroke(.character("m"), .alt)])
    func closingGivesThePlayersChannelItsSoundBack(_ key: KeyStroke) throws {
        var (model, effects) = pressing([open, KeyStroke(.right), key], try watching())
        #expect(!requests(effects).contains { if case .play = $0 { true } else { false } })
        #expect(model.layers[Mosaic.self] == nil && mutes(effects) == [true, false])
        // Who was silent before stays so.
        (model, effects) = pressing([KeyStroke("m"), open, KeyStroke(.right), key], try watching())
        #expect(mutes(effects) == [true] && model.snapshot.isMuted)
    }

    @Test func aClickChoosesAndTheSecondOpens() throws {
        var (model, _) = pressing([open], try watching())
        let press = MouseEvent(.press, .left, x: 60, y: 3)
        var effects = model.update(.mouse(press), now: at(3))
        #expect(requests(effects) == [.hear(1, isMuted: false)])
        effects = model.update(.mouse(press), now: at(4))
        #expect(requests(effects) == [.play(1)])
    }

    @Test func withoutChannelsThereIsNothingBeside() throws {
        let (alone, effects) = pressing([open], model())
        #expect(requests(effects).isEmpty && alone.message?.text == "No list of channels is open")
    }

    @Test func namesAndFaultsStandInTheTiles() throws {
        var (model, _) = pressing([open, KeyStroke(.right)], try watching())
        _ = model.update(.mosaic([.playing, .failed("no such host"), .opening]), now: at(3))
        let texts = ChromeView.panes(model).filter { pane in (0..<4).contains { pane.window == .mosaic($0) } }.map { pane in
            pane.runs.map(\.text).joined().trimmingCharacters(in: .whitespaces)
        }
        #expect(texts == ["1 One", "♪ 2 Two", "3 Three: no such host", "4 Four …"])
        let rows = try screen(model)
        #expect(rows.contains("♪ 2 Two") && rows.contains("3 Three: no such host"))
    }

    // MARK: - Several engines

    @Test func severalEnginesOfOneProcessShareTheScreen() async throws {
        let clips = try ["red", "blue"].map { colour in
            try Fixtures.clip(
                ["-f", "lavfi", "-i", "color=\(colour):s=64x36:r=25:d=20", "-c:v", "libx264", "-preset", "ultrafast"], ext: "mkv")
        }
        let screen = Screen(), stage = MosaicStage(screen: screen), desk = MosaicDesk(stage: stage) {}
        let own = AetherEngine(sink: stage)
        var options = LoadOptions()
        options.audioOutput = .none
        desk.open([(.file(clips[1]), options), nil])
        #expect(desk.isOpen && desk.states.last == .failed("this list may not name its address"))
        own.begin(.location(.file(clips[0])), options: options)
        // Above on the left is the player's own channel, beside it the other, and below the one that cannot be had. The engines' tasks need the
        // pool, which a test that waits on it would block.
        let both = await WorkerThread.value(name: "watch") { () -> Bool? in
            func isRed(_ pixel: UInt32) -> Bool { pixel & 255 > 200 && pixel >> 16 & 255 < 50 }
            func isBlue(_ pixel: UInt32) -> Bool { pixel & 255 < 50 && pixel >> 16 & 255 > 200 }
            // The end of a hang: under a sanitizer the pool was busy with other tests for 18 minutes.
            return screen.frames.wait(until: SystemTime().now() + .seconds(3000)) { frames in
                guard let image = frames.last?.image, image.size == screen.demand.box else { return nil }
                return isRed(image[20, 10]) && isBlue(image[60, 10]) ? true : nil
            }
        }
        #expect(both == true)
        desk.shutDown()
        #expect(!desk.isOpen && stage.demand == screen.demand)
        await own.stop()
    }
}
