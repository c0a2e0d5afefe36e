/// Bytes of a file by their place: those of its head and of its tail, where containers have their indexes.
struct HeldBytes: Sendable {
    private struct Span {
        var start: Int64
        var bytes: [UInt8]
        var end: Int64 { start + Int64(bytes.count) }
    }
    /// In order, without overlaps; those that touch are one.
    private var spans: [Span] = []
    private let head: Int64
    private let tail: Int64

    /// 1 MB of heads: the descriptions of all but the longest MP4. 8 MB of tails: the index of three hours.
    init(head: Int64 = 1 << 20, tail: Int64 = 8 << 20) {
        self.head = head
        self.tail = tail
    }

    /// How many bytes are held.
    var count: Int { spans.reduce(0) { $0 + $1.bytes.count } }

    /// Copies what is held from an offset on; 0 where nothing is.
    func read(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let span = spans.first(where: { $0.start <= offset && offset < $0.end }) else { return 0 }
        let first = Int(offset - span.start)
        let count = min(buffer.count, span.bytes.count - first)
        span.bytes.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[first..<first + count]))
        }
        return count
    }

    /// Whether bytes up to that end, from that offset on, lie in the head or the tail of a file of that size.
    func wants(from offset: Int64, to end: Int64, size: Int64?) -> Bool {
        offset < head || size.map { $0 > head && end > $0 - tail } ?? false
    }

    /// Keeps those of the bytes that lie in the head or the tail of a file of that size, and no more than there is room for.
    mutating func keep(_ bytes: UnsafeRawBufferPointer, at offset: Int64, size: Int64?, room: inout Int) {
        let end = offset + Int64(bytes.count)
        if offset < head { insert(bytes, at: offset, within: 0..<head, &room) }
        guard let size, size > head else { return }
        let tailStart = max(head, size - tail)
        if end > tailStart { insert(bytes, at: offset, within: tailStart..<max(tailStart, size), &room) }
    }

    private mutating func insert(_ bytes: UnsafeRawBufferPointer, at offset: Int64, within zone: Range<Int64>, _ room: inout Int)
    {
        var start = max(offset, zone.lowerBound)
        let end = min(offset + Int64(bytes.count), zone.upperBound)
        while start < end, room > 0 {
            // Bytes that are held already stay.
            if let span = spans.first(where: { $0.start <= start && start < $0.end }) {
                start = span.end
                continue
            }
            let stop = min(end, spans.first { $0.start > start }?.start ?? end)
            let piece = bytes[Int(start - offset)..<Int(stop - offset)].prefix(room)
            room -= piece.count
            add(UnsafeRawBufferPointer(rebasing: piece), at: start)
            start = stop
        }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer, at start: Int64) {
        let place = spans.firstIndex { $0.start > start } ?? spans.count
        if place > 0, spans[place - 1].end == start {
            spans[place - 1].bytes.append(contentsOf: bytes)
            if place < spans.count, spans[place].start == spans[place - 1].end {
                spans[place - 1].bytes.append(contentsOf: spans[place].bytes)
                spans.remove(at: place)
            }
        } else if place < spans.count, spans[place].start == start + Int64(bytes.count) {
            spans[place].bytes.insert(contentsOf: bytes, at: 0)
            spans[place].start = start
        } else {
            spans.insert(Span(start: start, bytes: Array(bytes)), at: place)
        }
    }
}
