/// A playlist of a Blu-ray disc or of a camera's AVCHD, as an MPLS file has it: the parts of clips that are played one behind the other. Times are
/// ticks of 90 kHz by the clips' own clocks. Pure.
public struct BluRayPlaylist: Sendable, Equatable {
    /// A part of a clip.
    public struct Item: Sendable, Hashable {
        /// The clip of each angle by its five digits, the first angle first; at least one.
        public let clips: [BluRayClipName]
        /// The part of the clip.
        public let times: Range<Int64>
        /// Its last frame stays for so many seconds; `forever`: until a person goes on.
        public let still: Int
        /// No number of seconds.
        public static let forever = 0x1_0000

        /// A part.
        public init(clips: [BluRayClipName], times: Range<Int64>, still: Int = 0) {
            (self.clips, self.times, self.still) = (clips, times, still)
        }
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

    /// A clip that lies beside the parts.
    public struct Companion: Sendable, Equatable {
        /// The kind of its path: 3 is interactive graphics.
        public let kind: Int
        /// The clip, by its digits.
        public let clip: BluRayClipName

        /// A clip.
        public init(kind: Int, clip: BluRayClipName) { (self.kind, self.clip) = (kind, clip) }
    }

    /// In the order of playing; at least one.
    public let items: [Item]
    /// In the order of the file.
    public let marks: [Mark]
    /// All points, those of chapters and those that commands jump to, in the order of the file, which commands count by.
    public let points: [Mark]
    /// The streams of the first item, in the order of the disc: video, audio, subtitles.
    public let streams: [BluRayStream]
    /// The streams of interactive graphics of the first item.
    public let graphics: [BluRayGraphics]
    /// The first clip of each path beside the parts, by the path's number.
    public let companions: [Int: Companion]

    /// The bytes that the file begins with.
    public static let magic = "MPLS"
    /// The most items and marks that a playlist may have.
    public static let limit = 999
    private static let name = "playlist"

    /// A playlist.
    public init(
        items: [Item], marks: [Mark] = [], points: [Mark] = [], streams: [BluRayStream] = [], graphics: [BluRayGraphics] = [],
        companions: [Int: Companion] = [:]
    ) {
        (self.items, self.marks, self.points, self.streams) = (items, marks, points, streams)
        (self.graphics, self.companions) = (graphics, companions)
    }

    /// Reads the file.
    public init(_ file: [UInt8]) throws(DiscFault) {
        let bytes = DiscBytes(file, name: Self.name)
        guard bytes.hasPrefix(Self.magic) else { throw .damaged(Self.name) }
        let list = try bytes.table(at: bytes.long(8), name: Self.name)
        let count = try list.short(6)
        guard 1...Self.limit ~= count else { throw .damaged(Self.name) }
        var items: [Item] = [], streams: (own: [BluRayStream], graphics: [BluRayGraphics]) = ([], []), place = 10
        for _ in 0..<count {
            let length = try list.short(place)
            let (item, tables) = try Self.item(list, at: place + 2)
            if items.isEmpty { streams = try BluRayStream.all(list, at: tables) }
            items.append(item)
            place += 2 + length
        }
        (self.items, self.streams, graphics) = (items, streams.own, streams.graphics)
        let points = try Self.points(bytes.table(at: bytes.long(12), name: "list of chapters"))
        self.points = points.map(\.mark)
        marks = points.filter { $0.isChapter && items.indices.contains($0.mark.item) }.map(\.mark)
        // Without them the parts play as well.
        companions = DiscFault.valueOrNil { () throws(DiscFault) in try Self.companions(list, at: place) } ?? [:]
    }

    private static func companions(_ list: DiscBytes, at start: Int) throws(DiscFault) -> [Int: Companion] {
        var companions: [Int: Companion] = [:], place = start
        for number in 0..<min(255, try list.short(8)) {
            let length = try list.long(place), kind = try list.byte(place + 5), count = try list.byte(place + 9)
            if count > 0 {
                companions[number] = Companion(kind: kind, clip: try BluRayClipName(list, at: place + 12, clock: place + 25))
            }
            place += 4 + length
        }
        return companions
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
        let still =
            switch try list.byte(place + 29) {
            case 1: try list.short(place + 30)
            case 2: Item.forever
            default: 0
            }
        return (Item(clips: clips, times: start..<end, still: still), tables)
    }

    /// Others than those of chapters are points that the disc's own programs jump to.
    private static func points(_ list: DiscBytes) throws(DiscFault) -> [(mark: Mark, isChapter: Bool)] {
        let count = try list.short(4)
        guard count <= limit else { throw .damaged(list.name) }
        var points: [(mark: Mark, isChapter: Bool)] = []
        for index in 0..<count {
            let place = 6 + 14 * index, isChapter = try list.byte(place + 1) == 1
            points.append((try Mark(item: list.short(place + 2), time: Int64(list.long(place + 4)) * 2), isChapter))
        }
        return points
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

    /// A point by the start of the playlist, within it; nil for one of a part that there is not.
    public func time(of mark: Mark) -> Int64? {
        guard items.indices.contains(mark.item) else { return nil }
        let times = items[mark.item].times
        return starts[mark.item] + min(max(0, mark.time - times.lowerBound), Int64(times.count))
    }

    /// Where commands begin to play it, from the start of the playlist; what there is not is the start.
    public func time(of start: HDMVPassage.Start) -> Int64 {
        switch start {
        case .beginning: 0
        case .item(let item): items.indices.contains(item) ? starts[item] : 0
        case .mark(let mark): points.indices.contains(mark) ? time(of: points[mark]) ?? 0 : 0
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
