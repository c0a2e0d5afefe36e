/// The way of WebM: the file's head for the place and scale of its segment, then its Cues, of which each names the start of a cluster.
struct CueSearch: Sendable, Equatable {
    private enum ID {
        static let segment: UInt32 = 0x1853_8067, info: UInt32 = 0x1549_A966, scale: UInt32 = 0x2A_D7B1, duration: UInt32 = 0x4489
        static let seekHead: UInt32 = 0x114D_9B74, seek: UInt32 = 0x4DBB, seekID: UInt32 = 0x53AB, seekPosition: UInt32 = 0x53AC
        static let cues: UInt32 = 0x1C53_BB6B, point: UInt32 = 0xBB, time: UInt32 = 0xB3, positions: UInt32 = 0xB7
        static let cluster: UInt32 = 0xF1, head: UInt32 = 0x1A45_DFA3
    }

    /// Enough for the head of a file whose manifest does not say how long it is.
    private static let headRoom = 4096
    /// The length of a cluster that goes to the end of a file of unknown length.
    private static let openLength: Int64 = 1 << 40

    private(set) var request: RangeRequest?
    private(set) var result: MediaIndex?
    private var range: ByteRange?
    private var hasHead = false
    /// Where positions count from, and where the segment ends; nil where the writer did not know.
    private var origin: Int64 = 0, end: Int64?
    /// Nanoseconds a tick.
    private var scale: Int64 = 1_000_000
    /// In ticks.
    private var duration: Double?

    init(range: ByteRange?, header: ByteRange?) {
        self.range = range
        let count = max(Int64(Self.headRoom), header.map(\.end) ?? 0)
        request = RangeRequest(offset: 0, count: Int(min(count, Int64(MediaIndexSearch.byteLimit))))
    }

    mutating func take(_ bytes: ArraySlice<UInt8>, at offset: Int64) {
        request = nil
        guard hasHead else {
            hasHead = true
            readHead(bytes)
            request = range.map { RangeRequest(offset: $0.offset, count: Int(clamping: $0.length)) }
            return
        }
        // A place found by the seek head says where the element begins, and not how long it is.
        if let header = EBMLHeader(bytes), header.id == ID.cues, let size = header.size, size > UInt64(bytes.count),
            range?.length == Int64(EBMLHeader.room)
        {
            let length = Int64(clamping: size).saturatingAdd(Int64(header.length))
            range = ByteRange(offset: offset, length: length)
            request = RangeRequest(offset: offset, count: Int(clamping: length))
            return
        }
        for element in EBMLReader(bytes) where element.id == ID.cues { return readCues(element.payload) }
    }

    private mutating func readHead(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes, offset: Int64 = 0
        while let header = EBMLHeader(rest) {
            if header.id == ID.segment {
                origin = offset + Int64(header.length)
                end = header.end(at: offset)
                return readSegment(rest.dropFirst(header.length))
            }
            guard let next = header.end(at: offset), next - offset <= Int64(rest.count) else { return }
            rest = rest.dropFirst(Int(next - offset))
            offset = next
        }
    }

    private mutating func readSegment(_ bytes: ArraySlice<UInt8>) {
        for element in EBMLReader(bytes).prefix(100) {
            switch element.id {
            case ID.info:
                for value in EBMLReader(element.payload).prefix(100) {
                    if value.id == ID.scale, let number = value.payload.ebmlNumber, (1...1 << 40).contains(number) {
                        scale = Int64(number)
                    }
                    if value.id == ID.duration { duration = value.payload.ebmlDouble }
                }
            case ID.seekHead where range == nil:
                for seek in EBMLReader(element.payload).prefix(100) where seek.id == ID.seek {
                    let values = Array(EBMLReader(seek.payload).prefix(8))
                    guard values.first(where: { $0.id == ID.seekID })?.payload.ebmlNumber == UInt64(ID.cues),
                        let position = values.first(where: { $0.id == ID.seekPosition })?.payload.ebmlNumber
                    else { continue }
                    range = ByteRange(
                        offset: origin.saturatingAdd(Int64(clamping: position)), length: Int64(EBMLHeader.room))
                }
            default: break
            }
        }
    }

    private mutating func readCues(_ bytes: ArraySlice<UInt8>) {
        var points: [(time: Int64, position: Int64)] = []
        for point in EBMLReader(bytes) where point.id == ID.point && points.count < MediaIndex.limit {
            var time: Int64?, position: Int64?
            for value in EBMLReader(point.payload).prefix(16) {
                if value.id == ID.time { time = value.payload.ebmlNumber.map { Int64(clamping: $0) } }
                if value.id == ID.positions, position == nil {
                    position = EBMLReader(value.payload).prefix(16).first { $0.id == ID.cluster }?.payload.ebmlNumber.map {
                        Int64(clamping: $0)
                    }
                }
            }
            // Several cues of one cluster are one segment.
            if let time, let position, points.last.map({ $0.position < position && $0.time < time }) ?? true {
                points.append((time, position))
            }
        }
        guard let first = points.first else { return }
        var index = MediaIndex(timescale: Ticks.nanoseconds, start: nanoseconds(first.time))
        index.header = ByteRange(offset: 0, length: origin.saturatingAdd(first.position))
        for (place, point) in points.enumerated() {
            let offset = origin.saturatingAdd(point.position), isLast = place == points.count - 1
            let next = isLast ? fileEnd(behind: offset) : origin.saturatingAdd(points[place + 1].position)
            let time = isLast ? lastEnd(behind: point.time) : nanoseconds(points[place + 1].time)
            guard index.append(duration: time.saturatingAdd(-nanoseconds(point.time)), offset: offset, size: next - offset) else {
                return
            }
        }
        result = index.ends.isEmpty ? nil : index
    }

    /// Where the last cluster ends: at the Cues, if those come behind it, else at the segment's end.
    private func fileEnd(behind offset: Int64) -> Int64 {
        if let cues = range?.offset, cues > offset { return cues }
        if let end, end > offset { return end }
        return offset.saturatingAdd(Self.openLength)
    }

    /// The stated duration, else a second: the period's end cuts it.
    private func lastEnd(behind time: Int64) -> Int64 {
        let start = nanoseconds(time)
        if let duration, duration.isFinite, duration > Double(time), duration * Double(scale) < 9e18 {
            return Int64(duration * Double(scale))
        }
        return start.saturatingAdd(1_000_000_000)
    }

    private func nanoseconds(_ ticks: Int64) -> Int64 { Int64(clamping: Int128(ticks) * Int128(scale)) }
}

extension ArraySlice<UInt8> {
    /// The bytes as an EBML float of four or eight bytes.
    var ebmlDouble: Double? {
        guard let bits = ebmlNumber else { return nil }
        return count == 4 ? Double(Float(bitPattern: UInt32(bits))) : count == 8 ? Double(bitPattern: bits) : nil
    }
}
