import AetherFormats

/// Whether the clock of the media goes on from segment to segment as the playlist says. Where it does not, and no mark says so, the segment
/// begins a run of its own: libavformat leaves out fragments that lie before what it has had, takes a clock of MPEG-TS that begins anew for one
/// that has gone round, and what a list has no hole for is none. Pure.
struct ClockWatch {
    /// By their tracks.
    private var last: [Int: (clock: SegmentClock, segment: Segment)] = [:]
    /// The playlist is complete: what its clock leaps over is not there. Of a broadcast it may come yet.
    private let isComplete: Bool
    /// Lists and clocks differ by less where they are rounded.
    private static let rounding = 0.5
    /// Tracks that are remembered; a segment tells of one.
    private static let limit = 16

    init(isComplete: Bool) { self.isComplete = isComplete }

    /// Looks at the first bytes of the segment that is read next; `header` is its init section. True where its clock is another one than before.
    mutating func breaks(at segment: Segment, head: ArraySlice<UInt8>, header: [UInt8]?) -> Bool {
        // A manifest says where each of its segments lies.
        guard segment.mediaOffset == nil, let clock = SegmentClock(head) else { return false }
        defer {
            if last.count >= Self.limit { last = [:] }
            last[clock.track] = (clock, segment)
        }
        // A segment may be asked for twice.
        guard let former = last[clock.track], former.segment.number < segment.number else { return false }
        guard isComplete || !clock.isTransportStream else { return false }
        if former.clock.isRestarted(by: clock) { return true }
        guard isComplete, let passed = former.clock.seconds(to: clock, header: header?[...] ?? []) else { return false }
        let listed = (segment.start - former.segment.start).span.seconds
        return passed - listed > max(Self.rounding, former.segment.duration.span.seconds)
    }
}
