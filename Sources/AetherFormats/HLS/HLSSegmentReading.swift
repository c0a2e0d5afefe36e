/// The reading of a list of segments: one pass, in which tags collect what the next address gets.
struct HLSSegmentReading {
    var list: HLSSegmentList
    var lines: HLSLines
    var variables: HLSVariables
    let inherited: [String: String]

    /// Of the next segment.
    var duration: Int64?
    var part: (length: Int64, offset: Int64?)?
    var marks: SegmentList.Mark = []
    var clock: Int64?
    var parts: [PartialSegment] = []

    /// From here on.
    var stretch = SegmentList.Stretch() { didSet { isStretchNew = true } }
    /// It may be another one than that of the segment before.
    private var isStretchNew = true
    var keys: [(format: String, encryption: SegmentEncryption)] = []

    var previousAddress: Range<Int> = 0..<0
    var previousEnd: Int64 = 0
    var rangeEnds: [[UInt8]: Int64] = [:]
    var previousPart: (address: StreamAddress, end: Int64)?
    var longest: Int64 = 0
    var hasVariables = false
    var dateRangePlaces: [String: Int] = [:]
    var partCount = 0

    /// 10 000 marks, hints or reports; 65 536 parts; 2^19 keys and maps: two for each segment.
    static let markLimit = 10_000, partLimit = 1 << 16, keyLimit = 1 << 19
    var keyCount = 0
    /// The EXT-X-KEY that was read last, where no variable has been defined since: packagers repeat it before each segment.
    var lastKey: Range<Int>?

    init(_ bytes: [UInt8], address: StreamAddress, variables: [String: String]) throws(StreamFault) {
        lines = try HLSLines(bytes)
        list = HLSSegmentList(address: address)
        self.variables = HLSVariables(address: address, inherited: variables)
        inherited = variables
        list.segments.reserve(min(bytes.count / 48, SegmentList.limit), bytes: bytes.count / 2)
    }

    mutating func run() throws(StreamFault) {
        while let line = try lines.next() {
            switch line {
            case .tag(.inf, let value): try takeInf(value)
            case .tag(let tag, let value): try take(tag, value)
            case .address(let range): try takeAddress(range)
            }
        }
        if duration != nil, !list.isEnded { throw StreamFault(.cutOff) }
        (list.trailingParts, list.trailingStretch, list.trailingClock) = (parts, stretch, clock)
        if list.targetDuration == 0 { list.targetDuration = longest }
        // Without any length there would be no place to go to. A hundred years hold 2^18 segments of three hours.
        if longest == 0, list.segments.count > 0 {
            list.segments.level(to: min(max(list.targetDuration, 1_000_000_000), 10_000 * 1_000_000_000))
        }
        if list.kind == .live, list.isEnded { list.kind = .vod }
        if list.kind == .event, list.isEnded { list.kind = .vod }
        if list.kind == .vod, !list.isEnded {
            list.isEnded = true
            list.isCutOff = true
        }
    }

    // MARK: - The hot path: EXTINF and addresses

    private mutating func takeInf(_ value: Range<Int>) throws(StreamFault) {
        var comma = value.lowerBound
        while comma < value.upperBound, lines.bytes[comma] != UInt8(ascii: ",") { comma += 1 }
        let range = value.lowerBound..<comma
        if hasVariables, HLSVariables.mayRefer(lines.bytes[range]) {
            let expanded = try variables.expanded(lines.bytes[range], line: lines.number)
            duration = HLSNumber.nanoseconds(expanded, 0..<expanded.count)
        } else {
            duration = HLSNumber.nanoseconds(lines.bytes, range)
        }
        guard duration != nil else { throw StreamFault(.number("EXTINF"), line: lines.number) }
    }

    private mutating func takeAddress(_ range: Range<Int>) throws(StreamFault) {
        // Without EXTINF its length is unknown, and it is no segment (4.1).
        guard let duration else { return }
        var bytes = lines.bytes[range]
        if HLSVariables.mayRefer(bytes) { bytes = try variables.expanded(bytes, line: lines.number)[...] }
        // Without a way out in its middle the loop works on many bytes at once.
        var hasControls = false
        for byte in bytes { hasControls = hasControls || byte < 0x20 || byte == 0x7F }
        if hasControls { throw StreamFault(.badAddress, line: lines.number) }
        var place: ByteRange?
        if let part {
            let isSame = lines.areSame(previousAddress, range)
            if !isSame { rangeEnds[Array(lines.bytes[previousAddress])] = previousEnd }
            // Without an offset the part follows the last one of the same file (4.4.4.2), and where there is none, as other
            // players have it, the last one of all.
            guard
                let made = ByteRange(
                    offset: part.offset ?? (isSame ? previousEnd : rangeEnds[Array(lines.bytes[range])] ?? previousEnd),
                    length: part.length)
            else {
                throw StreamFault(.number("EXT-X-BYTERANGE"), line: lines.number)
            }
            place = made
            previousEnd = made.end
            previousAddress = range
        }
        if let clock { list.segments.appendClock(nanoseconds: clock) }
        if !parts.isEmpty { list.segments.appendParts(parts) }
        guard
            list.segments.append(
                duration: duration, address: bytes, range: place, marks: marks, stretch: isStretchNew ? stretch : nil)
        else {
            throw StreamFault(
                list.segments.count >= SegmentList.limit ? .tooMany("segments") : .number("EXTINF"), line: lines.number)
        }
        isStretchNew = false
        if list.protection == nil, case .protected(let system) = stretch.encryption { list.protection = system }
        longest = max(longest, duration)
        self.duration = nil
        part = nil
        marks = []
        clock = nil
        parts = []
    }
}

extension HLSSegmentList {
    init(_ bytes: [UInt8], address: StreamAddress, variables: [String: String]) throws(StreamFault) {
        var reading = try HLSSegmentReading(bytes, address: address, variables: variables)
        try reading.run()
        self = reading.list
    }
}
