/// Segments that were made, as far as they have room. The one that was asked for longest ago goes first; of a window that slides, the first.
/// Pure.
struct SegmentStore {
    struct Key: Hashable {
        let track, number: Int
    }
    /// Bytes at most.
    let budget: Int
    /// Segments come once, and are not made again: the last ones stay.
    let slides: Bool
    private(set) var byteCount = 0
    private var segments: [Key: (bytes: [UInt8], used: Int)] = [:]
    private var clock = 0

    /// 24 MB are two segments of 20 Mbit/s and eight of 6: with what is being cut the whole stays below 120 MB.
    init(budget: Int = 24 << 20, slides: Bool = false) { (self.budget, self.slides) = (budget, slides) }

    /// Of a source that cannot be sent back: 30 s of 20 Mbit/s, and of 8 Mbit/s all that a window has.
    static let sliding = SegmentStore(budget: 80 << 20, slides: true)

    var count: Int { segments.count }

    mutating func put(_ bytes: [UInt8], at key: Key) {
        clock += 1
        if let former = segments[key] { byteCount -= former.bytes.count }
        segments[key] = (bytes, clock)
        byteCount += bytes.count
        // The newest stays, however long it is.
        while byteCount > budget, segments.count > 1, let first = self.first { remove(first) }
    }

    /// The one that goes next.
    private var first: Key? {
        slides
            ? segments.keys.min { ($0.number, $0.track) < ($1.number, $1.track) }
            : segments.min { $0.value.used < $1.value.used }?.key
    }

    mutating func get(_ key: Key) -> [UInt8]? {
        guard let found = segments[key] else { return nil }
        clock += 1
        segments[key]?.used = clock
        return found.bytes
    }

    func has(_ key: Key) -> Bool { segments[key] != nil }

    mutating func remove(_ key: Key) {
        guard let former = segments.removeValue(forKey: key) else { return }
        byteCount -= former.bytes.count
    }
}
