/// Where the segments of a representation lie in the media's own time, in ticks, by their place from 0 on. Nothing is expanded: the
/// size is that of what is written.
enum SegmentTimes: Sendable, Equatable {
    /// One like the other.
    case uniform(origin: Int64, duration: Int64, count: Int64)
    /// A SegmentTimeline.
    case runs(TimelineRuns)
    /// Each by itself, as an index in the media has them. Of the ends, which rise.
    case list(origin: Int64, ends: [Int64])

    var count: Int64 {
        switch self {
        case .uniform(_, _, let count): count
        case .runs(let runs): runs.count
        case .list(_, let ends): Int64(ends.count)
        }
    }

    /// Stops at the ends of the range.
    func start(_ place: Int64) -> Int64 {
        switch self {
        case .uniform(let origin, let duration, _):
            return Int64(clamping: Int128(origin) + Int128(place) * Int128(duration))
        case .runs(let runs): return runs.start(place)
        case .list(let origin, let ends): return place == 0 ? origin : ends[Int(place) - 1]
        }
    }

    func end(_ place: Int64) -> Int64 {
        switch self {
        case .uniform: start(place + 1)
        case .runs(let runs): runs.end(place)
        case .list(_, let ends): ends[Int(place)]
        }
    }

    /// The first segment that ends behind a time; `count` for none.
    func place(endingAfter time: Int64) -> Int64 {
        var low: Int64 = 0, high = count
        if case .uniform(let origin, let duration, let count) = self {
            guard duration > 0 else { return 0 }
            let passed = Int128(time) - Int128(origin)
            return passed < 0 ? 0 : Int64(clamping: min(Int128(count), passed / Int128(duration)))
        }
        if case .runs(let runs) = self { (low, high) = runs.bracket(time) }
        while low < high {
            let middle = low + (high - low) / 2
            if end(middle) <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The runs of a SegmentTimeline: `S@t d r k`, 40 bytes each, however many segments they repeat.
struct TimelineRuns: Sendable, Equatable {
    /// `count` segments one behind the other, in sequences of `length` that have a number and a time together.
    struct Run: Sendable, Equatable {
        let time, duration: Int64
        /// The places of its first segment and its first sequence.
        let first, firstSequence: Int64
        let length: Int64
    }

    /// Segments of one timeline at most: 34 years of 1 s.
    static let limit: Int64 = 1 << 30

    private(set) var runs: [Run] = []
    private(set) var count: Int64 = 0
    /// Sequences; as many as segments, but for S@k.
    private(set) var sequences: Int64 = 0

    /// Behind the last one.
    var end: Int64 { count > 0 ? end(count - 1) : 0 }

    /// Adds `repeats` sequences. False where the time goes backwards, a number overflows or there are too many.
    mutating func append(time: Int64, duration: Int64, repeats: Int64, length: Int64) -> Bool {
        guard duration > 0, repeats > 0, (1...10_000).contains(length), duration >= length else { return false }
        if let last = runs.last, time <= last.time { return false }
        let (segments, tooMany) = repeats.multipliedReportingOverflow(by: length)
        let (span, tooLong) = repeats.multipliedReportingOverflow(by: duration)
        guard !tooMany, !tooLong, segments <= Self.limit - count, !time.addingReportingOverflow(span).overflow else {
            return false
        }
        runs.append(Run(time: time, duration: duration, first: count, firstSequence: sequences, length: length))
        count += segments
        sequences += repeats
        return true
    }

    mutating func reserve(_ count: Int) { runs.reserveCapacity(count) }

    func start(_ place: Int64) -> Int64 { self[place].start }

    func end(_ place: Int64) -> Int64 { self[place].end }

    /// The times of a segment, the time of its sequence, and both numbers from 0 on.
    subscript(_ place: Int64) -> (start: Int64, end: Int64, sequenceTime: Int64, sequence: Int64, sub: Int64) {
        let run = runs[index { $0.first <= place }], inRun = place - run.first
        let sequence = inRun / run.length, sub = inRun % run.length
        let time = run.time + sequence * run.duration
        // Durations that cannot be divided evenly: no tick is lost.
        let start = time + Self.share(run.duration, sub, run.length), end = time + Self.share(run.duration, sub + 1, run.length)
        return (start, end, time, run.firstSequence + sequence, sub)
    }

    private static func share(_ duration: Int64, _ part: Int64, _ parts: Int64) -> Int64 {
        parts == 1 ? duration * part : Int64(Int128(duration) * Int128(part) / Int128(parts))
    }

    /// The places among which the first segment lies that ends behind a time.
    func bracket(_ time: Int64) -> (low: Int64, high: Int64) {
        let place = index { $0.time <= time }
        guard place >= 0 else { return (0, 0) }
        // An overlap may let a segment of the run before reach as far.
        let low = runs[max(0, place - 1)].first
        return (low, place + 1 < runs.count ? runs[place + 1].first : count)
    }

    /// The last run that fulfils a condition which the first ones fulfil and the rest does not; -1 for none.
    private func index(where holds: (Run) -> Bool) -> Int {
        var low = 0, high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if holds(runs[middle]) { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
