import AetherCore
import AetherFormats

/// The segments of a broadcast whose bytes lie in a file of a bounded length: which there are, and where. Room for a new one is made by the oldest.
/// Pure.
struct SegmentLedger: Sendable {
    /// A segment that is kept.
    struct Entry: Sendable {
        /// Counts the entries.
        let id: Int
        /// The source that plays it: its number among those that are read together.
        let source: Int
        let rendition: Rendition.ID
        let segment: Segment
        /// Where its bytes lie.
        let place: ByteRange
    }
    private struct Key: Hashable {
        let source: Int
        let rendition: Rendition.ID
        let number: Int64
    }
    /// The file is never longer.
    private(set) var capacity: Int64
    /// The media time that is kept at most, measured from the newest segment.
    var span: TimeSpan
    /// In the order in which they were written, which is that of the file.
    private var written: [Entry] = []
    private var gone = 0
    /// Of each source, by their times.
    private var axis: [Int: [Entry]] = [:]
    private var numbers: [Key: Entry] = [:]
    private var end: Int64 = 0
    private(set) var highWater: Int64 = 0
    private var count = 0
    private var newest: Ticks?
    /// A front as long as this, and a quarter of what is held, is written again before the file gets longer.
    private static let worthwhileFront: Int64 = 16 << 20

    init(capacity: Int64, span: TimeSpan) { (self.capacity, self.span) = (capacity, span) }

    // MARK: - Writing

    /// Room for so many bytes, which the oldest segments make; nil where the file is too short for them. One writer fills it before it asks
    /// for more.
    mutating func place(for length: Int64) -> ByteRange? {
        guard length <= capacity, let first = ByteRange(offset: 0, length: max(1, length)) else { return nil }
        while let tail = oldest?.place.offset {
            if end > tail {
                let held = end - tail, isWorthwhile = tail > Self.worthwhileFront && tail > held / 4 && end == highWater
                if end + length <= capacity, !isWorthwhile { return take(length) }
                if tail >= length {
                    end = 0
                    return take(length)
                }
            } else if end + length <= tail {
                return take(length)
            }
            dropOldest()
        }
        highWater = max(highWater, length)
        end = length
        return first
    }

    private mutating func take(_ length: Int64) -> ByteRange? {
        defer {
            end += length
            highWater = max(highWater, end)
        }
        return ByteRange(offset: end, length: length)
    }

    /// Keeps a segment whose bytes were written. Segments older than the span go.
    mutating func add(_ segment: Segment, of rendition: Rendition.ID, source: Int, at place: ByteRange) {
        let entry = Entry(id: count, source: source, rendition: rendition, segment: segment, place: place)
        count += 1
        written.append(entry)
        numbers[Key(source: source, rendition: rendition, number: segment.number)] = entry
        let index = index(behind: segment.start, in: source)
        axis[source, default: []].insert(entry, at: index)
        newest = max(newest ?? segment.end, segment.end)
        expire()
    }

    /// The disk is full: the file gets no longer than this. What was to be written there was not.
    mutating func narrow(to length: Int64) { (capacity, highWater, end) = (length, length, length) }

    /// Nothing is kept any more, and the file has another length.
    mutating func clear(capacity: Int64) {
        let (count, span) = (count, span)
        self = SegmentLedger(capacity: capacity, span: span)
        self.count = count
    }

    private mutating func expire() {
        guard let limit = newest?.span else { return }
        while let oldest, limit - oldest.segment.end.span > span { dropOldest() }
    }

    private var oldest: Entry? { gone < written.count ? written[gone] : nil }

    private mutating func dropOldest() {
        guard let entry = oldest else { return }
        gone += 1
        if gone > 1024, gone > written.count / 2 {
            written.removeFirst(gone)
            gone = 0
        }
        forget(entry)
    }

    private mutating func forget(_ entry: Entry) {
        let key = Key(source: entry.source, rendition: entry.rendition, number: entry.segment.number)
        if numbers[key]?.id == entry.id { numbers[key] = nil }
        if let index = axis[entry.source]?.firstIndex(where: { $0.id == entry.id }) { axis[entry.source]?.remove(at: index) }
    }

    /// A segment that cannot be read back is not offered again. Its room is free when its turn comes.
    mutating func drop(_ id: Int) {
        if let entry = written[gone...].first(where: { $0.id == id }) { forget(entry) }
    }

    // MARK: - Looking up

    /// Whether the bytes of an entry were not written over.
    func holds(_ id: Int) -> Bool { oldest.map { id >= $0.id } ?? false }

    /// A segment of a manifest, if it is kept: one of the same number may have come before the server began to count anew.
    func entry(of segment: Segment, in rendition: Rendition.ID, source: Int) -> Entry? {
        guard let entry = numbers[Key(source: source, rendition: rendition, number: segment.number)] else { return nil }
        let distance = (entry.segment.start.span - segment.start.span).magnitude
        return distance < max(segment.duration.span.scaled(by: 0.5), .milliseconds(1)) ? entry : nil
    }

    /// The newest segment of a number, whatever its time.
    func entry(_ number: Int64, in rendition: Rendition.ID, source: Int) -> Entry? {
        numbers[Key(source: source, rendition: rendition, number: number)]
    }

    /// The segment that covers a time, the one of the preferred rendition where there are several, else the first one behind the time.
    func entry(at time: Ticks, of source: Int, preferring rendition: Rendition.ID) -> Entry? {
        guard let entries = axis[source] else { return nil }
        let behind = index(behind: time, in: source)
        var found: Entry?
        // Two renditions are kept of a border where the quality was changed.
        for entry in entries[max(0, behind - 4)..<behind] where time < entry.segment.end {
            if found == nil || entry.rendition == rendition { found = entry }
        }
        return found ?? (behind < entries.count ? entries[behind] : nil)
    }

    /// A segment and those of its rendition that go on with it.
    func stretch(from entry: Entry) -> [Entry] {
        var entries = [entry]
        while let last = entries.last?.segment,
            let next = self.entry(last.number + 1, in: entry.rendition, source: entry.source), next.segment.start >= last.end
        {
            entries.append(next)
        }
        return entries
    }

    /// The source whose segments say how far the past reaches: the first of those that are played.
    var lead: Int? { axis.lazy.filter { !$0.value.isEmpty }.map(\.key).min() }

    /// The start of the oldest segment of a source.
    func start(of source: Int) -> Ticks? { axis[source]?.first?.segment.start }

    /// The range of a source without a hole that ends with its newest segment.
    func held(of source: Int) -> ClosedRange<MediaTime>? {
        guard let entries = axis[source], let last = entries.last else { return nil }
        var start = last.segment.start, end = last.segment.end
        for entry in entries.reversed() {
            guard (start.span - entry.segment.end.span) < .milliseconds(100) else { break }
            (start, end) = (min(start, entry.segment.start), max(end, entry.segment.end))
        }
        return start.time...end.time
    }

    /// The first entry of a source that begins behind a time.
    private func index(behind time: Ticks, in source: Int) -> Int {
        guard let entries = axis[source] else { return 0 }
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].segment.start <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
