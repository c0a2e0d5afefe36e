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

    /// Takes the segments of one number, by their tracks. They stay, however long they are: one of 4 s at 60 Mbit/s is 30 MB.
    mutating func put(_ cut: [Int: [UInt8]], number: Int) {
        clock += 1
        for (track, bytes) in cut {
            let key = Key(track: track, number: number)
            remove(key)
            segments[key] = (bytes, clock)
            byteCount += bytes.count
        }
        while byteCount > budget, let first = first(besides: number) { remove(first) }
    }

    /// The one that goes next.
    private func first(besides number: Int) -> Key? {
        let others = segments.lazy.filter { $0.key.number != number }
        return slides
            ? others.map(\.key).min { ($0.number, $0.track) < ($1.number, $1.track) }
            : others.min { $0.value.used < $1.value.used }?.key
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
