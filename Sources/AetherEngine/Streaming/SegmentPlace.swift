import AetherFormats

/// The place at which reading a rendition goes on.
enum SegmentPlace: Sendable, Equatable {
    /// At the segment that covers a time.
    case time(Ticks)
    /// At the segment that begins there, by lists that are rounded differently.
    case border(Ticks)
    case number(Int64)

    /// The segment's number in an index; nil for none.
    func number(in segments: any SegmentIndex) -> Int64? {
        switch self {
        case .number(let exact): exact
        case .border(let time): segments.number(beginningAt: time)
        case .time(let time): time < segments.end ? segments.number(at: time) : segments.numbers.upperBound
        }
    }
}
