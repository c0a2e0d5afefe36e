import AetherCore

/// Small stills of a file in the order of their times, compressed, and how they lie in a file. Pure. What a file says is bounded:
/// 1000 stills of 256 KB, 16 MB in all.
struct StillStrip: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let time: MediaTime
        /// A JPEG.
        let data: [UInt8]
    }
    private(set) var entries: [Entry] = []

    static let countLimit = 1000
    static let dataLimit = 256 << 10
    static let byteLimit = 16 << 20
    private static let magic = Array("AeStrip1".utf8)

    init() {}

    /// Adds a still; one of the same time is there already.
    mutating func insert(_ entry: Entry) {
        let place = entries.firstIndex { $0.time >= entry.time } ?? entries.count
        guard entries.count < Self.countLimit, !entry.data.isEmpty, entry.data.count <= Self.dataLimit else { return }
        if place < entries.count, entries[place].time == entry.time { return }
        entries.insert(entry, at: place)
    }

    /// Adds those of another strip of the same video.
    mutating func merge(_ other: StillStrip) { for entry in other.entries { insert(entry) } }

    /// The still nearest to a point, if it is not further off than that.
    func nearest(to point: MediaTime, within span: TimeSpan) -> Entry? {
        let best = entries.min { ($0.time - point).magnitude < ($1.time - point).magnitude }
        return best.flatMap { ($0.time - point).magnitude <= span ? $0 : nil }
    }

    // MARK: - As a file

    /// All of it as bytes: a mark, the number of stills, and for each its time, its length and itself; little endian.
    var bytes: [UInt8] {
        var bytes = Self.magic
        func append(_ value: UInt64, _ count: Int) {
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
        }
        append(UInt64(entries.count), 4)
        for entry in entries {
            append(UInt64(bitPattern: entry.time.nanoseconds), 8)
            append(UInt64(entry.data.count), 4)
            bytes += entry.data
        }
        return bytes
    }

    /// Reads a file; nil for anything that is no whole strip.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteLimit, bytes.starts(with: Self.magic) else { return nil }
        var at = Self.magic.count
        func number(_ count: Int) -> UInt64? {
            guard at + count <= bytes.count else { return nil }
            defer { at += count }
            return (0..<count).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
        }
        guard let count = number(4), count <= UInt64(Self.countLimit) else { return nil }
        for _ in 0..<count {
            guard let time = number(8), let length = number(4), length <= UInt64(Self.dataLimit), at + Int(length) <= bytes.count
            else {
                return nil
            }
            insert(Entry(time: MediaTime(nanoseconds: Int64(bitPattern: time)), data: Array(bytes[at..<at + Int(length)])))
            at += Int(length)
        }
        guard at == bytes.count else { return nil }
    }
}
