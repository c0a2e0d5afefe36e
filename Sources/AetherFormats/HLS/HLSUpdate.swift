extension HLSSegmentList {
    /// This list with what an update has left out (EXT-X-SKIP) put in from the list before, and its place on the axis of that
    /// list. Throws `.updateMismatch` where the update cannot follow it: then the whole playlist has to be asked for.
    public func following(_ previous: HLSSegmentList) throws(StreamFault) -> HLSSegmentList {
        var result = self
        let first = segments.numbers.lowerBound
        if let skip {
            let known = previous.segments.numbers
            let (end, overflow) = first.addingReportingOverflow(skip.count)
            guard !overflow, known.lowerBound <= first, end <= known.upperBound else { throw StreamFault(.updateMismatch) }
            result.segments = try previous.segments.part(first..<end).joined(by: segments)
            let gone = Set(skip.removedDateRanges), renewed = Set(dateRanges.map(\.id))
            result.dateRanges = previous.dateRanges.filter { !gone.contains($0.id) && !renewed.contains($0.id) } + dateRanges
            result.skip = nil
        } else if let start = previous.segments.start(of: first) {
            result.segments.place(at: start)
        }
        // A server that counts anew when it writes the end: what was there goes on being true.
        if isEnded, first < previous.segments.numbers.lowerBound, segments.count <= previous.segments.count {
            var ended = previous
            ended.isEnded = true
            ended.kind = .vod
            return ended
        }
        return result
    }

    /// Whether the list says nothing that the one before has not said.
    public func isUnchanged(since previous: HLSSegmentList) -> Bool {
        segments.numbers == previous.segments.numbers && isEnded == previous.isEnded && trailingParts == previous.trailingParts
    }
}
