/// A playlist of a Blu-ray disc or of a camera's AVCHD, as an MPLS file has it: the parts of clips that are played one behind the other. Times are
/// ticks of 90 kHz by the clips' own clocks. Pure.
public struct BluRayPlaylist: Sendable, Equatable {
    /// A part of a clip.
    public struct Item: Sendable, Hashable {
        /// The clip of each angle by its five digits, the first angle first; at least one.
        public let clips: [BluRayClipName]
        /// The part of the clip.
        public let times: Range<Int64>

        /// A part.
        public init(clips: [BluRayClipName], times: Range<Int64>) { (self.clips, self.times) = (clips, times) }
    }

    /// A point at which a chapter begins.
    public struct Mark: Sendable, Equatable {
        /// The index of its item.
        public let item: Int
        /// By the clock of that.
        public let time: Int64

        /// A point.
        public init(item: Int, time: Int64) { (self.item, self.time) = (item, time) }
    }

    /// In the order of playing; at least one.
    public let items: [Item]
    /// In the order of the file.
    public let marks: [Mark]
    /// The streams of the first item, in the order of the disc: video, audio, subtitles.
    public let streams: [BluRayStream]

    /// The bytes that the file begins with.
    public static let magic = "MPLS"
    /// The most items and marks that a playlist may have.
    public static let limit = 999
    private static let name = "playlist"

    /// A playlist.
    public init(items: [Item], marks: [Mark] = [], streams: [BluRayStream] = []) {
        (self.items, self.marks, self.streams) = (items, marks, streams)
    }

    /// Reads the file.
    public init(_ file: [UInt8]) throws(DiscFault) {
        let bytes = DiscBytes(file, name: Self.name)
        guard bytes.hasPrefix(Self.magic) else { throw .damaged(Self.name) }
        let list = try bytes.table(at: bytes.long(8), name: Self.name)
        let count = try list.short(6)
        guard 1...Self.limit ~= count else { throw .damaged(Self.name) }
        var items: [Item] = [], streams: [BluRayStream] = [], place = 10
        for _ in 0..<count {
            let length = try list.short(place)
            let (item, tables) = try Self.item(list, at: place + 2)
            if items.isEmpty { streams = try BluRayStream.all(list, at: tables) }
            items.append(item)
            place += 2 + length
        }
        (self.items, self.streams) = (items, streams)
        marks = try Self.marks(bytes.table(at: bytes.long(12), name: "list of chapters"), of: items)
    }

    /// An item, and where the list of its streams lies.
    private static func item(_ list: DiscBytes, at place: Int) throws(DiscFault) -> (Item, tables: Int) {
        let flags = try list.short(place + 9), hasAngles = flags & 0x10 != 0
        let start = try Int64(list.long(place + 12)) * 2, end = try Int64(list.long(place + 16)) * 2
        guard end > start else { throw .damaged(name) }
        var clips = [try BluRayClipName(list, at: place, clock: place + 11)], tables = place + 32
        if hasAngles {
            let count = try list.byte(place + 32)
            guard 1...9 ~= count else { throw .damaged(name) }
            for angle in 1..<max(2, count) where angle < count {
                let own = place + 34 + 10 * (angle - 1)
                clips.append(try BluRayClipName(list, at: own, clock: own + 9))
            }
            tables = place + 34 + 10 * (count - 1)
        }
        return (Item(clips: clips, times: start..<end), tables)
    }

    private static func marks(_ list: DiscBytes, of items: [Item]) throws(DiscFault) -> [Mark] {
        let count = try list.short(4)
        guard count <= limit else { throw .damaged(list.name) }
        var marks: [Mark] = []
        for index in 0..<count {
            let place = 6 + 14 * index
            // Others are points that the disc's own programs jump to.
            guard try list.byte(place + 1) == 1 else { continue }
            let mark = try Mark(item: list.short(place + 2), time: Int64(list.long(place + 4)) * 2)
            if items.indices.contains(mark.item) { marks.append(mark) }
        }
        return marks
    }

    /// The time that it takes to watch, in ticks.
    public var duration: Int64 { items.reduce(0) { $0 + Int64($1.times.count) } }
    /// How many angles some part of it was recorded from.
    public var angleCount: Int { items.map(\.clips.count).max() ?? 1 }

    /// Where each item begins, from the start of the playlist.
    public var starts: [Int64] {
        var begin: Int64 = 0
        return items.map { item in
            defer { begin += Int64(item.times.count) }
            return begin
        }
    }

    /// Where the chapters begin, ascending, from the start of the playlist.
    public var chapters: [Int64] {
        let starts = starts
        let times = marks.filter { items.indices.contains($0.item) }.map { mark in
            starts[mark.item] + min(max(0, mark.time - items[mark.item].times.lowerBound), Int64(items[mark.item].times.count))
        }
        return Set(times.filter { $0 < duration }).sorted()
    }
}

/// The name of a clip: five digits, by which its stream and its table are called, and which of its clocks is meant.
public struct BluRayClipName: Sendable, Hashable {
    /// 0 … 99999.
    public let number: Int
    /// The clip's clock, from 0; nearly all clips have one.
    public let clock: Int

    /// A name.
    public init(_ number: Int, clock: Int = 0) { (self.number, self.clock) = (number, clock) }

    init(_ bytes: DiscBytes, at place: Int, clock: Int) throws(DiscFault) {
        var number = 0
        for index in 0..<5 {
            let digit = try bytes.byte(place + index) - Int(UInt8(ascii: "0"))
            guard 0...9 ~= digit else { throw .damaged(bytes.name) }
            number = number * 10 + digit
        }
        self.number = number
        self.clock = try bytes.byte(clock)
    }

    /// The digits.
    public var digits: String { Self.digits(number) }

    /// Five digits of a number.
    public static func digits(_ number: Int) -> String {
        let digits = String(max(0, number))
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
}
