import AetherCore
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

    /// Where decoding for a plan begins; nil where no segment begins there: in a whole file, and outside of the list. `kept`: the segment that
    /// holds the target behind the list's start. Segments begin with key frames as a rule; where one does not, a further attempt begins a
    /// segment before it.
    init?(of plan: SeekPlan, in segments: any SegmentIndex, kept: Segment?) {
        if let kept {
            let isHere = plan.snapped(keyBefore: kept.start.time, keyAfter: kept.end.time) == plan
            self = isHere ? .time(kept.start) : .border(kept.end)
            return
        }
        guard let number = segments.number(at: Ticks(plan.demuxTarget)), let segment = segments.segment(number),
            !segment.isWholeFile
        else { return nil }
        let following = segments.segment(number + 1)?.start.time
        self = .number(plan.snapped(keyBefore: segment.start.time, keyAfter: following) == plan ? number : number + 1)
    }
}
