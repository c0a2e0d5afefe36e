extension HLSSegmentList {
    /// This list with what an update has left out (EXT-X-SKIP) put in from the list before, and its place on the axis of that
    /// list. Throws `.updateMismatch` where the update cannot follow it: then the whole playlist has to be asked for.
    public func following(_ previous: HLSSegmentList) throws(StreamFault) -> HLSSegmentList {
        var result = self
        let first = segments.numbers.lowerBound
        result.enter(era: previous.era)
        if let skip {
            let known = previous.segments.numbers
            let (end, overflow) = first.addingReportingOverflow(skip.count)
            guard !overflow, known.lowerBound <= first, end <= known.upperBound else { throw StreamFault(.updateMismatch) }
            result.segments = try previous.segments.part(first..<end).joined(by: result.segments)
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

    /// This list of a server that has begun to count anew: its segments lie behind those of the list before, with clocks of their own.
    public func beginning(behind previous: HLSSegmentList) -> HLSSegmentList {
        var result = self
        result.enter(era: previous.era + 1)
        result.segments.place(at: previous.segments.end)
        return result
    }

    private mutating func enter(era: Int64) {
        self.era = era
        segments.enter(era: era)
    }

    /// Whether the lists name other files under the numbers that both have. Tokens behind the file's name are not looked at.
    public func namesOthers(than previous: HLSSegmentList) -> Bool {
        let common = segments.numbers.clamped(to: previous.segments.numbers)
        return !common.isEmpty
            && common.allSatisfy { segments.segment($0)?.address.fileName != previous.segments.segment($0)?.address.fileName }
    }

    /// Whether a file of the list is in the one before, too.
    public func sharesFiles(with previous: HLSSegmentList) -> Bool {
        func names(_ list: SegmentList) -> Set<Substring> { Set(list.numbers.compactMap { list.segment($0)?.address.fileName }) }
        return !names(segments).isDisjoint(with: names(previous.segments))
    }

    /// Whether the list says nothing that the one before has not said.
    public func isUnchanged(since previous: HLSSegmentList) -> Bool {
        segments.numbers == previous.segments.numbers && isEnded == previous.isEnded && trailingParts == previous.trailingParts
    }
}
