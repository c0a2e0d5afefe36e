/// The segments of a rendition through all periods, period after period. The numbers go on from one period to the next;
/// `Segment.continuity` is the period's start in milliseconds, so that it stays the same when the manifest is read again, or the continuity
/// of the period before where the manifest says that the media goes on (period continuity).
public struct PeriodChain: SegmentIndex, Equatable {
    /// Each has segments.
    private(set) var parts: [PeriodSegments]
    /// With those that have none now.
    let all: [PeriodSegments]
    /// The number of the first segment of each part.
    private var firsts: [Int64] = []
    private var count: Int64 = 0

    /// The segments of periods in order. Where the first one counts from is where the chain counts from.
    init(_ parts: [PeriodSegments], first: Int64? = nil) {
        all = parts
        self.parts = parts.filter { !$0.window.isEmpty }
        var next = first ?? self.parts.first?.numbers.lowerBound ?? 0
        for place in self.parts.indices {
            firsts.append(next)
            self.parts[place].isDiscontinuity =
                place > 0 && self.parts[place - 1].place.continuity != self.parts[place].place.continuity
            next = next.saturatingAdd(Int64(self.parts[place].numbers.count))
        }
        count = firsts.first.map { next - $0 } ?? 0
    }

    /// The numbers of the segments.
    public var numbers: Range<Int64> {
        let first = firsts.first ?? 0
        return first..<(first + count)
    }

    /// The start of the first segment.
    public var start: Ticks { parts.first?.start ?? .zero }

    /// The end of the last one.
    public var end: Ticks { parts.last?.end ?? .zero }

    /// A segment, put together; nil for a number that is not there.
    public func segment(_ number: Int64) -> Segment? { segment(number, address: 0) }

    /// The segment on another server. Periods with fewer servers begin anew with their first one.
    public func segment(_ number: Int64, address: Int) -> Segment? {
        guard numbers.contains(number), address >= 0 else { return nil }
        let place = part { firsts[$0] <= number }, part = parts[place]
        let own = part.numbers.lowerBound + (number - firsts[place])
        guard var segment = part.segment(own, address: address % part.bases.count) else { return nil }
        segment.number = number
        return segment
    }

    /// The number of the segment that covers a time; in a hole the one behind it.
    public func number(at time: Ticks) -> Int64? {
        guard !parts.isEmpty else { return nil }
        var place = max(0, part { parts[$0].start <= time })
        if time >= parts[place].end, place + 1 < parts.count { place += 1 }
        guard let own = parts[place].number(at: time) else { return nil }
        return firsts[place] + (own - parts[place].numbers.lowerBound)
    }

    /// The segments that are there at a time of a broadcast, with the same numbers. Servers have wrong clocks, and encoders stand still: what is
    /// listed is there, and the depth counts from its end where by the clock all of it were too old.
    func shown(at now: Ticks, depth: Ticks?) -> PeriodChain {
        var parts = all
        let oldest = depth.map { min(now, listedEnd ?? now) - $0 }
        for place in parts.indices { parts[place].show(at: now, from: oldest) }
        return PeriodChain(parts).following(self)
    }

    /// The end of the last segment, where that one is listed and does not come by the clock.
    private var listedEnd: Ticks? {
        guard let last = all.last(where: { !$0.full.isEmpty }), last.earliness == nil else { return nil }
        return last.place.time(last.times.end(last.full.upperBound - 1))
    }

    /// With the numbers that its segments have in another chain: by the first segment's period and time. One whose segments are all new is
    /// numbered behind it.
    func following(_ previous: PeriodChain) -> PeriodChain {
        guard let first = parts.first, !previous.parts.isEmpty else { return self }
        let time = first.times.start(first.window.lowerBound)
        for (place, part) in previous.parts.enumerated() where part.place.start == first.place.start {
            let found = part.times.place(endingAfter: time)
            guard found < part.times.count, part.times.start(found) == time else { continue }
            return PeriodChain(all, first: previous.firsts[place] + (found - part.window.lowerBound))
        }
        return PeriodChain(all, first: previous.numbers.upperBound)
    }

    /// The time at which the next segment of a broadcast is there, so that it is not asked for before; nil where a new manifest says so.
    public func nextAvailability() -> Ticks? {
        let last = all.lastIndex { !$0.window.isEmpty }
        for part in all[(last ?? 0)...] {
            guard let earliness = part.earliness, part.window.upperBound < part.full.upperBound else { continue }
            return part.place.time(part.times.end(part.window.upperBound)) - earliness
        }
        return nil
    }

    private func part(where holds: (Int) -> Bool) -> Int {
        var low = 0, high = parts.count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
