import AetherTestSupport
import Testing

@testable import AetherFormats

/// The interactive graphics of a Blu-ray disc, as their bytes have them.
struct InteractiveStreamTests {
    static func menu() -> MenuGraphics {
        var first = MenuGraphics.Button(id: 1, x: 40, y: 60, commands: [[0x2181_0000, 1, 0]])
        var second = MenuGraphics.Button(id: 2, x: 40, y: 120, commands: [[0x2181_0000, 2, 0], [0, 0, 0]])
        (first.down, first.up, second.up, second.down) = (2, 2, 1, 1)
        (first.number, second.number) = (1, 2)
        (first.normal, second.normal) = ([0, 0], [0, 0])
        (first.selected, second.selected) = ([1, 2], [1, 2])
        (first.activated, second.activated) = ([3, 3], [3, 3])
        (first.isRepeated, second.actsAtOnce) = (true, true)
        var page = MenuGraphics.Page(id: 0, [.init(first: 1, [first]), .init(first: 2, [second, .init(id: 5)])])
        (page.selected, page.activated, page.framesPerObject, page.effectCount) = (1, 2, 5, 2)
        var menu = MenuGraphics([page, MenuGraphics.Page(id: 7, [.init(first: 0xFFFF, [.init(id: 9)])])])
        menu.objects = [
            .init(id: 0, width: 100, height: 20, colour: 1), .init(id: 1, width: 100, height: 20, colour: 2),
            .init(id: 2, width: 60, height: 20, colour: 3), .init(id: 3, width: 100, height: 20, colour: 4),
        ]
        menu.colours = [[1, 235, 128, 128, 255], [2, 81, 240, 90, 255], [3, 16, 128, 128, 128], [4, 210, 146, 16, 255]]
        return menu
    }

    static func display(_ menu: MenuGraphics, pid: Int = 0x1400) -> InteractiveDisplay? {
        var stream = InteractiveStream(pid: pid)
        _ = stream.take(menu.packets(pid: pid, time: 900_000))
        return stream.display
    }

    @Test func playlistsNameTheirGraphicsAndPoints() throws {
        let streams = [
            BluRayTables.Stream(pid: 0x1011, coding: 0x1B), BluRayTables.Stream(pid: 0x1400, coding: 0x91, language: "eng"),
        ]
        let items = [
            BluRayTables.Item(clips: [1], start: 45_000, end: 90_000),
            BluRayTables.Item(clips: [2, 3], start: 0, end: 45_000, isStill: true),
        ]
        let own = BluRayTables.playlist(items, marks: [(0, 45_000), (1, 4500)], streams: streams)
        let playlist = try BluRayPlaylist(own)
        #expect(playlist.graphics == [BluRayGraphics(pid: 0x1400)] && playlist.streams.map(\.pid) == [0x1011])
        #expect(playlist.companions.isEmpty && playlist.items.map(\.still) == [0, BluRayPlaylist.Item.forever])
        #expect(playlist.points.count == 2 && playlist.time(of: .mark(1)) == 99_000 && playlist.time(of: .item(1)) == 90_000)
        #expect(playlist.time(of: .beginning) == 0 && playlist.time(of: .mark(2)) == 0 && playlist.time(of: .item(2)) == 0)
        let beside = BluRayTables.playlist(items, marks: [], streams: streams, companion: (7, 0..<45_000))
        let other = try BluRayPlaylist(beside)
        #expect(other.graphics == [BluRayGraphics(pid: 0x1400, path: 0)] && other.items == playlist.items)
        #expect(other.companions == [0: .init(kind: 3, clip: BluRayClipName(7))])
        for count in 0..<beside.count {
            do throws(DiscFault) {
                let cut = try BluRayPlaylist(Array(beside.prefix(count)))
                #expect(cut.items == other.items)
            } catch {
                #expect(error == .damaged("playlist") || error == .damaged("list of chapters") || !error.reason.isEmpty)
            }
        }
    }

    @Test func aCompositionIsRead() throws {
        var menu = Self.menu()
        (menu.isPopUp, menu.end, menu.choiceEnd, menu.idleTime) = (true, 5 << 30, 4500, 90_000)
        let display = try #require(Self.display(menu)), composition = display.composition
        #expect(display.start == 900_000 && composition.width == 320 && composition.height == 240)
        #expect(composition.isPopUp && composition.end == 5 << 30 && composition.choiceEnd == 4500)
        #expect(composition.idleTime == 90_000 && composition.frameTicks == 3600)
        #expect(composition.pages.map(\.id) == [0, 7])
        let page = composition.pages[0]
        #expect(page.selected == 1 && page.activated == 2 && page.framesPerObject == 5 && page.palette == 0)
        #expect(page.groups.map(\.first) == [1, 2] && composition.pages[1].groups.map(\.first) == [nil])
        let first = try #require(page.button(1)), second = try #require(page.button(2)), spare = try #require(page.button(5))
        #expect(first.group == 0 && second.group == 1 && spare.group == 1 && page.button(3) == nil)
        #expect(first.button.x == 40 && first.button.y == 60 && first.button.down == 2 && first.button.left == 1)
        #expect(first.button.number == 1 && spare.button.number == nil && !first.button.actsAtOnce && second.button.actsAtOnce)
        #expect(first.button.normal == .init(0...0, isRepeated: true) && first.button.selected == .init(1...2, isRepeated: true))
        #expect(first.button.activated == .init(3...3) && spare.button.normal == .init(nil))
        #expect(first.button.commands == [HDMVCommand(0x2181_0000, 1, 0)] && second.button.commands.count == 2)
        menu.isPreloaded = true
        let preloaded = try #require(Self.display(menu)).composition
        #expect(
            preloaded.end == nil && preloaded.choiceEnd == nil && preloaded.idleTime == 90_000
                && preloaded.pages == composition.pages)
    }

    @Test func bitmapsAndColoursAreRead() throws {
        let display = try #require(Self.display(Self.menu()))
        #expect(display.objects.count == 4)
        for (id, colour) in [(0, 1), (1, 2), (3, 4)] {
            let object = try #require(display.objects[id])
            #expect(object.width == 100 && object.height == 20 && object.pixels.allSatisfy { $0 == UInt8(colour) })
        }
        let narrow = try #require(display.objects[2])
        #expect(narrow.width == 60 && narrow.pixels.count == 1200 && narrow.pixels.allSatisfy { $0 == 3 })
        let colours = try #require(display.palettes[0]).colours(height: 240)
        #expect(colours[1] == 0xFFFF_FFFF && colours[0] == 0 && colours[255] == 0 && colours[3] >> 24 == 128)
        #expect(colours[2] >> 16 & 0xFF > 0xF0 && colours[2] & 0xFFFF < 0x1010, "red: \(String(colours[2], radix: 16))")
        #expect(colours[2] != display.palettes[0]?.colours(height: 1080)[2], "HD has another matrix")
    }

    /// All kinds of runs: a pixel, short and long runs of nothing, and of a colour; the end of a row.
    @Test func runsArePixels() throws {
        let bytes: [UInt8] =
            [0, 100, 0, 3] + [9, 0, 5, 0, 0x40, 80, 0, 0x8E, 4, 0, 0] + [0, 0xC0, 100, 6, 0, 0] + [0, 0xBF, 7]
        let object = try #require(InteractiveObject(bytes[...], width: 100, height: 3, count: 300))
        #expect(
            object.pixels[0] == 9 && object.pixels[1..<86].allSatisfy { $0 == 0 }
                && object.pixels[86..<100].allSatisfy { $0 == 4 })
        #expect(object.pixels[100..<200].allSatisfy { $0 == 6 } && object.pixels[200..<263].allSatisfy { $0 == 7 })
        #expect(object.pixels[263...].allSatisfy { $0 == 0xFF }, "what is missing is clear")
        #expect(InteractiveObject(bytes[...], width: 99, height: 3, count: 300) == nil)
        #expect(InteractiveObject(bytes[...], width: 100, height: 2, count: 300) == nil)
        #expect(InteractiveObject(bytes[...], width: 100, height: 3, count: 299) == nil)
        // A run beyond the row does not reach the next one, nor rows beyond the bitmap.
        let long: [UInt8] = [0, 4, 0, 2] + [0, 0xFF, 0xFF, 6] + [8] + [0, 0] + [5, 0, 0] + [3, 3, 3, 3]
        #expect(
            try #require(InteractiveObject(long[...], width: 9, height: 9, count: 9)).pixels == [6, 6, 6, 6, 5, 255, 255, 255])
    }

    @Test func segmentsComeInPieces() throws {
        var menu = Self.menu()
        let whole = try #require(Self.display(menu))
        for size in [20, 37, 181] {
            menu.pieceSize = size
            #expect(menu.segments.count >= 8 && Self.display(menu)?.composition == whole.composition, "\(size)")
            #expect(Self.display(menu)?.objects == whole.objects)
        }
        // Other streams between the packets, packets without a time, and a stream that is met in its middle.
        let packets = menu.packets(pid: 0x1400, time: 900_000), other = Self.menu().packets(pid: 0x1401, time: 1)
        var stream = InteractiveStream(pid: 0x1400)
        for start in stride(from: 0, to: packets.count, by: 192) {
            _ = stream.take(Array(other[start % other.count..<start % other.count + 192]))
            _ = stream.take(Array(packets[start..<start + 192].dropFirst(4)), offset: 0)
        }
        #expect(stream.display?.objects.count == 4)
        stream = InteractiveStream(pid: 0x1400)
        #expect(
            stream.take(Array(packets.dropFirst(192 * 3))) == false && stream.take(packets) == true && stream.take([]) == true)
        #expect(stream.display?.composition == whole.composition)
        #expect(Self.display(menu, pid: 0x141F)?.composition == whole.composition)
    }

    @Test func truncatedBytesAreNoTrap() throws {
        let menu = Self.menu(), packets = menu.packets(pid: 0x1400, time: 0)
        for count in stride(from: 0, to: packets.count, by: 7) {
            var stream = InteractiveStream(pid: 0x1400)
            _ = stream.take(Array(packets.prefix(count)))
            #expect(stream.display == nil)
        }
        for (index, segment) in menu.segments.enumerated() {
            for count in 3..<segment.count {
                var stream = InteractiveStream(pid: 0), cut = segment
                cut.removeLast(segment.count - count)
                (cut[1], cut[2]) = (UInt8((count - 3) >> 8), UInt8((count - 3) & 255))
                var segments = menu.segments
                segments[index] = cut
                stream.take(segments: Array(segments.joined()))
                if index == 0 { #expect(stream.display == nil || count == segment.count) }
            }
        }
    }

    @Test func mutatedBytesStayBounded() throws {
        let bytes = Array(Self.menu().segments.joined())
        var complete = 0
        for seed in 0..<6000 as Range<UInt64> {
            var random = SeededRandom(seed: seed), damaged = bytes
            for _ in 0...random.below(6) {
                // Mostly the composition, whose bytes come first.
                let place = random.below(random.below(3) == 0 ? damaged.count : 420)
                damaged[place] = random.below(3) == 0 ? 0xFF : UInt8(random.below(256))
            }
            var stream = InteractiveStream(pid: 0)
            stream.take(segments: damaged, time: 5)
            guard let display = stream.display else { continue }
            complete += 1
            let size = display.composition
            #expect(size.width <= 4096 && size.height <= 2304 && size.pages.count <= 255)
            #expect(display.objects.values.allSatisfy { $0.width <= size.width && $0.height <= size.height })
            #expect(display.objects.values.reduce(0) { $0 + $1.pixels.count } <= 24 << 20)
            var state = InteractiveState(display)
            for time in stride(from: Int64(0), to: 100_000, by: 20_000) {
                _ = state.move(.down, at: time)
                _ = state.activate(at: time)
                if let plane = InteractivePlane(state, at: time) {
                    #expect(plane.pixels.count == plane.width * plane.height && plane.x + plane.width <= size.width)
                    #expect(plane.y + plane.height <= size.height)
                }
                _ = state.take(.show(page: 7, button: 9), at: time)
            }
        }
        #expect(complete > 500, "\(complete)")
    }
}
