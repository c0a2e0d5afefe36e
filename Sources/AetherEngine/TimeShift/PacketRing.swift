import AetherCore
import AetherMedia

/// The packets of the last while in a file of a bounded size: new ones take the place of the oldest. An index has the key frames, so that minutes
/// cost kilobytes of memory. Pure over its storage.
///
/// Records lie one behind the other. Where the file is as long as it may get, or enough of its front is free, the next one goes to the front: a
/// lap begins. A place is a lap and an offset, so that places can be compared.
struct PacketRing: Sendable {
    /// The place of a record.
    struct Place: Comparable, Hashable, Sendable {
        var lap = 0
        var offset: Int64 = 0

        static func < (a: Place, b: Place) -> Bool { (a.lap, a.offset) < (b.lap, b.offset) }
    }
    /// A point that decoding can begin at.
    struct Entry: Sendable, Equatable {
        /// Where reading begins: audio may lie before the key frame that it belongs to.
        let start: Place
        let key: Place
        let time: MediaTime
    }
    /// The facts of a record that the index needs.
    struct Mark {
        let stream: StreamID
        /// When it is decoded.
        let time: MediaTime?
        /// When it is shown.
        let shown: MediaTime?
        let isKey: Bool
    }
    /// A change of what the ring can hold.
    enum Loss: Equatable {
        /// The disk is full: what is there has to do.
        case narrowed
        /// The file cannot be written: from here on the ring is memory, which holds little.
        case unwritable(RingFault)
    }
    private let storage: any RingStorage
    /// The storage of laps from `memoryLap` on.
    private let memory = RingBytes()
    private var memoryLap = Int.max
    /// Bytes of a ring in memory: 13 s at 20 Mbit/s, and half an hour of radio.
    static let memoryLimit: Int64 = 32 << 20
    /// The file is never longer.
    private(set) var capacity: Int64
    /// The time that is kept at most, measured from the newest packet.
    var span: TimeSpan
    /// The stream whose key frames are indexed; of audio alone two points a second.
    let lead: StreamID?
    let leadHasKeys: Bool
    /// The disk was full before the file had its length.
    private(set) var isNarrowed = false
    /// Where the next record goes.
    private(set) var end = Place()
    /// The time of the newest packet of the lead.
    private(set) var newest: MediaTime?
    private var entries: [Entry] = []
    private var gone = 0
    /// Where the lap before the present one ends.
    private var formerEnd: Int64 = 0
    private var highWater: Int64 = 0
    /// Packets of other streams in the last second and a half, oldest first.
    private var recent: [(place: Place, time: MediaTime)] = []
    /// Below this a ring is no use: a second of video.
    private static let leastCapacity: Int64 = 1 << 20
    private static let interleaving = TimeSpan.milliseconds(1500), preroll = TimeSpan.milliseconds(150)

    init(_ storage: any RingStorage, capacity: Int64, span: TimeSpan, lead: StreamID?, leadHasKeys: Bool) {
        (self.storage, self.capacity, self.span) = (storage, max(Self.leastCapacity, capacity), span)
        (self.lead, self.leadHasKeys) = (lead, leadHasKeys)
    }

    /// The points that decoding can begin at, oldest first.
    var points: ArraySlice<Entry> { entries[gone...] }
    /// The oldest one that is held; nil while there is none.
    var oldest: Entry? { points.first }
    /// All that can be gone to; nil while there is nothing.
    var range: ClosedRange<MediaTime>? {
        guard let first = oldest?.time, let newest else { return nil }
        return first...max(first, newest)
    }
    /// Whether what lies at a place was not written over.
    func holds(_ place: Place) -> Bool { oldest.map { place >= $0.start } ?? (place == end) }

    /// The point to begin at for a target, and the one behind it: the last one at or before the target, or else the oldest.
    func point(for target: MediaTime) -> (entry: Entry, next: Entry?)? {
        guard let first = oldest else { return nil }
        var low = points.startIndex, high = points.endIndex
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].time <= target { low = middle + 1 } else { high = middle }
        }
        guard low > points.startIndex else { return (first, points.dropFirst().first) }
        return (entries[low - 1], low < points.endIndex ? entries[low] : nil)
    }

    // MARK: - Writing

    /// Puts a record behind the others; one that is longer than the file is left out. Returns what was lost of the room, once each.
    @discardableResult
    mutating func append(_ record: [UInt8], _ mark: Mark) -> Loss? {
        guard Int64(record.count) < capacity else { return nil }
        makeRoom(for: Int64(record.count))
        let loss = write(record)
        index(mark, at: end)
        end.offset += Int64(record.count)
        highWater = max(highWater, end.offset)
        expire()
        return loss
    }

    private mutating func write(_ record: [UInt8]) -> Loss? {
        do throws(RingFault) {
            try storage(of: end).write(record, at: end.offset)
            return nil
        } catch {
            if error == .full, highWater >= Self.leastCapacity, highWater > Int64(record.count), capacity > highWater {
                // The present length has to do: the file gets no longer, and its oldest packets make room.
                (capacity, isNarrowed) = (highWater, true)
                makeRoom(for: Int64(record.count))
                return write(record) ?? .narrowed
            }
            goOnInMemory()
            // Memory takes all.
            _ = write(record)
            return .unwritable(error)
        }
    }

    /// From here on records lie in memory. The present lap on disk can still be read, until memory is full.
    private mutating func goOnInMemory() {
        while let tail = oldest?.start, tail.lap < end.lap { dropOldest() }
        beginLap()
        (memoryLap, capacity, highWater) = (end.lap, min(capacity, Self.memoryLimit), 0)
    }

    private func storage(of place: Place) -> any RingStorage { place.lap >= memoryLap ? memory : storage }

    private mutating func makeRoom(for length: Int64) {
        while true {
            guard let tail = oldest?.start else { return end.offset + length > capacity ? beginLap() : () }
            if tail.lap == end.lap {
                // A front of which a quarter of what is held is free is used again before the file gets longer.
                let isWorthIt = tail.offset > 16 << 20 && tail.offset > (end.offset - tail.offset) / 4 && end.offset == highWater
                guard end.offset + length > capacity || isWorthIt else { return }
                beginLap()
            } else if end.offset + length > capacity {
                dropOldest()
            } else {
                // The first lap in memory writes over nothing on disk.
                guard end.offset + length > tail.offset, end.lap != memoryLap else { return }
                dropOldest()
            }
        }
    }

    private mutating func beginLap() {
        formerEnd = end.offset
        end = Place(lap: end.lap + 1, offset: 0)
        recent = []
    }

    private mutating func dropOldest() {
        gone += 1
        if gone >= 64, gone * 2 >= entries.count {
            entries.removeFirst(gone)
            gone = 0
        }
    }

    private mutating func expire() {
        guard let newest else { return }
        while points.count > 1, newest - entries[gone + 1].time > span { dropOldest() }
    }

    private mutating func index(_ mark: Mark, at place: Place) {
        if points.isEmpty, let time = mark.shown ?? mark.time {
            // Whatever comes first can be played on from, though not gone back to exactly.
            entries.append(Entry(start: place, key: place, time: time))
        }
        let isLead = mark.stream == lead || lead == nil
        if isLead, let time = mark.shown ?? mark.time { newest = max(newest ?? time, time) }
        guard isLead else {
            guard let time = mark.time else { return }
            recent.append((place, time))
            if let first = recent.first?.time, time - first > Self.interleaving + .seconds(1) {
                recent.removeAll { time - $0.time > Self.interleaving }
            }
            return
        }
        guard let time = mark.shown ?? mark.time, mark.isKey || !leadHasKeys else { return }
        if !leadHasKeys, let last = points.last, time - last.time < .milliseconds(500), time >= last.time { return }
        // Times that go back are another time line: the former one cannot be told from it.
        if let last = points.last, time <= last.time { return }
        let start = recent.first { $0.time >= time - Self.preroll }?.place ?? place
        entries.append(Entry(start: max(min(start, place), oldest?.start ?? Place()), key: place, time: time))
    }

    // MARK: - Reading

    /// The record at a place, and the place of the next one; nil at the end, or where it cannot be read.
    func record(at place: Place) -> (bytes: [UInt8], next: Place)? {
        var place = place
        if place.lap == end.lap - 1, place.offset >= formerEnd { place = Place(lap: end.lap, offset: 0) }
        guard place < end, place.lap >= end.lap - 1,
            let head = storage(of: place).read(PacketRecord.headBytes, at: place.offset),
            let length = PacketRecord.length(of: head), let bytes = storage(of: place).read(length, at: place.offset)
        else { return nil }
        return (bytes, Place(lap: place.lap, offset: place.offset + Int64(length)))
    }

    /// The place to go on at where something lies at a place that cannot be read; nil where there is nothing yet.
    func placeBehindDamage(at place: Place) -> Place? {
        guard hasMore(at: place) else { return nil }
        return points.first { $0.start > place }?.start ?? end
    }

    /// Whether something lies at or behind a place.
    func hasMore(at place: Place) -> Bool {
        place < end && !(place.lap == end.lap - 1 && place.offset >= formerEnd && end.offset == 0)
    }
}
