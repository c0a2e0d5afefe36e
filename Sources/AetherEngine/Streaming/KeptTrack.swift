import AetherCore
import AetherFormats

/// The kept segments of one of the sources that are read together.
struct KeptTrack: Sendable {
    let segments: KeptSegments
    /// The source's number.
    let source: Int

    /// The bytes of a segment that is kept; nil for others.
    func reader(of segment: Segment, in rendition: Rendition.ID) -> (any IOReader)? {
        segments.reader(of: segment, in: rendition, source: source)
    }

    /// Whether a segment is kept.
    func holds(_ segment: Segment, in rendition: Rendition.ID) -> Bool { segments.holds(segment, in: rendition, source: source) }

    /// The segments from a place on that the server's list has no more; nil where that has it, or where nothing is kept before it.
    func run(from place: SegmentPlace, before list: any SegmentIndex, in rendition: Rendition.ID) -> SegmentRun? {
        segments.run(from: place, before: list, in: rendition, source: source)
    }

    /// Keeps the bytes of a segment as the server gave them.
    func keep(_ bytes: [UInt8], _ segment: Segment, of rendition: Rendition.ID) {
        segments.keep(bytes, segment, of: rendition, source: source)
    }

    /// A kept segment could not be read: it is not offered again.
    func drop(_ segment: Segment, of rendition: Rendition.ID) { segments.drop(segment, of: rendition, source: source) }
}
