/// The segments of a rendition through all periods, one period's behind the other's. The numbers go on from one period to the next;
/// `Segment.continuity` is the period's start in milliseconds, so that it stays the same when the manifest is read again, or the
/// continuity of the period before where the manifest says that the media goes on (period continuity).
public struct PeriodChain: SegmentIndex, Equatable {
    /// Each has segments.
    private(set) var parts: [PeriodSegments]
    /// The number of the first segment of each part.
    private var firsts: [Int64] = []
    private var count: Int64 = 0

    /// The segments of periods in order. Where the first one counts from is where the chain counts from.
    init(_ parts: [PeriodSegments], first: Int64? = nil) {
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

    /// The numbers that there are.
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

    private func part(where holds: (Int) -> Bool) -> Int {
        var low = 0, high = parts.count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
