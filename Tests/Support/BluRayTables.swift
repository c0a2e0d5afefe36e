import Foundation

/// Writes the tables of a Blu-ray disc.
public enum BluRayTables {
    /// A part of a playlist: its clips, one for each angle, and its times in ticks of 45 kHz.
    public struct Item: Sendable {
        let clips: [Int]
        let start, end: Int
        /// Its last frame stays until a person goes on.
        let isStill: Bool

        /// A part.
        public init(clips: [Int], start: Int, end: Int, isStill: Bool = false) {
            (self.clips, self.start, self.end, self.isStill) = (clips, start, end, isStill)
        }
    }

    /// A stream of the clips.
    public struct Stream: Sendable {
        let pid, coding: Int
        let language: String

        /// A stream: 0x1B is H.264, 0x81 AC-3, 0x90 bitmap subtitles, 0x91 interactive graphics.
        public init(pid: Int, coding: Int, language: String = "") {
            (self.pid, self.coding, self.language) = (pid, coding, language)
        }

        fileprivate var isVideo: Bool { coding == 0x1B }
        fileprivate var isSubtitle: Bool { coding == 0x90 }
        fileprivate var isGraphics: Bool { coding == 0x91 }

        fileprivate var attributes: [UInt8] {
            let own = isVideo ? [0x62] : isSubtitle || isGraphics ? Array(language.utf8) : [0x31] + Array(language.utf8)
            return counted([UInt8(coding)] + own, 1)
        }
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func counted(_ bytes: [UInt8], _ count: Int) -> [UInt8] { number(bytes.count, count) + bytes }

    private static func digits(_ number: Int) -> [UInt8] { Array(String(format: "%05d", number).utf8) }

    /// A playlist (mpls). `marks`: chapters by their item and time. `companion`: a clip with its graphics beside it, and its times.
    public static func playlist(
        _ items: [Item], marks: [(item: Int, time: Int)], streams: [Stream], companion: (clip: Int, times: Range<Int>)? = nil
    ) -> [UInt8] {
        let paths = companion.map { companion in
            counted(
                [0, 3, 0, 0, 0, 1]
                    + counted(
                        digits(companion.clip) + Array("M2TS".utf8) + [0, 0, 0, 2, 0] + number(companion.times.lowerBound, 4)
                            + number(companion.times.upperBound, 4) + [0, 0, 0, 0, 0, 0], 2), 4)
        }
        let parts = items.flatMap { counted(item($0, streams, isBeside: companion != nil), 2) }
        let list = counted([0, 0] + number(items.count, 2) + number(paths == nil ? 0 : 1, 2) + parts + (paths ?? []), 4)
        let points = counted(
            number(marks.count, 2)
                + marks.flatMap { [0, 1] + number($0.item, 2) + number($0.time, 4) + [0xFF, 0xFF, 0, 0, 0, 0] }, 4)
        let info = counted([0, 1, 0, 0] + [UInt8](repeating: 0, count: 10), 4)
        let start = 40 + info.count
        return Array("MPLS0200".utf8) + number(start, 4) + number(start + list.count, 4) + [UInt8](repeating: 0, count: 24) + info
            + list + points
    }

    private static func item(_ item: Item, _ streams: [Stream], isBeside: Bool) -> [UInt8] {
        var bytes = digits(item.clips[0]) + Array("M2TS".utf8) + number(item.clips.count > 1 ? 0x11 : 1, 2) + [0]
        bytes += number(item.start, 4) + number(item.end, 4) + [UInt8](repeating: 0, count: 8) + [0, item.isStill ? 2 : 0, 0, 0]
        if item.clips.count > 1 {
            bytes += [UInt8(item.clips.count), 0]
            for clip in item.clips.dropFirst() { bytes += digits(clip) + Array("M2TS".utf8) + [0] }
        }
        let audio = streams.filter { !$0.isVideo && !$0.isSubtitle && !$0.isGraphics }
        let groups = [streams.filter(\.isVideo), audio, streams.filter(\.isSubtitle), streams.filter(\.isGraphics)]
        var table: [UInt8] = [0, 0] + groups.map { UInt8($0.count) } + [0, 0, 0, 0, 0, 0, 0, 0]
        for stream in groups.joined() {
            let place =
                isBeside && stream.isGraphics
                ? [2, 0, 0] + number(stream.pid, 2) + [0, 0, 0, 0] : [1] + number(stream.pid, 2) + [0, 0, 0, 0, 0, 0]
            table += counted(place, 1) + stream.attributes
        }
        return bytes + counted(table, 2)
    }

    /// The table of a clip (clpi): its streams, and the points at which decoding can begin, as time in ticks of 90 kHz and packet.
    public static func clip(_ streams: [Stream], packets: Int, times: Range<Int>, units: [(time: Int, packet: Int)]) -> [UInt8] {
        let info = counted(
            [0, 0, 1, 1] + number(0, 4) + number(6_000_000, 4) + number(packets, 4) + [UInt8](repeating: 0, count: 128), 4)
        let clock = number(0x1001, 2) + number(0, 4) + number(times.lowerBound / 2, 4) + number(times.upperBound / 2, 4)
        let clocks = counted([0, 1] + number(0, 4) + [1, 0] + clock, 4)
        let program = counted(
            [0, 1] + number(0, 4) + number(0x0100, 2) + [UInt8(streams.count), 0]
                + streams.flatMap { number($0.pid, 2) + $0.attributes }, 4)
        // A coarse point for each: the fine ones say the rest.
        var coarse: [UInt8] = [], fine: [UInt8] = []
        for (index, unit) in units.enumerated() {
            coarse += number(index << 14 | unit.time >> 19 & 0x3FFF, 4) + number(unit.packet, 4)
            fine += number(1 << 28 | (unit.time >> 9 & 0x7FF) << 17 | unit.packet & 0x1FFFF, 4)
        }
        var map: [UInt8] = [0, 1] + number(0x1011, 2)
        map += number(1 << 34 | units.count << 18 | units.count, 6) + number(14, 4)
        map += number(4 + coarse.count, 4) + coarse + fine
        let points = counted([0, 1] + map, 4), marks = number(0, 4)
        let starts = [info, clocks, program, points].reduce(into: [40]) { $0.append(($0.last ?? 0) + $1.count) }.dropFirst()
        return Array("HDMV0200".utf8) + starts.flatMap { number($0, 4) } + number(0, 4) + [UInt8](repeating: 0, count: 12) + info
            + clocks + program + points + marks
    }

    /// The index (index.bdmv): the beginning and each title are lists of commands by their number, or programs in Java where that is nil. `menu`: as
    /// the beginning.
    public static func index(first: Int?, menu: Int? = nil, titles: [Int?]) -> [UInt8] {
        func program(_ object: Int?, flags: Int) -> [UInt8] {
            guard let object else { return number(0x8000_0000 | flags, 4) + [0xC0, 0] + Array("00000".utf8) + [0] }
            return number(0x4000_0000 | flags, 4) + [0, 0] + number(object, 2) + [0, 0, 0, 0]
        }
        let table =
            program(first, flags: 0) + program(menu ?? first, flags: 0) + number(titles.count, 2)
            + titles.flatMap { program($0, flags: 0) }
        let info = counted([UInt8](repeating: 0, count: 34), 4)
        return Array("INDX0200".utf8) + number(40 + info.count, 4) + number(0, 4) + [UInt8](repeating: 0, count: 24) + info
            + counted(table, 4)
    }

    /// Lists of commands (MovieObject.bdmv): each plays a playlist, and goes over to another list where one is named.
    public static func objects(_ objects: [(playlist: Int?, next: Int?)]) -> [UInt8] {
        lists(
            objects.map { object in
                (object.playlist.map { [[0x2280_0000, UInt32($0), 0]] } ?? [])
                    + (object.next.map { [[0x2180_0000, UInt32($0), 0]] } ?? [])
            })
    }

    /// Lists of commands (MovieObject.bdmv), each of three numbers. A playlist that is left is gone back to.
    public static func lists(_ lists: [[[UInt32]]]) -> [UInt8] {
        var table = number(0, 4) + number(lists.count, 2)
        for list in lists {
            table += [0x80, 0] + number(list.count, 2) + list.flatMap { $0.flatMap { number(Int($0), 4) } }
        }
        return Array("MOBJ0200".utf8) + [UInt8](repeating: 0, count: 32) + counted(table, 4)
    }
}
