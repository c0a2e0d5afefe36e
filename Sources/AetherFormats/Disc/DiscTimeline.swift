/// The clocks of a title led onto one axis. Each video object counts from a beginning of its own; cells of one that follow each other are a
/// stretch. The axis begins with the first stretch's own times. Times are ticks of 90 kHz. Pure.
public struct DiscTimeline: Sendable, Equatable {
    /// Cells with one clock.
    public struct Stretch: Sendable, Equatable {
        /// Where its sectors lie along the title.
        public let places: Range<Int>
        /// The first and the last time by its own clock.
        public let clock: Range<Int64>
        /// Where it begins on the axis.
        public let begin: Int64

        /// Where it ends on the axis.
        public var end: Int64 { begin + (clock.upperBound - clock.lowerBound) }
    }

    /// A program stream counts so far and begins again.
    private static let wrap: Int64 = 1 << 33
    /// In the order of playing.
    public private(set) var stretches: [Stretch] = []

    /// Nothing yet.
    public init() {}

    /// The number of the first cell of each stretch.
    public static func beginnings(_ cells: [DiscCell]) -> [Int] {
        cells.indices.filter { index in
            guard index > 0 else { return true }
            let (former, cell) = (cells[index - 1], cells[index])
            return former.object != cell.object || cell.number <= former.number || former.angle != cell.angle
        }
    }

    /// A stretch that follows on the others: what its first and last unit say of its times.
    public mutating func append(places: Range<Int>, first: NavigationPack, last: NavigationPack) {
        append(places: places, clock: Self.clock(from: first, to: last))
    }

    /// The times of a stretch between two of its units.
    public static func clock(from first: NavigationPack, to last: NavigationPack) -> Range<Int64> {
        // A clock of 32 bits may have begun again in the middle.
        let end = last.end < first.start ? last.end + 1 << 32 : last.end
        return first.start..<max(first.start, end)
    }

    /// A stretch that follows on the others: its first and its last time by its own clock.
    public mutating func append(places: Range<Int>, clock: Range<Int64>) {
        stretches.append(Stretch(places: places, clock: clock, begin: stretches.last?.end ?? clock.lowerBound))
    }

    /// The start of the axis.
    public var start: Int64 { stretches.first?.begin ?? 0 }
    /// The end of the axis.
    public var end: Int64 { stretches.last?.end ?? 0 }

    /// The index of the stretch of a place along the title.
    public func stretch(ofPlace place: Int) -> Int { max(0, stretches.lastIndex { $0.places.lowerBound <= place } ?? 0) }

    /// The index of the stretch of a point of the axis.
    public func stretch(at point: Int64) -> Int { max(0, stretches.lastIndex { $0.begin <= point } ?? 0) }

    /// The shift that brings a time met in a stretch onto the axis, whatever the clock's beginning again has been taken for.
    public func shift(of time: Int64, in stretch: Int) -> Int64 {
        let stretch = stretches[stretch]
        let distance = time - stretch.clock.lowerBound, half = Self.wrap / 2
        let folded = ((distance + half) % Self.wrap + Self.wrap) % Self.wrap - half
        return stretch.begin + folded - time
    }

    /// The time by the clock of its stretch at a point of the axis.
    public func clockTime(at point: Int64) -> Int64 {
        let stretch = stretches[stretch(at: point)]
        return point - stretch.begin + stretch.clock.lowerBound
    }

    /// Units that a scratch makes unreadable: a few of half a second each.
    private static let scratch = 3

    /// The first readable unit from one on, past those that a scratch may have taken; nil where there is none. `look`: what a unit says, nil where it is
    /// unreadable.
    public static func readable<Value, Failure: Error>(
        from first: Int, below end: Int, look: (Int) throws(Failure) -> Value?
    ) throws(Failure) -> (index: Int, value: Value)? {
        for index in first..<max(first, min(end, first + 1 + scratch)) {
            if let value = try look(index) { return (index, value) }
        }
        return nil
    }

    /// The last of units at or before a time, by as few looks at them as can be; `time` says when a unit begins by the same clock, nil where
    /// it is unreadable. The first unit begins at or before the time.
    public static func unit<Failure: Error>(
        before time: Int64, count: Int, duration: Int64, start: Int64, timeOf: (Int) throws(Failure) -> Int64?
    ) throws(Failure) -> Int {
        var low = 0, high = count, lowTime = start, highTime = start + max(1, duration)
        while high - low > 1 {
            let share = Double(time - lowTime) / Double(max(1, highTime - lowTime))
            let guess = low + Int(Double(high - low) * min(max(share, 0), 1))
            let first = min(max(guess, low + 1), high - 1)
            guard let (middle, found) = try readable(from: first, below: high, look: timeOf), found >= lowTime else {
                high = first
                continue
            }
            if found <= time { (low, lowTime) = (middle, found) } else { (high, highTime) = (middle, found) }
            // A guess that is right to a unit ends the search.
            if found <= time, middle + 1 < high, let next = try timeOf(middle + 1) {
                if next > time { return middle }
                (low, lowTime) = (middle + 1, max(next, lowTime))
            } else if found > time, middle - 1 > low, let former = try timeOf(middle - 1), former >= lowTime {
                if former <= time { return middle - 1 }
                (high, highTime) = (middle - 1, former)
            }
        }
        return low
    }
}
