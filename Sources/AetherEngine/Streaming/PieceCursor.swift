import AetherFormats

/// The order in which the pieces of a run are opened: its init section, then its segments, of which one that is being made comes in parts.
struct PieceCursor {
    let run: SegmentRun
    /// Segments that are being made are read in parts.
    private let takesParts: Bool
    private var isMapDue: Bool
    /// The segment that is read, or was read last; nil before the first.
    private(set) var number: Int64?
    /// The segment that is read, where it is still being made.
    private(set) var parted: PartProgress?
    /// Bytes of its parts that were read.
    private var partBytes: Int64 = 0
    /// The last segment that came in parts.
    private var grown: Segment?
    /// The piece that was opened last.
    private(set) var piece: SegmentPiece?
    /// That one is opened once more.
    private var isAskedAgain = false
    /// Nothing follows the segment that is read.
    private(set) var endsAfterSegment = false

    init(_ run: SegmentRun, takesParts: Bool) {
        (self.run, self.takesParts) = (run, takesParts)
        isMapDue = run.first.map != nil
    }

    /// The step that comes next.
    enum Step {
        case open(SegmentPiece)
        /// The next part has to be waited for.
        case grow(PartProgress)
        case end
    }

    /// Decides it, behind a piece that was read to its end. What fails from then on is the piece that it names.
    mutating func next() -> Step {
        if isAskedAgain, let piece {
            isAskedAgain = false
            return .open(piece)
        }
        if isMapDue, let map = run.first.map {
            isMapDue = false
            return .open(SegmentPiece(map, before: run.first))
        }
        if let progress = parted {
            if let piece = parted?.takeNext() { return .open(piece) }
            if progress.isGrowing { return .grow(progress) }
            parted = nil
            if progress.isForgotten, let rest = SegmentPiece(progress.segment, behind: partBytes) { return .open(rest) }
        }
        if endsAfterSegment, number != nil { return .end }
        guard let next = number.map({ run.segment(after: $0) }) ?? run.first else { return .end }
        number = next.number
        guard takesParts, var progress = PartProgress(next), let first = progress.takeNext() else {
            return .open(SegmentPiece(next))
        }
        (parted, partBytes, grown) = (progress, 0, next)
        return .open(first)
    }

    /// A piece was opened.
    mutating func note(opened piece: SegmentPiece) { self.piece = piece }

    /// A part was read to its end.
    mutating func note(partBytes count: Int64) { partBytes += count }

    /// The segment that is being made, as it is by now; nil: its server does not know it any more.
    mutating func grow(to segment: Segment?) {
        if let segment { parted?.grow(to: segment) } else { parted = nil }
        grown = segment ?? grown
    }

    /// The piece that was opened last is the next one, too.
    mutating func askAgain() { isAskedAgain = true }

    /// The bytes end behind the segment that is read.
    mutating func endAfterSegment() { endsAfterSegment = true }

    /// The first segment is the next one, as if none was read.
    mutating func restart() { number = nil }

    /// The segment that is read, by what is known of it now.
    var segment: Segment? {
        guard let number else { return nil }
        return grown?.number == number ? grown : run.segment(number)
    }

    /// The end of a segment of the run, by what is known of it now.
    func end(of number: Int64) -> Ticks { grown?.number == number ? grown?.end ?? run.end(of: number) : run.end(of: number) }

    /// The segment that was read in parts, once there are no more of them.
    var wholeOfParts: Segment? { parted.flatMap { $0.isWhole ? $0.segment : nil } }

    /// The segment that is asked for while another one is read; nil where it lies in the same file, or is still being made.
    func segmentAhead(of file: StreamAddress?) -> Segment? {
        guard !endsAfterSegment, let number, let next = run.segment(after: number), !next.isOpen, next.address != file,
            next.range == nil
        else { return nil }
        return next
    }
}
