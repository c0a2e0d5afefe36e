extension HLSSegmentList {
    /// This list with the segments that an update has left out (EXT-X-SKIP) put in from the list before, and with its place on the axis of
    /// that list. Throws `.updateMismatch` where the update cannot follow that list: then the whole playlist must be requested.
    public func following(_ previous: HLSSegmentList) throws(StreamFault) -> HLSSegmentList {
        var result = self
        let first = segments.numbers.lowerBound
        if let skip, skip.count > 0 {
            let known = previous.segments.numbers
            let (end, overflow) = first.addingReportingOverflow(skip.count)
            guard !overflow, known.lowerBound <= first, end <= known.upperBound else { throw StreamFault(.updateMismatch) }
            // The segments that were left out took their tags along: the init section, the key and the discontinuities count on.
            let kept = previous.segments.part(first..<end)
            let rest = SegmentList.Continuation(
                of: kept, in: segments, from: (segments.firstStretch ?? trailingStretch).continuity, withKey: !statesKey)
            result.segments.go(on: rest)
            result.trailingStretch.go(on: rest)
            result.segments = try kept.joined(by: result.segments)
            let gone = Set(skip.removedDateRanges), renewed = Set(dateRanges.map(\.id))
            result.dateRanges = previous.dateRanges.filter { !gone.contains($0.id) && !renewed.contains($0.id) } + dateRanges
            result.skip = nil
            result.era = previous.era
            return result
        }
        result.enter(era: previous.era)
        if let start = previous.segments.start(of: first) {
            result.segments.place(at: start)
        } else if first >= previous.segments.numbers.upperBound, let start = start(behind: previous) {
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

    /// The place of a list that has none of the former one's segments any more: by the moments that both say, else as if those between were as
    /// long as the former ones.
    private func start(behind previous: HLSSegmentList) -> Ticks? {
        let numbers = previous.segments.numbers, first = segments.numbers.lowerBound
        guard !numbers.isEmpty, let last = previous.segments.segment(numbers.upperBound - 1) else { return nil }
        if let then = last.wallClock, let now = segments.segment(first)?.wallClock, now > then {
            return last.start + Ticks(now - then, timescale: Ticks.nanoseconds)
        }
        let length = (last.end - previous.segments.start).rescaled(to: Ticks.nanoseconds).value / Int64(numbers.count)
        let (between, overflow) = length.multipliedReportingOverflow(by: first - numbers.upperBound)
        return overflow ? nil : last.end + Ticks(between, timescale: Ticks.nanoseconds)
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
        trailingStretch.continuity &+= era << 40
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

    /// Whether the list has nothing new against the one before.
    public func isUnchanged(since previous: HLSSegmentList) -> Bool {
        segments.numbers == previous.segments.numbers && isEnded == previous.isEnded && trailingParts == previous.trailingParts
    }
}
