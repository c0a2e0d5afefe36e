/// The places of the key frames of a raw stream, as far as it was read. Pure.
struct KeyFrameIndex {
    struct Entry: Equatable {
        /// Of its first byte in the source.
        let position: Int64
        /// The time at which the first frame behind it in the order of decoding would be shown: earlier than the key frame itself where others
        /// lead it.
        let start: Int64
        /// The time at which the key frame is shown.
        let shown: Int64
    }

    /// 64 000 key frames are 1.5 MB, and nine hours of two a second; beyond that every other one is forgotten.
    private static let limit = 1 << 16
    private(set) var entries: [Entry] = []

    var last: Entry? { entries.last }

    /// Notes a key frame; one that is known already is passed over.
    mutating func note(_ entry: Entry) {
        guard entries.last.map({ $0.position < entry.position }) ?? true else { return }
        if entries.count >= Self.limit { entries = entries.indices.filter { $0.isMultiple(of: 2) }.map { entries[$0] } }
        entries.append(entry)
    }

    /// The last key frame that is shown at or before a time, the first of all where none is.
    func entry(at time: Int64) -> Entry? {
        // In the order of the file those of showing rise, too.
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].shown <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? entries[low - 1] : entries.first
    }
}
