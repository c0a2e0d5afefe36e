import AetherFormats

/// A segment that is read in parts, as far as it is known, and how far it was read. Pure.
struct PartProgress {
    private(set) var segment: Segment
    /// The parts that were taken.
    private(set) var count = 0

    /// A segment of which nothing was read; nil for one that is whole.
    init?(_ segment: Segment) {
        guard segment.isOpen else { return nil }
        self.segment = segment
    }

    /// The next part that is there; nil where the known ones are all taken. Parts that are said to be missing are passed by.
    mutating func takeNext() -> SegmentPiece? {
        while count < segment.parts.count {
            count += 1
            let part = segment.parts[count - 1]
            if !part.isGap { return SegmentPiece(part, of: segment) }
        }
        return nil
    }

    /// The next part without taking it.
    var next: SegmentPiece? {
        var copy = self
        return copy.takeNext()
    }

    /// Further parts will come.
    var isGrowing: Bool { segment.isOpen }

    /// All parts of the segment were taken, and none of them is missing.
    var isWhole: Bool { !isGrowing && !isForgotten && count == segment.parts.count && !segment.parts.contains(where: \.isGap) }

    /// The segment as it is by now. One whose parts are not listed any more is taken from its file: behind the bytes that were read.
    mutating func grow(to now: Segment) { segment = now }

    /// The segment is whole, and its parts are not told any more.
    var isForgotten: Bool { !segment.isOpen && segment.parts.count < count }
}
