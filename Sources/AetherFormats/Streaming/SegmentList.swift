/// Segments that a manifest lists one by one, packed: about 30 bytes and the address for each, and values that stay the same are kept once
/// for a stretch of segments. A segment is put together on request.
public struct SegmentList: SegmentIndex, Equatable {
    /// The properties that stay the same from one segment on, until the next such value.
    public struct Stretch: Sendable, Equatable {
        var first = 0
        /// The stretch of one clock.
        public var continuity: Int64 = 0
        /// The init section before the segments.
        public var map: InitSection?
        /// Their encryption.
        public var encryption: SegmentEncryption?
        /// The list has said so before, if only that there is none.
        var isKeyStated = false
        /// Bits a second; nil for unknown.
        public var bitRate: Int64?

        /// Nothing special.
        public init() {}

        /// Takes over what a list before it says.
        mutating func go(on rest: Continuation) {
            map = map ?? rest.map
            if !isKeyStated { (encryption, isKeyStated) = (rest.encryption, rest.isKeyStated) }
            continuity &+= rest.missing
        }

        func isSame(as other: Stretch) -> Bool {
            continuity == other.continuity && bitRate == other.bitRate && encryption == other.encryption && map == other.map
                && isKeyStated == other.isKeyStated
        }
    }

    /// The properties of one segment alone.
    struct Mark: OptionSet, Sendable {
        let rawValue: UInt8
        static let gap = Mark(rawValue: 1), discontinuity = Mark(rawValue: 2)
    }

    /// 2^18 segments: six days of 2 s.
    public static let limit = 1 << 18

    /// Ticks a second.
    public let timescale: Int64
    let base: StreamAddress
    private(set) var first: Int64
    private var origin: Int64 = 0
    private var ends: [Int64] = []
    private var addresses: [UInt8] = []
    private var addressEnds: [UInt32] = []
    private(set) var marks: [Mark] = []
    /// Empty while no segment is a part of a file.
    private var ranges: [ByteRange?] = []
    private var stretches: [Stretch] = []
    private var clocks: [(index: Int32, nanoseconds: Int64)] = []
    private var partial: [(index: Int32, parts: [PartialSegment])] = []

    /// An empty list. `base` is the base of its addresses, `first` the number of its first segment.
    public init(base: StreamAddress, timescale: Int64, first: Int64 = 0) {
        self.base = base
        self.timescale = timescale
        self.first = first
    }

    /// The number of segments.
    public var count: Int { ends.count }

    /// The numbers of the segments.
    public var numbers: Range<Int64> { first..<(first + Int64(count)) }

    /// The start of the first segment.
    public var start: Ticks { Ticks(origin, timescale: timescale) }

    /// The end of the last one.
    public var end: Ticks { Ticks(tickEnd, timescale: timescale) }

    private var tickEnd: Int64 { origin + (ends.last ?? 0) }

    /// Whether the same segments are in both, at the same places.
    public static func == (a: SegmentList, b: SegmentList) -> Bool {
        a.numbers == b.numbers && a.start == b.start && a.base == b.base
            && a.numbers.allSatisfy { a.segment($0) == b.segment($0) }
    }

    // MARK: - Building

    /// Adds a segment behind the last; `stretch` nil: it goes on with that of the last. False where its end lies beyond 100 years, where its address makes the list too large, or
    /// where there are `limit` already: then it was not added.
    mutating func append(duration: Int64, address: ArraySlice<UInt8>, range: ByteRange?, marks: Mark, stretch: Stretch?) -> Bool {
        let (end, overflow) = (ends.last ?? 0).addingReportingOverflow(duration)
        let century = timescale.multipliedReportingOverflow(by: 3_155_760_000)
        guard !overflow, duration >= 0, century.overflow || end <= century.partialValue, count < Self.limit,
            addresses.count + address.count <= UInt32.max
        else { return false }
        if var stretch = stretch ?? (stretches.isEmpty ? Stretch() : nil), stretches.last?.isSame(as: stretch) != true {
            stretch.first = count
            stretches.append(stretch)
        }
        if let range {
            if ranges.isEmpty, !ends.isEmpty { ranges = Array(repeating: nil, count: ends.count) }
            ranges.append(range)
        } else if !ranges.isEmpty {
            ranges.append(nil)
        }
        ends.append(end)
        addresses.append(contentsOf: address)
        addressEnds.append(UInt32(addresses.count))
        self.marks.append(marks)
        return true
    }

    /// Adds a segment of another list.
    mutating func append(_ number: Int64, of other: SegmentList) -> Bool {
        guard other.numbers.contains(number), other.timescale == timescale else { return false }
        let index = Int(number - other.first), begin = index == 0 ? 0 : other.ends[index - 1]
        if let clock = other.clock(index) { appendClock(nanoseconds: clock) }
        let parts = other.parts(index)
        if !parts.isEmpty { appendParts(parts) }
        return append(
            duration: other.ends[index] - begin, address: other.text(index),
            range: other.ranges.isEmpty ? nil : other.ranges[index],
            marks: other.marks[index], stretch: other.stretch(index))
    }

    /// Gives all segments the same length: for a list that says of none how long it is.
    mutating func level(to duration: Int64) {
        for index in ends.indices { ends[index] = Int64(index + 1) * duration }
    }

    private func clock(_ index: Int) -> Int64? {
        let place = lastIndex(clocks.count) { clocks[$0].index <= index }
        return place >= 0 && clocks[place].index == index ? clocks[place].nanoseconds : nil
    }

    private func parts(_ index: Int) -> [PartialSegment] {
        let place = lastIndex(partial.count) { partial[$0].index <= index }
        return place >= 0 && partial[place].index == index ? partial[place].parts : []
    }

    private func text(_ index: Int) -> ArraySlice<UInt8> {
        addresses[Int(index == 0 ? 0 : addressEnds[index - 1])..<Int(addressEnds[index])]
    }

    private func stretch(_ index: Int) -> Stretch { stretches[lastIndex(stretches.count) { stretches[$0].first <= index }] }

    /// Makes room for so many segments at once.
    mutating func reserve(_ count: Int, bytes: Int) {
        ends.reserveCapacity(count)
        addressEnds.reserveCapacity(count)
        marks.reserveCapacity(count)
        addresses.reserveCapacity(bytes)
    }

    /// The moment of the next segment that is appended.
    mutating func appendClock(nanoseconds: Int64) {
        if clocks.last?.index == Int32(count) { clocks.removeLast() }
        clocks.append((Int32(count), nanoseconds))
    }

    /// The parts of the next segment that is appended.
    mutating func appendParts(_ parts: [PartialSegment]) { partial.append((Int32(count), parts)) }

    /// Moves the whole list on the axis, so that its first segment starts there: where an update has lost segments at its front.
    public mutating func place(at start: Ticks) { origin = start.rescaled(to: timescale).value }

    /// Makes its continuities others than those of earlier eras.
    mutating func enter(era: Int64) {
        for index in stretches.indices { stretches[index].continuity &+= era &<< 40 }
    }

    /// Takes over what a list before it says.
    mutating func go(on rest: Continuation) {
        for index in stretches.indices { stretches[index].go(on: rest) }
    }

    var firstStretch: Stretch? { stretches.first }
    var lastStretch: Stretch? { stretches.last }

    /// The numbers of segments that are not there.
    var missing: [Int64] { marks.indices.lazy.filter { marks[$0].contains(.gap) }.map { first + Int64($0) } }

    // MARK: - Looking up

    /// A segment, put together; nil for an unknown number, or a segment without a valid address.
    public func segment(_ number: Int64) -> Segment? {
        guard numbers.contains(number) else { return nil }
        let index = Int(number - first)
        let text = String(decoding: text(index), as: UTF8.self)
        guard let address = base.resolved(text) else { return nil }
        let begin = index == 0 ? 0 : ends[index - 1], stretch = stretch(index)
        var segment = Segment(
            number: number, continuity: stretch.continuity, start: Ticks(origin + begin, timescale: timescale),
            duration: Ticks(ends[index] - begin, timescale: timescale), address: address)
        segment.range = ranges.isEmpty ? nil : ranges[index]
        segment.map = stretch.map
        segment.encryption = stretch.encryption
        segment.bitRate = stretch.bitRate
        segment.isGap = marks[index].contains(.gap)
        segment.isDiscontinuity = marks[index].contains(.discontinuity)
        segment.wallClock = wallClock(index, begin: begin)
        segment.parts = parts(index)
        return segment
    }

    /// By the last moment that was said, and the durations since.
    private func wallClock(_ index: Int, begin: Int64) -> Int64? {
        let place = lastIndex(clocks.count) { clocks[$0].index <= index }
        guard place >= 0 else { return nil }
        let from = Int(clocks[place].index)
        let passed = Ticks(begin - (from == 0 ? 0 : ends[from - 1]), timescale: timescale).rescaled(to: Ticks.nanoseconds).value
        let (sum, overflow) = clocks[place].nanoseconds.addingReportingOverflow(passed)
        return overflow ? nil : sum
    }

    /// The places of moments, in nanoseconds since 1970, each by the last one that was said at or before it, else by the first; nil without
    /// any. Those that were said are sorted once: a day of broadcast has ten thousands of both.
    func times(ofWallClocks moments: [Int64]) -> [Ticks?] {
        guard let first = clocks.first else { return moments.map { _ in nil } }
        // Clocks may run back in the middle; of two that say the same, the later one counts.
        let sorted = clocks.sorted { ($0.nanoseconds, $0.index) < ($1.nanoseconds, $1.index) }
        return moments.map { moment in
            let place = lastIndex(sorted.count) { sorted[$0].nanoseconds <= moment }
            let mark = place >= 0 ? sorted[place] : first
            let (passed, overflow) = moment.subtractingReportingOverflow(mark.nanoseconds)
            let begin = origin + (mark.index == 0 ? 0 : ends[Int(mark.index) - 1])
            return overflow ? nil : Ticks(begin, timescale: timescale) + Ticks(passed, timescale: Ticks.nanoseconds)
        }
    }

    /// The number of the segment that covers a time.
    public func number(at time: Ticks) -> Int64? {
        guard !ends.isEmpty else { return nil }
        let (target, overflow) = time.rescaledDown(to: timescale).subtractingReportingOverflow(origin)
        let wanted = overflow ? (time.value < 0 ? .min : .max) : target
        // Segments that end at or before it; those without a length cover nothing.
        var low = 0, high = ends.count
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= wanted { low = middle + 1 } else { high = middle }
        }
        return first + Int64(min(low, ends.count - 1))
    }

    /// The last of `count` places that fulfil a condition which the first ones fulfil and the rest does not; -1 for none.
    private func lastIndex(_ count: Int, where holds: (Int) -> Bool) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
