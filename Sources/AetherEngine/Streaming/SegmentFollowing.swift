/// Which segments of a sliding list are fetched before they are played. Pure.
enum SegmentFollowing {
    /// The numbers that are due. A list is followed where playing falls behind: in its older half, from behind the two segments on that are being
    /// read; those two as well where they are about to leave the list, for a reading that stands still ends no segment. `next` is the segment that is
    /// read, or will be.
    static func due(_ numbers: Range<Int64>, reading next: Int64) -> Range<Int64> {
        let count = Int64(numbers.count)
        let middle = numbers.lowerBound + (count + 1) / 2
        let leavesSoon = next < numbers.lowerBound + max(1, count / 4)
        let first = max(numbers.lowerBound, leavesSoon ? next : next.addingReportingOverflow(2).partialValue)
        return first..<max(first, middle)
    }
}
