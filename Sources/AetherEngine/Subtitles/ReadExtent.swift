import AetherCore

/// The parts of a source that have been read: subtitles inside it are known there and nowhere else. A value.
struct ReadExtent: Sendable, Equatable {
    /// The span that was read since the last jump.
    private var present: ClosedRange<MediaTime>?
    /// The spans that were read before, in order, without overlap.
    private var former: [ClosedRange<MediaTime>] = []
    /// More jumps than these leave only the longest parts known.
    static let limit = 64

    /// Reading has come to a packet of this time.
    mutating func advance(to time: MediaTime) {
        guard let span = present else {
            present = time...time
            return
        }
        if span.contains(time) { return }
        present = min(span.lowerBound, time)...max(span.upperBound, time)
    }

    /// Reading goes on elsewhere.
    mutating func interrupt() {
        former = spans
        present = nil
        while former.count > Self.limit {
            guard let shortest = former.indices.min(by: { length(former[$0]) < length(former[$1]) }) else { return }
            former.remove(at: shortest)
        }
    }

    /// The parts of both.
    func joined(with other: ReadExtent) -> ReadExtent {
        var sum = self
        for span in other.spans {
            sum.interrupt()
            sum.present = span
        }
        return sum
    }

    /// The parts, in order, without overlap.
    var spans: [ClosedRange<MediaTime>] {
        guard let present else { return former }
        var joined = present, result: [ClosedRange<MediaTime>] = []
        for span in former {
            if span.overlaps(joined) {
                joined = min(span.lowerBound, joined.lowerBound)...max(span.upperBound, joined.upperBound)
            } else {
                result.append(span)
            }
        }
        result.insert(joined, at: result.partitioningIndex { $0.lowerBound > joined.lowerBound })
        return result
    }

    private func length(_ span: ClosedRange<MediaTime>) -> TimeSpan { span.upperBound - span.lowerBound }
}
