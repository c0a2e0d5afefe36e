import AetherCore
import AetherFormats
import Testing

@testable import AetherDiscs

struct DiscTimelineTests {
    private func cell(_ object: Int, _ number: Int, angle: Int = 0, _ extents: Range<Int>..., lasting: Double = 1) -> DiscCell {
        DiscCell(
            object: object, number: number, angle: angle, extents: extents, lastUnit: extents[0].lowerBound,
            duration: .seconds(lasting))
    }

    /// A unit's first sector with the times that it is read for.
    private func pack(_ start: Int64, _ end: Int64) throws -> NavigationPack {
        var bytes = [UInt8](repeating: 0, count: 2048)
        func put(_ place: Int, _ values: [UInt8]) { bytes.replaceSubrange(place..<place + values.count, with: values) }
        func number(_ value: Int64) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        put(0, [0, 0, 1, 0xBA, 0x44])
        put(0x26, [0, 0, 1, 0xBF, 3, 0xD4, 0])
        put(0x400, [0, 0, 1, 0xBF, 3, 0xFA, 1])
        put(0x39, number(start))
        put(0x3D, number(end))
        put(0x41F, [0, 7])
        put(0x422, [3])
        return try #require(NavigationPack(bytes))
    }

    @Test func aPackTellsTimesAndPlace() throws {
        let pack = try pack(1000, 46000)
        #expect(pack.start == 1000 && pack.end == 46000 && pack.object == 7 && pack.cell == 3)
        #expect(try self.pack(0xFFFF_FF00, 256).end == 1 << 32 + 256)
        #expect(NavigationPack([UInt8](repeating: 0, count: 2048)) == nil)
        #expect(NavigationPack([UInt8]()) == nil)
    }

    @Test func cellsOfOneObjectAreOneStretch() {
        let cells = [cell(1, 1, 0..<10), cell(1, 2, 10..<20), cell(2, 1, 20..<30), cell(2, 1, 20..<30), cell(1, 3, 5..<9)]
        #expect(DiscTimeline.beginnings(cells) == [0, 2, 3, 4])
    }

    @Test func clocksFollowOnEachOther() throws {
        var timeline = DiscTimeline()
        timeline.append(places: 0..<100, first: try pack(45_000, 90_000), last: try pack(540_000, 585_000))
        timeline.append(places: 100..<150, first: try pack(9000, 54_000), last: try pack(99_000, 189_000))
        #expect(timeline.start == 45_000 && timeline.end == 585_000 + 180_000)
        #expect(timeline.stretches.map(\.begin) == [45_000, 585_000])
        #expect(timeline.stretch(ofPlace: 99) == 0 && timeline.stretch(ofPlace: 100) == 1)
        #expect(timeline.stretch(at: 584_999) == 0 && timeline.stretch(at: 585_000) == 1)
        #expect(timeline.shift(of: 9000, in: 1) == 576_000 && timeline.shift(of: 50_000, in: 0) == 0)
        // libavformat may take a clock that lies before the first one for a clock that has begun again.
        #expect(timeline.shift(of: 9000 + 1 << 33, in: 1) == 576_000 - 1 << 33)
        #expect(timeline.shift(of: 5400, in: 1) == 576_000, "audio may begin a little before the video")
        #expect(timeline.clockTime(at: 590_000) == 14_000)
    }

    @Test func aUnitIsFoundByFewLooks() {
        // Units of half a second each, but for a long one.
        let times: [Int64] = (0..<7000).map { 45_000 * Int64($0) + ($0 > 3000 ? 900_000 : 0) }
        var most = 0
        for time in stride(from: Int64(0), to: times[6999] + 45_000, by: 1_234_567) {
            var looks = 0
            let unit = DiscTimeline.unit(before: time, count: times.count, duration: times[6999] + 45_000, start: 0) {
                looks += 1
                return times[$0]
            }
            #expect(unit == times.lastIndex { $0 <= time })
            most = max(most, looks)
        }
        #expect(most <= 24, "\(most)")
    }

    @Test func aUnitThatIsUnreadableIsNotGoneTo() {
        let found = DiscTimeline.unit(before: 900, count: 10, duration: 1000, start: 0) { $0 >= 5 ? nil : Int64($0) * 100 }
        #expect(found == 4)
        #expect(DiscTimeline.unit(before: 900, count: 0, duration: 1000, start: 0) { _ in nil } == 0)
    }

    /// Units behind a scratch are found, wherever the looks fall.
    @Test(arguments: [[4], [5], [5, 6, 7], [9], [3, 4, 5]]) func aScratchHidesNothingBehindIt(_ scratched: [Int]) throws {
        for time in stride(from: Int64(0), to: 1000, by: 100) {
            let found = DiscTimeline.unit(before: time, count: 10, duration: 1000, start: 0) { index in
                scratched.contains(index) ? nil : Int64(index) * 100
            }
            #expect(found == (0...Int(time / 100)).last { !scratched.contains($0) })
        }
        let cell = DiscCell(object: 1, number: 1, extents: [0..<10], lastUnit: 9, duration: .seconds(1)),
            packs = try (0..<10).map { try pack(Int64($0) * 100, Int64($0) * 100 + 100) }
        let clocks = TitleClocks(cells: [cell], map: SectorMap([cell]), units: Array(0..<10)) { sector throws(DiscError) in
            // The last one is what was not copied.
            scratched.contains(sector) || sector == 9 ? nil : packs[sector]
        }
        let (timeline, isWhole) = try #require(try clocks.timeline())
        #expect(timeline.end == 900 && !isWhole)
    }

    @Test func sectorsAreCountedAlongTheTitle() {
        let map = SectorMap([cell(1, 1, 100..<110, 120..<130), cell(1, 2, 130..<140), cell(2, 1, 50..<60)])
        #expect(map.count == 40 && map.cellPlaces == [0, 20, 30])
        #expect(map.extents.map(\.place) == [0, 10, 30])
        #expect(map.sectors(at: 0) == 100..<110 && map.sectors(at: 12) == 122..<140 && map.sectors(at: 39) == 59..<60)
        #expect(map.sectors(at: 40) == nil && map.sectors(at: -1) == nil)
        #expect(map.places(of: [50, 55, 100, 105, 115, 120, 139, 140]).sorted() == [0, 5, 10, 29, 30, 35])
    }

    @Test func oneAngleIsPlayed() {
        let title = DiscTitle(
            id: 1, titleSet: 1, numberInSet: 1, angleCount: 2,
            cells: [cell(1, 1, 0..<9), cell(2, 1, angle: 1, 9..<12, 15..<18), cell(3, 1, angle: 2, 12..<15), cell(4, 1, 18..<20)])
        #expect(title.cells(angle: 1).map(\.object) == [1, 2, 4])
        #expect(title.cells(angle: 2).map(\.object) == [1, 3, 4])
        #expect(title.cells(angle: 7).map(\.object) == [1, 2, 4])
        #expect(title.duration == .seconds(3))
    }
}
