import AetherCore
import AetherFormats

/// One track: its segments that are held, under way and next. Held segments follow one another without a hole; they may come from several
/// renditions.
struct SegmentTrack: Sendable {
    /// A segment that is here.
    struct Held: Sendable {
        let start, end: Ticks
        let bytes: Int64
    }

    /// A segment that is under way.
    struct Flight: Sendable {
        let request: SegmentScheduler.Request
        let segment: Segment
        var isAnswered = false
        var bytes: Int64 = 0
        /// It is here, but one before it is not.
        var isLanded = false
    }

    private(set) var rendition: Rendition.ID
    var index: any SegmentIndex
    /// The number that comes next.
    private(set) var next: Int64
    private(set) var held: [Held] = []
    private(set) var flights: [Flight] = []
    private let begin: Ticks

    init(rendition: Rendition.ID, index: any SegmentIndex, at time: Ticks) {
        self.rendition = rendition
        self.index = index
        next = index.number(at: time) ?? index.numbers.lowerBound
        begin = time
    }

    /// Up to where everything is here without a hole.
    var heldEnd: Ticks { held.last?.end ?? begin }

    /// Up to where everything is here or under way.
    private var reach: Ticks? { flights.last?.segment.end ?? held.last?.end }

    /// Nothing is left to be asked for.
    var isComplete: Bool { flights.isEmpty && next >= index.numbers.upperBound }

    /// The requests that are under way.
    var requests: [SegmentScheduler.Request] { flights.filter { !$0.isLanded }.map(\.request) }

    func bytes(after time: Ticks?) -> Int64 {
        let here = held.filter { held in time.map { held.end > $0 } ?? true }.reduce(0) { $0 + $1.bytes }
        return here + flights.reduce(0) { $0 + $1.bytes }
    }

    func covers(_ time: Ticks) -> Bool {
        held.contains { $0.start <= time && time < $0.end }
            || flights.contains { $0.segment.start <= time && time < $0.segment.end }
    }

    /// The segment to ask for, or to pass by, now; nil for none.
    func wanted(playhead: Ticks, budget: SegmentScheduler.Budget, bytes limit: Int64) -> Segment? {
        let underWay = flights.filter { !$0.isLanded }
        guard flights.count < 2, underWay.allSatisfy(\.isAnswered) else { return nil }
        // A window that has moved on has taken what was next: the oldest that is left.
        guard let segment = index.segment(max(next, index.numbers.lowerBound)) else { return nil }
        // What plays now is asked for whatever it costs: a segment larger than the budget would never come.
        let isNeeded = flights.isEmpty && !held.contains { $0.end > playhead }
        if isNeeded || segment.isGap && (segment.start - playhead).span < budget.ahead { return segment }
        guard (segment.start - playhead).span < budget.ahead else { return nil }
        let expected = segment.range?.length ?? estimate(segment)
        return bytes(after: playhead) + unread + expected <= limit ? segment : nil
    }

    /// The bytes that those under way will still bring.
    private var unread: Int64 {
        flights.reduce(0) { $0 + ($1.isLanded ? 0 : max(0, ($1.segment.range?.length ?? estimate($1.segment)) - $1.bytes)) }
    }

    /// By the stated bit rate, else as large as the largest of the last ones for its length.
    private func estimate(_ segment: Segment) -> Int64 {
        let seconds = segment.duration.seconds
        if let rate = segment.bitRate { return Int64(min(Double(rate) / 8 * seconds, 1e12)) }
        let rates = held.suffix(4).map { Double($0.bytes) / max(($0.end - $0.start).seconds, 0.001) }
        return Int64(min((rates.max() ?? 0) * seconds, 1e12))
    }

    mutating func begin(_ request: SegmentScheduler.Request, _ segment: Segment) {
        flights.append(Flight(request: request, segment: segment))
        next = segment.number + 1
    }

    /// A segment that is not there takes its place without a byte, behind those under way.
    mutating func pass(_ segment: Segment) {
        next = segment.number + 1
        guard flights.isEmpty else {
            let request = SegmentScheduler.Request(role: .text, rendition: "", number: segment.number, serial: -1)
            flights.append(Flight(request: request, segment: segment, isAnswered: true, isLanded: true))
            return
        }
        held.append(Held(start: segment.start, end: segment.end, bytes: 0))
    }

    mutating func change(_ request: SegmentScheduler.Request, _ body: (inout Flight) -> Void) {
        if let place = flights.firstIndex(where: { $0.request == request }) { body(&flights[place]) }
    }

    /// A request has ended with so many bytes. Segments are held in order. Returns nil for one that nobody waits for.
    @discardableResult mutating func land(_ request: SegmentScheduler.Request, bytes: Int64) -> Segment? {
        guard let place = flights.firstIndex(where: { $0.request == request }) else { return nil }
        let segment = flights[place].segment
        flights[place].bytes = bytes
        flights[place].isAnswered = true
        flights[place].isLanded = true
        while let first = flights.first, first.isLanded {
            held.append(Held(start: first.segment.start, end: first.segment.end, bytes: first.bytes))
            flights.removeFirst()
        }
        return segment
    }

    /// From now on of another rendition, behind what is held and under way.
    mutating func goOver(to rendition: Rendition.ID, _ index: any SegmentIndex) {
        let from = reach ?? begin
        self.rendition = rendition
        self.index = index
        next = index.number(at: from) ?? index.numbers.lowerBound
        // Borders that differ by the rounding of their playlists are the same border.
        if let segment = index.segment(next), reach != nil, segment.end <= from + Ticks(1, timescale: 100) { next += 1 }
    }

    /// Drops what lies ahead of the segment at a time, and gives the requests that are no longer wanted.
    mutating func dropAhead(of time: Ticks) -> [SegmentScheduler.Request] {
        held.removeAll { $0.start > time }
        let unwanted = flights.filter { $0.segment.start > time }
        flights.removeAll { $0.segment.start > time }
        return unwanted.filter { !$0.isLanded }.map(\.request)
    }

    /// Drops what lies so far behind, and beyond that the oldest until the bytes behind the playhead fit.
    mutating func trim(before time: Ticks, bytes limit: Int64, playhead: Ticks) {
        held.removeAll { $0.end <= time }
        var behind = held.prefix { $0.end <= playhead }.reduce(0) { $0 + $1.bytes }
        while behind > limit, let first = held.first {
            behind -= first.bytes
            held.removeFirst()
        }
    }
}
