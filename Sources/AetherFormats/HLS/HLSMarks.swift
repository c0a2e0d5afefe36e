public import AetherCore

extension HLSSegmentList {
    /// Date ranges and segments that are not there, as marks on the bar.
    public var marks: [SourceMark] {
        var found: [SourceMark] = []
        let successors = successors
        for (range, place) in zip(dateRanges, segments.times(ofWallClocks: dateRanges.map(\.start))) {
            guard let start = place?.time else { continue }
            let length = (range.duration ?? untilNext(range, successors) ?? range.plannedDuration).map {
                TimeSpan(nanoseconds: $0)
            }
            let title = ["X-TITLE", "X-COM-APPLE-HLS-TITLE", "X-NAME"].lazy.compactMap { range.attributes[$0] }.first
            let words = title.map { DisplayText.singleLine($0, limit: 200) }
            if range.isInterruption {
                guard let length else { continue }
                found.append(SourceMark(.advertisement, title: words ?? "Advertisement", start: start, duration: length))
            } else {
                found.append(SourceMark(.event, title: words ?? range.className ?? range.id, start: start, duration: length))
            }
        }
        for gap in segments.gaps {
            found.append(SourceMark(.gap, start: gap.lowerBound.time, duration: (gap.upperBound - gap.lowerBound).span))
        }
        return found
    }

    /// When the ranges of a class begin, in order, where one of it ends with the next.
    private var successors: [String: [Int64]] {
        let wanted = Set(dateRanges.lazy.filter { $0.endsOnNext && $0.duration == nil }.compactMap(\.className))
        guard !wanted.isEmpty else { return [:] }
        return Dictionary(grouping: dateRanges.filter { $0.className.map(wanted.contains) ?? false }) { $0.className ?? "" }
            .mapValues { $0.map(\.start).sorted() }
    }

    /// The length of a range that ends where the next one of its class begins (END-ON-NEXT); nil for others, and while there is no next one.
    private func untilNext(_ range: HLSDateRange, _ successors: [String: [Int64]]) -> Int64? {
        guard range.endsOnNext, let starts = range.className.flatMap({ successors[$0] }) else { return nil }
        var low = 0, high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= range.start { low = middle + 1 } else { high = middle }
        }
        return low < starts.count ? starts[low] - range.start : nil
    }
}
