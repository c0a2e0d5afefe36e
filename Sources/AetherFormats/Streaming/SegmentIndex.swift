/// The segments of a rendition, made on request: by a list, or by arithmetic. Values; all times lie on the presentation's axis.
public protocol SegmentIndex: Sendable {
    /// The numbers that there are. They follow one another without a hole.
    var numbers: Range<Int64> { get }

    /// A segment; nil for a number that is not there.
    func segment(_ number: Int64) -> Segment?

    /// The same segment at another of `Rendition.addresses`, by its position; nil where there is none.
    func segment(_ number: Int64, address: Int) -> Segment?

    /// The number of the segment that covers a time: the first one before the start, the last one behind the end, nil where there
    /// is none.
    func number(at time: Ticks) -> Int64?

    /// The start of the first segment.
    var start: Ticks { get }

    /// The end of the last one.
    var end: Ticks { get }
}

extension SegmentIndex {
    /// The number of the segment that begins at a time, by lists whose times are rounded differently; the one behind the last where the time
    /// is the end.
    public func number(beginningAt time: Ticks) -> Int64? {
        guard let number = number(at: time), let segment = segment(number) else { return nil }
        let tolerance = min(Ticks(segment.duration.value / 2, timescale: segment.duration.timescale), Ticks(1, timescale: 4))
        return segment.end - time < tolerance ? number + 1 : number
    }
    /// Lists of one address have no other.
    public func segment(_ number: Int64, address: Int) -> Segment? { address == 0 ? segment(number) : nil }
}
