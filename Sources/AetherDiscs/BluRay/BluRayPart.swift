public import AetherCore
import AetherFormats
import AetherSources

/// The bytes of a part of a title: of its clip what is needed to decode it, from the clock's beginning to behind its last frame. Packets of 192 bytes, each
/// with the four of its time behind and not before it: a byte there that looks like the beginning of a packet misled libavformat, which lost a key
/// frame by it.
public final class BluRayPart: IOReader {
    /// Its place among the title's parts.
    public let index: Int
    /// The times of its frames by its own clock, in ticks of 90 kHz.
    public let times: Range<Int64>
    /// Where it begins on the title's axis.
    public let begin: Int64
    private let clock: Int
    private let table: ClipTable
    private let runs: DiscRuns
    /// The bytes of the clip.
    private let range: Range<Int64>
    private let cursor = ReaderCursor()

    private static let wrap: Int64 = 1 << 33
    /// Bytes of the time before a packet.
    private static let timeSize: Int64 = 4
    /// Bytes that are encrypted together, but for their first packet's head.
    private static let unitSize = 32 * ClipTable.packetSize

    /// `over`: the reader of an image that it takes in the place of the disc's own, and who asks the server of a folder.
    init(
        _ disc: BluRay, _ item: BluRayPlaylist.Item, index: Int, angle: Int, begin: Int64,
        over reader: (any IOReader)?, _ server: DiscServer?
    ) throws(DiscError) {
        let clip = item.clips[min(angle, item.clips.count) - 1]
        guard let location = disc.folder.streams[clip.number] else { throw .disc(.missing("STREAM/\(clip.digits).m2ts")) }
        (self.index, times, self.begin, clock) = (index, item.times, begin, clip.clock)
        table = try disc.clipTable(clip.number, over: server)
        let own = try disc.folder.runs(location, over: server)
        runs = reader.flatMap { own.isShared ? DiscRuns($0, runs: own.runs) : nil } ?? own
        let packets = table.packets(for: item.times, clock: clip.clock), size = Int64(ClipTable.packetSize)
        let end = min(packets.end.map { Int64($0) * size } ?? .max, runs.byteCount)
        guard Int64(packets.first) * size + size <= end else { throw .disc(.damaged("video of clip \(clip.digits)")) }
        range = Int64(packets.first) * size + Self.timeSize..<end
        let unit: [UInt8]
        do throws(IOReaderError) {
            unit = try runs.bytes(at: range.lowerBound / Int64(Self.unitSize) * Int64(Self.unitSize), limit: Self.unitSize)
        } catch {
            throw .bytes(error)
        }
        if !Self.isClear(unit) { throw .disc(disc.isLocked ? .encrypted : .damaged("video of clip \(clip.digits)")) }
    }

    private init(_ other: BluRayPart, _ runs: DiscRuns) {
        (index, times, begin, clock, table) = (other.index, other.times, other.begin, other.clock, other.table)
        (self.runs, range) = (runs, other.range)
    }

    /// Whether most packets of a unit begin as those of a transport stream do.
    private static func isClear(_ unit: [UInt8]) -> Bool {
        let heads = Array(stride(from: 4, to: unit.count, by: ClipTable.packetSize)).dropFirst()
        return heads.count { unit[$0] == 0x47 } * 2 >= heads.count
    }

    /// The reader of the image that it shares with other parts; nil where its clip is a file of its own.
    var shared: (any IOReader)? { runs.isShared ? runs.reader : nil }

    /// The ticks that lead a time of the part's clock onto the title's axis, whatever the clock's beginning again has been taken for.
    public func shift(of time: Int64) -> Int64 {
        let (distance, isFar) = time.subtractingReportingOverflow(times.lowerBound), half = Self.wrap / 2
        guard !isFar else { return begin - times.lowerBound }
        let folded = ((distance % Self.wrap + half) % Self.wrap + Self.wrap) % Self.wrap - half
        return (begin + folded).subtractingReportingOverflow(time).partialValue
    }

    /// The byte from which on decoding leads to its first frame.
    public var entry: Int64 { offset(before: begin) }

    /// Where it ends on the title's axis.
    public var end: Int64 { begin + Int64(times.count) }

    /// The byte from which on decoding leads to a point of the axis.
    public func offset(before point: Int64) -> Int64 {
        let packet = table.packet(before: point - begin + times.lowerBound, clock: clock)
        let place = Int64(packet) * Int64(ClipTable.packetSize) + Self.timeSize - range.lowerBound
        return place < Int64(range.count) ? max(0, place) : 0
    }

    /// Reads the part's bytes. Blocks as the disc does. Throws its errors.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        try cursor.read(buffer) { offset throws(IOReaderError) in
            guard offset < Int64(range.count) else { return 0 }
            let room = Int(clamping: Int64(range.count) - offset)
            return try runs.read(at: range.lowerBound + offset, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room)))
        }
    }

    /// Moves the position, also behind the end.
    public func seek(to offset: Int64) throws(IOReaderError) { try cursor.move(to: offset) }
    /// The part's bytes.
    public var size: Int64? { Int64(range.count) }
    /// Always true.
    public var isSeekable: Bool { true }
    /// Those of what the disc lies on.
    public var traits: IOReaderTraits { runs.reader.traits }

    /// Lets reads throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() {
        cursor.cancel()
        runs.reader.cancel()
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() {
        cursor.resume()
        runs.reader.resume()
    }

    /// Lets go of the clip. Any thread.
    public func close() {
        cursor.close()
        // Other parts read from the same image.
        if !runs.isShared { runs.reader.close() }
    }

    /// A reader of the same part with a position of its own; nil where there is none of what is below.
    public func makeIndependentReader() -> (any IOReader)? { independent() }

    func independent() -> BluRayPart? { runs.independent().map { BluRayPart(self, $0) } }
}
