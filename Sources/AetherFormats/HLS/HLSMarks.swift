public import AetherCore

extension HLSSegmentList {
    /// Date ranges and segments that are not there, as marks on the bar.
    public var marks: [SourceMark] {
        var found: [SourceMark] = []
        for range in dateRanges {
            guard let start = time(ofWallClock: range.start)?.time else { continue }
            let length = (range.duration ?? range.plannedDuration).map { TimeSpan(nanoseconds: $0) }
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
}
