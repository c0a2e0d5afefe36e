import AetherCore

/// A request for a playlist that the server holds back until it says more (delivery directives of RFC 8216bis, 6.2.5).
public struct BlockingReload: Sendable, Equatable {
    /// The segment that the answer must have, and the part of it; nil part: the whole segment.
    public let number: Int64, part: Int64?
    /// The answer may leave out segments that are known already.
    public let skips: Bool

    /// A request.
    public init(number: Int64, part: Int64?, skips: Bool = false) {
        (self.number, self.part, self.skips) = (number, part, skips)
    }

    /// The address of a playlist with the directives, in the order of their names as the specification asks; nil where it would be too long.
    public func address(_ playlist: StreamAddress) -> StreamAddress? {
        var words = ["_HLS_msn=\(number)"]
        if let part { words.append("_HLS_part=\(part)") }
        if skips { words.append("_HLS_skip=YES") }
        return playlist.adding(query: words.joined(separator: "&"))
    }
}

extension HLSSegmentList {
    /// The request for the update that follows this list; nil where the server holds no answers back. `isRecent`: the list was read so
    /// shortly before that an answer may leave out its segments. `withParts`: for the next part, else for the next whole segment.
    public func reload(isRecent: Bool = false, withParts: Bool = true) -> BlockingReload? {
        guard serverControl.canBlockReload, !isEnded else { return nil }
        let part = withParts && partTarget != nil ? Int64(trailingParts.count) : nil
        return BlockingReload(number: segments.numbers.upperBound, part: part, skips: isRecent && serverControl.skipUntil != nil)
    }

    /// The first request for another rendition's playlist, by the report of this one: so that no old copy of a cache is taken. nil where
    /// this list has no report on it.
    public func reload(of address: StreamAddress) -> BlockingReload? {
        guard serverControl.canBlockReload,
            let report = renditionReports.first(where: { $0.address == address }), let number = report.lastNumber
        else { return nil }
        return BlockingReload(number: number, part: report.lastPart)
    }

    /// The segment that is being made, by its parts so far; nil without parts.
    public var openSegment: Segment? {
        guard !isEnded, let first = trailingParts.first else { return nil }
        var length: Int64 = 0
        for part in trailingParts {
            let (sum, overflow) = length.addingReportingOverflow(part.duration)
            guard !overflow else { return nil }
            length = sum
        }
        let stretch = trailingStretch
        var segment = Segment(
            number: segments.numbers.upperBound, continuity: stretch.continuity, start: segments.end,
            duration: Ticks(length, timescale: segments.timescale), address: first.address)
        segment.range = first.range
        segment.map = stretch.map
        segment.encryption = stretch.encryption
        segment.parts = trailingParts
        segment.wallClock =
            trailingClock
            ?? segments.segment(segments.numbers.upperBound - 1).flatMap { last in
                last.wallClock.map { $0.addingReportingOverflow(last.duration.span.nanoseconds).partialValue }
            }
        segment.isOpen = true
        return segment
    }
}

/// The segments of a list, and behind them the one that is being made.
public struct PartedSegments: SegmentIndex {
    private let whole: SegmentList
    private let open: Segment?

    /// The segments that a list has by now.
    public init(_ list: HLSSegmentList) { (whole, open) = (list.segments, list.openSegment) }

    /// The numbers of the segments.
    public var numbers: Range<Int64> { whole.numbers.lowerBound..<whole.numbers.upperBound + (open == nil ? 0 : 1) }

    /// A segment; nil for a number that is not there.
    public func segment(_ number: Int64) -> Segment? { number == open?.number ? open : whole.segment(number) }

    /// The number of the segment that covers a time.
    public func number(at time: Ticks) -> Int64? {
        if let open, time >= open.start { return open.number }
        return whole.number(at: time)
    }

    /// The start of the first segment.
    public var start: Ticks { whole.start }

    /// The end of the last part.
    public var end: Ticks { open?.end ?? whole.end }
}
