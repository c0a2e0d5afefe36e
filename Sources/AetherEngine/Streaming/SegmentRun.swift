import AetherCore
import AetherFormats

/// Segments of a rendition that one demuxer reads: of one continuity and period, with one init section, none of them missing. A whole file is
/// a run of its own.
struct SegmentRun: Sendable {
    /// The properties that the demuxer and the decoders see: runs that agree in these go on in the same formats.
    struct Form: Hashable {
        let rendition: Rendition.ID
        let continuity: Int64
        let map: InitSection?
    }
    let rendition: Rendition.ID
    /// All segments of the rendition.
    private let segments: any SegmentIndex
    /// The segment that the run begins with.
    let first: Segment
    /// The run ends behind its first segment.
    let isSingle: Bool
    /// Its segments are read from this machine: the server's list has them no more.
    let isKept: Bool
    /// Its segments are of a container that has no use for the init section which the playlist names for them.
    let isBare: Bool
    /// That section; of a run that is not bare the one that is read before the first segment.
    private let map: InitSection?

    /// The run that begins with a segment; nil where there is none. Segments that are missing are passed by.
    init?(
        _ rendition: Rendition.ID, _ segments: any SegmentIndex, from number: Int64, isSingle: Bool = false, isKept: Bool = false,
        isBare: Bool = false
    ) {
        var number = max(number, segments.numbers.lowerBound)
        while let segment = segments.segment(number), segment.isGap { number += 1 }
        guard let first = segments.segment(number) else { return nil }
        (self.rendition, self.segments, self.isSingle, self.isKept) = (rendition, segments, isSingle, isKept)
        (self.first, self.isBare, map) = (isBare ? first.bare : first, isBare, first.map)
    }

    /// The same from a segment on, without its init section; nil where it has none, or another one.
    func bare(from number: Int64) -> SegmentRun? {
        guard map != nil, !isBare, segments.segment(number)?.map == map, !isSingle || number == first.number else { return nil }
        return SegmentRun(rendition, segments, from: number, isSingle: isSingle, isKept: isKept, isBare: true)
    }

    /// A segment of the rendition; nil where it is not there any more.
    func segment(_ number: Int64) -> Segment? { isBare ? segments.segment(number)?.bare : segments.segment(number) }

    /// The segment behind another one of the run; nil at the end of the run.
    func segment(after number: Int64) -> Segment? {
        guard !isSingle, !first.isWholeFile, let next = segments.segment(number + 1), next.continuity == first.continuity,
            next.map == map, next.bounds == first.bounds, !next.isGap, Self.sampleKey(next) == Self.sampleKey(first),
            !hasOwnVector
        else { return nil }
        return isBare ? next.bare : next
    }

    /// The start of a segment of the rendition; of the first one where that is not there any more.
    func start(of number: Int64) -> Ticks { segments.segment(number)?.start ?? first.start }

    /// The end of a segment of the rendition; of the first one where that is not there any more.
    func end(of number: Int64) -> Ticks { segments.segment(number)?.end ?? first.end }

    /// The key of single samples, which is the demuxer's and not the reader's.
    private static func sampleKey(_ segment: Segment) -> SegmentEncryption? {
        if case .samples = segment.encryption { return segment.encryption }
        return nil
    }

    /// Each segment's frames are encrypted with a vector of its own, its number.
    private var hasOwnVector: Bool {
        if case .samples(_, nil, _) = first.encryption { return first.map == nil }
        return false
    }

    var form: Form { Form(rendition: rendition, continuity: first.continuity, map: first.map) }
}
