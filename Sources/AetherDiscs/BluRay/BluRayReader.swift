public import AetherCore
public import AetherFormats

/// A title of a Blu-ray disc. Its parts are transport streams of their own, each with its clock; as a reader it gives the bytes of the longest part,
/// by which the title's streams are known. Reads and `part` are of one thread at a time.
public final class BluRayReader: IOReader {
    /// The disc.
    public let disc: BluRay
    /// The title.
    public let title: BluRayTitle
    /// The angle that is shown where there are several, from 1.
    public let angle: Int
    /// Where each part begins on the title's axis, and where the last one ends: ticks of 90 kHz from zero.
    public let borders: [Int64]
    /// The index of the longest part.
    public let longest: Int
    private let lead: BluRayPart

    init(_ disc: BluRay, _ title: BluRayTitle, angle: Int) throws(DiscError) {
        (self.disc, self.title, self.angle) = (disc, title, max(1, angle))
        let items = title.playlist.items
        borders = title.playlist.starts + [title.playlist.duration]
        longest = items.indices.reduce(0) { items[$0].times.count >= items[$1].times.count ? $0 : $1 }
        lead = try BluRayPart(disc, items[longest], index: longest, angle: self.angle, begin: borders[longest], over: nil)
    }

    private init(_ other: BluRayReader, _ lead: BluRayPart) {
        (disc, title, angle, borders, longest) = (other.disc, other.title, other.angle, other.borders, other.longest)
        self.lead = lead
    }

    /// The index of the part that a point of the axis lies in.
    public func part(at point: Int64) -> Int {
        min(max(0, borders.lastIndex { $0 <= point } ?? 0), title.playlist.items.count - 1)
    }

    /// A reader of a part's bytes, at its start. Blocks.
    public func part(_ index: Int) throws(DiscError) -> BluRayPart {
        try BluRayPart(
            disc, title.playlist.items[index], index: index, angle: angle, begin: borders[index], over: lead.shared)
    }

    /// Reads the longest part's bytes. Blocks as the disc does. Throws its errors.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int { try lead.read(buffer) }
    /// Moves the position, also behind the end.
    public func seek(to offset: Int64) throws(IOReaderError) { try lead.seek(to: offset) }
    /// The longest part's bytes.
    public var size: Int64? { lead.size }
    /// Always true.
    public var isSeekable: Bool { true }
    /// Those of what the disc lies on.
    public var traits: IOReaderTraits { lead.traits }
    /// Lets reads throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() { lead.cancel() }
    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() { lead.resume() }

    /// Lets go of the disc. Any thread.
    public func close() {
        lead.close()
        lead.shared?.close()
    }

    /// A reader of the same title with positions of its own, at the start; nil where there is none of what is below.
    public func makeIndependentReader() -> (any IOReader)? { lead.independent().map { BluRayReader(self, $0) } }
}
