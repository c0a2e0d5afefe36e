import AetherCore

/// Stills that were extracted, bounded in bytes: what was longest not asked for goes first. Each answers for a stretch of time,
/// from when it is shown to the latest point that is known to lead to it. Pure.
struct StillStore {
    private struct Entry {
        let still: ExtractedStill
        /// The size that was asked for: stills of another size are others.
        let box: PixelSize
        /// Every point from `start` to here has this still.
        let start: MediaTime
        var end: MediaTime
        var use: Int
    }
    private var entries: [Entry] = []
    private var uses = 0
    /// Bytes in all.
    let limit: Int
    private(set) var byteCount = 0

    init(limit: Int) { self.limit = max(0, limit) }

    var count: Int { entries.count }

    /// The still that covers a point.
    mutating func still(at point: MediaTime, box: PixelSize) -> ExtractedStill? {
        touch { $0.box == box && $0.start <= point && point <= $0.end }
    }

    /// The still that begins at `start`: from now on it covers `point`, too.
    mutating func still(from start: MediaTime, covering point: MediaTime, box: PixelSize) -> ExtractedStill? {
        guard let index = entries.firstIndex(where: { $0.box == box && $0.start == start }) else { return nil }
        entries[index].end = max(entries[index].end, point)
        return touch { $0.box == box && $0.start == start }
    }

    /// Keeps a still for a stretch of time; one that is larger than all the room is not kept.
    mutating func insert(_ still: ExtractedStill, box: PixelSize, from start: MediaTime, to end: MediaTime) {
        if let old = entries.firstIndex(where: { $0.box == box && $0.start == start }) { remove(old) }
        guard still.byteCount <= limit else { return }
        while byteCount + still.byteCount > limit {
            guard let oldest = entries.indices.min(by: { entries[$0].use < entries[$1].use }) else { break }
            remove(oldest)
        }
        uses += 1
        entries.append(Entry(still: still, box: box, start: start, end: max(start, end), use: uses))
        byteCount += still.byteCount
    }

    private mutating func touch(_ isWanted: (Entry) -> Bool) -> ExtractedStill? {
        guard let index = entries.firstIndex(where: isWanted) else { return nil }
        uses += 1
        entries[index].use = uses
        return entries[index].still
    }

    private mutating func remove(_ index: Int) { byteCount -= entries.remove(at: index).still.byteCount }
}
