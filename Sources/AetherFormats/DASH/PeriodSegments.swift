import AetherCore

/// Where a period puts the media of a representation.
struct PeriodPlace: Sendable, Equatable {
    /// Of the media, ticks a second; positive.
    var timescale: Int64
    /// The media's time that lies at the period's start, in ticks of the media.
    var offset: Int64
    /// On the presentation's axis.
    var start: Ticks
    /// nil where it is not known.
    var end: Ticks?
    /// Frames play to there; nil: to the end. Nothing follows the last period, whose end is rounded: ffmpeg writes tenths of seconds, cut off.
    var limit: Ticks?
    /// Of its segments.
    var continuity: Int64
    /// Brings the media's time to the presentation's axis.
    var mediaOffset: Ticks
    /// The moment of the axis' zero in nanoseconds since 1970; nil where that is not known.
    var wallZero: Int64?

    /// A time of the media on the presentation's axis.
    func time(_ media: Int64) -> Ticks {
        let (passed, overflow) = media.subtractingReportingOverflow(offset)
        return start + Ticks(overflow ? (media < 0 ? .min : .max) : passed, timescale: timescale)
    }

    /// The whole ticks of the media that have passed at a time of the presentation.
    func media(_ time: Ticks) -> Int64 {
        Int64(clamping: Int128((time - start).rescaledDown(to: timescale)) + Int128(offset))
    }
}

/// The segments of one representation in one period: arithmetic over what the manifest says.
struct PeriodSegments: SegmentIndex, Equatable {
    /// How the address of a segment is found.
    enum Media: Sendable, Equatable {
        case template(AddressTemplate)
        case list(SegmentURLs)
        /// Parts of one file.
        case parts([ByteRange])
        /// One file, as it is.
        case whole
    }

    var place: PeriodPlace
    var times: SegmentTimes
    var media: Media
    /// The bases that addresses are relative to: at least one.
    var bases: [StreamAddress]
    /// The init section as it is written; nil for none.
    var map: InitReference?
    var encryption: SegmentEncryption?
    /// The number of the place 0.
    var firstNumber: Int64
    /// The places that there are, and of a broadcast those that there will be.
    var full: Range<Int64>
    /// The places that are there now.
    var window: Range<Int64>
    /// How much earlier than whole a segment may be asked for; nil: all that are listed are there.
    var earliness: Ticks?
    /// The index that has to be read before its segments are known.
    var unread: MediaIndexSearch?
    /// The first segment begins anew.
    var isDiscontinuity = false
    /// The representation's id, as the period writes it.
    var written = ""

    var numbers: Range<Int64> {
        firstNumber.saturatingAdd(window.lowerBound)..<max(firstNumber, firstNumber.saturatingAdd(window.upperBound))
    }

    var start: Ticks { window.isEmpty ? place.start : inside(place.time(times.start(window.lowerBound))) }

    var end: Ticks { window.isEmpty ? place.start : inside(place.time(times.end(window.upperBound - 1))) }

    func segment(_ number: Int64) -> Segment? { segment(number, address: 0) }

    func segment(_ number: Int64, address: Int) -> Segment? {
        let at = number - firstNumber
        guard numbers.contains(number), bases.indices.contains(address), let (written, range) = reference(at),
            let found = bases[address].resolved(written)
        else { return nil }
        let start = inside(place.time(times.start(at))), end = inside(place.time(times.end(at)))
        var segment = Segment(
            number: number, continuity: place.continuity, start: start, duration: max(.zero, end - start), address: found)
        segment.range = range
        segment.isWholeFile = isWholeFile
        segment.map = isWholeFile ? nil : map?.section(bases[address])
        segment.encryption = encryption
        segment.mediaOffset = place.mediaOffset
        segment.bounds = SegmentBounds(start: place.start, end: place.limit ?? place.end)
        segment.wallClock = place.wallZero.map { $0.saturatingAdd(start.span.nanoseconds) }
        segment.isDiscontinuity = isDiscontinuity && at == window.lowerBound
        return segment
    }

    /// One file from its first byte on: its header is not read twice.
    private var isWholeFile: Bool {
        if case .whole = media { map?.text.isEmpty ?? true } else { false }
    }

    func number(at time: Ticks) -> Int64? {
        guard !window.isEmpty else { return nil }
        let found = times.place(endingAfter: place.media(time))
        return firstNumber + min(max(found, window.lowerBound), window.upperBound - 1)
    }

    /// No segment begins before the period does.
    var beginsAtItsStart: Bool {
        full.isEmpty || place.time(times.start(full.lowerBound)) + Ticks(1, timescale: 1000) >= place.start
    }

    /// Kept inside of the period.
    private func inside(_ time: Ticks) -> Ticks {
        let time = max(time, place.start)
        return place.end.map { min(time, $0) } ?? time
    }

    /// The last one that is written down, and not only counted, may begin where the rounded end is: it belongs to the period. ffmpeg writes the
    /// length of the media for the period's, without the time before its first frame.
    private mutating func stretch() {
        if case .template = media, case .uniform = times { return }
        guard var limit = place.limit, let end = place.end, times.count > 0 else { return }
        let first = place.time(times.start(0)) - place.start
        if first > .zero, first < Ticks(1, timescale: 1) { limit = limit + first }
        place.limit = limit
        let last = place.time(times.start(times.count - 1))
        if last >= end, last < limit { place.end = min(limit, place.time(times.end(times.count - 1))) }
    }

    private func reference(_ at: Int64) -> (written: String, range: ByteRange?)? {
        switch media {
        case .template(let template):
            var values = AddressTemplate.Values(number: firstNumber + at, time: times.start(at), subNumber: 1)
            if case .runs(let runs) = times {
                let found = runs[at]
                values = .init(
                    number: firstNumber.saturatingAdd(found.sequence), time: found.sequenceTime, subNumber: found.sub + 1)
            }
            return (template.text(values), nil)
        case .list(let list): return list[Int(at)]
        case .parts(let ranges): return ("", ranges[Int(at)])
        case .whole: return ("", nil)
        }
    }

    /// Leaves out what lies wholly outside of the period.
    mutating func clip() {
        var upper = times.count
        let lower = min(upper, times.place(endingAfter: place.offset))
        stretch()
        if let end = place.end {
            let last = place.media(end)
            let found = times.place(endingAfter: last)
            // The segment that covers the end's tick may begin at it.
            upper = min(upper, found < times.count && times.start(found) < last ? found + 1 : found)
        }
        full = full.clamped(to: lower..<max(lower, upper))
        window = full
    }

    /// Shows what is there at a time of a broadcast: segments that are whole, or nearly so by `earliness`, and do not end before
    /// `oldest`.
    mutating func show(at now: Ticks, from oldest: Ticks?) {
        let upper = earliness.map { times.place(endingAfter: place.media(now + $0)) } ?? full.upperBound
        let lower = oldest.map { times.place(endingAfter: place.media($0)) } ?? 0
        window = full.clamped(to: min(lower, upper)..<upper)
    }
}

/// An init section as it is written.
struct InitReference: Sendable, Equatable {
    let text: String
    let range: ByteRange?

    func section(_ base: StreamAddress) -> InitSection? { base.resolved(text).map { InitSection(address: $0, range: range) } }
}

/// The entries of a SegmentList: places in the document's bytes.
struct SegmentURLs: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let media: Range<Int>?
        let range: ByteRange?
    }

    let bytes: [UInt8]
    let entries: [Entry]

    subscript(_ place: Int) -> (written: String, range: ByteRange?)? {
        guard entries.indices.contains(place) else { return nil }
        let entry = entries[place]
        let written = entry.media.map { XMLScanner.resolved(bytes[XMLTree.trimmed($0, bytes)]) }
        return (written ?? "", entry.range)
    }
}

extension Int64 {
    /// The sum, at the end of the range where it is beyond.
    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
