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
    /// The passage of the disc's menus that it is; nil for a title that is played without them.
    public let passage: HDMVPassage?
    private let lead: BluRayPart
    /// Who asks the server of a folder, and breaks that off; nil: the disc lies on none.
    private let server: DiscServer?

    init(_ disc: BluRay, _ title: BluRayTitle, angle: Int, passage: HDMVPassage? = nil) throws(DiscError) {
        (self.disc, self.title, self.angle, self.passage) = (disc, title, max(1, angle), passage)
        let items = title.playlist.items
        borders = title.playlist.starts + [title.playlist.duration]
        longest = items.indices.reduce(0) { items[$0].times.count >= items[$1].times.count ? $0 : $1 }
        server = disc.folder.server?.independent()
        lead = try BluRayPart(
            disc, items[longest], index: longest, angle: self.angle, begin: borders[longest], over: nil, disc.folder.server)
    }

    private init(_ other: BluRayReader, _ lead: BluRayPart) {
        (disc, title, angle, borders, longest) = (other.disc, other.title, other.angle, other.borders, other.longest)
        (passage, self.lead, server) = (other.passage, lead, other.disc.folder.server?.independent())
    }

    /// The index of the part that a point of the axis lies in.
    public func part(at point: Int64) -> Int {
        min(max(0, borders.lastIndex { $0 <= point } ?? 0), title.playlist.items.count - 1)
    }

    /// A reader of a part's bytes, at its start. Blocks.
    public func part(_ index: Int) throws(DiscError) -> BluRayPart {
        try BluRayPart(
            disc, title.playlist.items[index], index: index, angle: angle, begin: borders[index], over: lead.shared, server)
    }

    /// The interactive graphics of its first part by their number, from 1; where there is none of it, the first. nil where there are none at all. Blocks:
    /// they lie at the beginning of the clip, or in one of their own.
    public func graphics(_ number: Int) throws(DiscError) -> InteractiveDisplay? {
        let playlist = title.playlist, first = playlist.items[0]
        let streams = playlist.graphics
        guard let stream = streams.indices.contains(number - 1) ? streams[number - 1] : streams.first else { return nil }
        let clip: BluRayClipName, packet: Int
        if let path = stream.path {
            guard let companion = playlist.companions[path] else { return nil }
            (clip, packet) = (companion.clip, 0)
        } else {
            clip = first.clips[min(angle, first.clips.count) - 1]
            packet = try disc.clipTable(clip.number, over: server).packets(for: first.times, clock: clip.clock).first
        }
        guard let location = disc.folder.streams[clip.number] else { throw .disc(.missing("STREAM/\(clip.digits).m2ts")) }
        let own = try disc.folder.runs(location, over: server)
        let runs = lead.shared.flatMap { own.isShared ? DiscRuns($0, runs: own.runs) : nil } ?? own
        defer { if !runs.isShared { runs.reader.close() } }
        do throws(IOReaderError) {
            return try Self.graphics(in: runs, from: Int64(packet) * Int64(ClipTable.packetSize), pid: stream.pid)
        } catch {
            throw .bytes(error)
        }
    }

    /// A decoder's buffers are full after some seconds: 24 MB are four of them at the highest rate of a disc.
    private static let graphicsLimit: Int64 = 24 << 20

    private static func graphics(in runs: DiscRuns, from start: Int64, pid: Int) throws(IOReaderError) -> InteractiveDisplay? {
        var stream = InteractiveStream(pid: pid), place = start
        let size = 4096 * ClipTable.packetSize
        while place < start + graphicsLimit {
            let bytes = try runs.bytes(at: place, limit: size)
            if stream.take(bytes) || bytes.count < size { break }
            place += Int64(size)
        }
        return stream.display
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
    public func cancel() {
        lead.cancel()
        server?.cancel()
    }
    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() {
        lead.resume()
        server?.resume()
    }

    /// Lets go of the disc. Any thread.
    public func close() {
        lead.close()
        lead.shared?.close()
    }

    /// A reader of the same title with positions of its own, at the start; nil where there is none of what is below.
    public func makeIndependentReader() -> (any IOReader)? { lead.independent().map { BluRayReader(self, $0) } }
}
