import AetherCore
import AetherEngine

/// The time that frames cost between the slot and the terminal. Any thread.
struct PresentCosts: Sendable {
    private let encoding = LatencyWindow(), writing = LatencyWindow()
    /// By how much the bytes of a frame begin before it is due.
    private let earliness = LatencyWindow()
    private let frames = Counter()

    /// Percentiles of encoding and of writing, for the pane.
    func fill(_ statistics: inout SinkStatistics) {
        (statistics.encode, statistics.write) = (encoding.percentiles, writing.percentiles)
    }

    /// The bytes of a frame took so long to be written.
    func noteWritten(in span: TimeSpan) { writing.record(span) }

    /// A frame was encoded in `span`, and its bytes begin `early`; frames come every `interval`. Returns the lead from now on; nil: as it was.
    func noteEncoded(in span: TimeSpan, early: TimeSpan, interval: TimeSpan) -> TimeSpan? {
        encoding.record(span)
        earliness.record(early)
        // Encoding is begun so early that nineteen of twenty frames are on screen in time; a millisecond is for waking up. Percentiles
        // are a sort: every 16th frame is often enough.
        frames.add()
        guard frames.current % 16 == 1, let p95 = encoding.percentiles?.p95 else { return nil }
        let ahead = earliness.percentiles?.p95 ?? 0
        // A frame waits in its slot until the one before is complete: further ahead than by one there is no time to be won.
        let limit = max(25, min(50, interval.milliseconds))
        return .milliseconds(min(limit, p95 + ahead + 1))
    }
}
