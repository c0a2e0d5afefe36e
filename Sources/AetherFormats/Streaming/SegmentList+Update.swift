extension SegmentList {
    /// The properties in which a list goes on from one that precedes it without a hole.
    struct Continuation {
        let map: InitSection?
        let encryption: SegmentEncryption?
        let isKeyStated: Bool
        /// So many discontinuities the list has not counted.
        let missing: Int64

        /// Of `next` behind `former`; `continuity` is that with which it begins.
        init(of former: SegmentList, in next: SegmentList, from continuity: Int64) {
            let last = former.lastStretch
            map = last?.map
            (encryption, isKeyStated) = (last?.encryption, last?.isKeyStated ?? false)
            let isBroken = next.marks.first?.contains(.discontinuity) ?? false
            missing = last.map { $0.continuity &+ (isBroken ? 1 : 0) &- continuity } ?? 0
        }
    }

    /// The start of a segment that is there, or of the one that comes next; nil for others.
    func start(of number: Int64) -> Ticks? {
        if number == numbers.upperBound { return end }
        return segment(number)?.start
    }

    /// Some of the segments, at their places.
    func part(_ numbers: Range<Int64>) -> SegmentList {
        let wanted = numbers.clamped(to: self.numbers)
        var result = SegmentList(base: base, timescale: timescale, first: wanted.lowerBound)
        if let start = start(of: wanted.lowerBound) { result.place(at: start) }
        for number in wanted { _ = result.append(number, of: self) }
        return result
    }

    /// With the segments of another list behind the own ones, which give their numbers. Throws where there are too many, or where
    /// relative addresses would mean something else.
    func joined(by other: SegmentList) throws(StreamFault) -> SegmentList {
        guard base.resolved("x") == other.base.resolved("x") else { throw StreamFault(.updateMismatch) }
        var result = self
        for number in other.numbers {
            guard result.append(number, of: other) else { throw StreamFault(.tooMany("segments")) }
        }
        return result
    }
}
