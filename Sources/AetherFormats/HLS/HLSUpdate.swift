extension HLSSegmentList {
    /// A list of another rendition of the same broadcast, and how long ago it was read.
    public struct Neighbour: Sendable {
        let list: HLSSegmentList
        let age: Ticks

        /// `age`: the time since it was read; zero for one that has ended.
        public init(_ list: HLSSegmentList, age: Ticks) { (self.list, self.age) = (list, age) }
    }

    /// This list with the segments that an update has left out (EXT-X-SKIP) put in from the list before, and with its place on the axis of
    /// that list. `neighbour` tells the place where it has none of that list's segments any more. Throws `.updateMismatch` where the update cannot
    /// follow that list: then the whole playlist must be requested.
    public func following(_ previous: HLSSegmentList, beside neighbour: Neighbour? = nil) throws(StreamFault) -> HLSSegmentList {
        var result = self
        let first = segments.numbers.lowerBound, known = previous.segments.numbers
        if let skip, skip.count > 0 {
            let (end, overflow) = first.addingReportingOverflow(skip.count)
            guard !overflow, known.lowerBound <= first, end <= known.upperBound else { throw StreamFault(.updateMismatch) }
            // The segments that were left out took their tags along: the init section, the key and the discontinuities count on.
            let kept = previous.segments.part(first..<end)
            let rest = SegmentList.Continuation(
                of: kept, in: segments, from: (segments.firstStretch ?? trailingStretch).continuity)
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
        } else if first >= known.upperBound, let start = start(behind: previous, beside: neighbour) {
            result.segments.place(at: start)
        } else if first < known.lowerBound, segments.numbers.overlaps(known) {
            // A list that has got longer at its front, as that of another server: the axis begins with what was known first.
            result.segments = segments.part(known.lowerBound..<segments.numbers.upperBound)
            result.segments.place(at: previous.segments.start)
            result.segments.enter(era: previous.era)
        }
        // A server that counts anew when it writes the end: what was there goes on being true.
        if isEnded, first < known.lowerBound, segments.count <= previous.segments.count {
            var ended = previous
            ended.isEnded = true
            ended.kind = .vod
            return ended
        }
        return result
    }

    /// Its axis does not begin with its first segment.
    public var hasSlid: Bool { segments.start != Ticks(0, timescale: Ticks.nanoseconds) || era != 0 }

    /// This list, of which none was read before, at its place on the axis of a neighbour; where nothing tells it, so that both end together by now.
    public func placed(beside neighbour: Neighbour) -> HLSSegmentList {
        placed(at: start(beside: neighbour) ?? latest(beside: neighbour) - duration, era: neighbour.list.era)
    }

    /// This list of another server, which counts its segments otherwise: it ends where the former one would by now, leaves no hole behind it, and has
    /// clocks of its own.
    public func takingOver(from former: Neighbour) -> HLSSegmentList {
        placed(at: min(latest(beside: former) - duration, former.list.segments.end), era: former.list.era + 1)
    }

    private func placed(at start: Ticks, era: Int64) -> HLSSegmentList {
        var result = self
        result.enter(era: era)
        result.segments.place(at: start)
        // The axis begins with the first segment that was known of the broadcast.
        let zero = Ticks(0, timescale: Ticks.nanoseconds), numbers = segments.numbers
        let first = numbers.first { number in result.segments.start(of: number).map { $0 >= zero } ?? true }
        if let first, first > numbers.lowerBound { result.segments = result.segments.part(first..<numbers.upperBound) }
        return result
    }

    /// Where a broadcast may have got to by now. It may have stood still since its list was read, or ended.
    private func latest(beside neighbour: Neighbour) -> Ticks {
        isEnded ? neighbour.list.segments.end : neighbour.list.segments.end + neighbour.age
    }

    /// The place beside another list: by the moments that both say, else by the numbers that both have; nil where neither tells. They are believed
    /// where the ends then lie within three segments: other renditions may count from elsewhere.
    private func start(beside neighbour: Neighbour) -> Ticks? {
        let other = neighbour.list, length = segments.end - segments.start
        let earliest = other.segments.end, latest = latest(beside: neighbour)
        func isSound(_ start: Ticks, _ target: Int64) -> Bool {
            let tolerance = Ticks(3 * min(target, 3600 * Ticks.nanoseconds), timescale: Ticks.nanoseconds), end = start + length
            return end <= latest + tolerance && earliest <= end + tolerance
        }
        let dated = segments.numbers.lazy.compactMap { segments.segment($0) }.first { $0.wallClock != nil }
        if let dated, let moment = dated.wallClock, let place = other.time(ofWallClock: moment) {
            let start = place - (dated.start - segments.start)
            if isSound(start, max(targetDuration, other.targetDuration)) { return start }
        }
        let common = segments.numbers.clamped(to: other.segments.numbers)
        if !common.isEmpty, let own = segments.start(of: common.lowerBound),
            let place = other.segments.start(of: common.lowerBound)
        {
            let start = place - (own - segments.start)
            if isSound(start, min(targetDuration, other.targetDuration)) { return start }
        }
        return nil
    }

    /// The place of a list that has none of the former one's segments any more: by the moments that both say, else beside a neighbour, else as if
    /// those between were as long as the former ones.
    private func start(behind previous: HLSSegmentList, beside neighbour: Neighbour?) -> Ticks? {
        let numbers = previous.segments.numbers, first = segments.numbers.lowerBound
        guard !numbers.isEmpty, let last = previous.segments.segment(numbers.upperBound - 1) else { return nil }
        if let then = last.wallClock, let now = segments.segment(first)?.wallClock, now > then {
            return last.start + Ticks(now - then, timescale: Ticks.nanoseconds)
        }
        if let start = neighbour.flatMap({ start(beside: $0) }) { return max(last.end, start) }
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
