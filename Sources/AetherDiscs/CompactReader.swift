public import AetherCore
public import AetherFormats
import AetherSources

/// The bytes of one title of a compact disc: of video the program stream, sector by sector behind one another; of audio a WAVE file with the samples
/// of all tracks.
public final class CompactReader: IOReader {
    /// The disc.
    public let disc: CompactDisc
    /// The title.
    public let title: CompactTitle
    /// The header before the samples; empty for video.
    let header: [UInt8]
    private let data: SectorData

    private let cursor = ReaderCursor()

    init(_ disc: CompactDisc, _ title: CompactTitle) {
        (self.disc, self.title) = (disc, title)
        data = SectorData(title.runs, files: disc.files)
        header = title.isAudio ? WaveHeader.bytes(title: title.name, performer: disc.performer, count: data.count) : []
    }

    private init(_ other: CompactReader, _ data: SectorData) {
        (disc, title, header, self.data) = (other.disc, other.title, other.header, data)
    }

    /// Reads the title's bytes. Blocks as the image's file does. Throws its errors.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        try cursor.read(buffer, leading: header) { offset throws(IOReaderError) in try data.read(at: offset, buffer) }
    }

    /// Moves the position, also behind the end.
    public func seek(to offset: Int64) throws(IOReaderError) { try cursor.move(to: offset) }

    /// Sectors that a drive could not read so far: they are silent. 0 of an image.
    public var lostSectors: Int { data.files.reduce(0) { $0 + (($1.reader as? DriveReader)?.lostSectors ?? 0) } }

    /// The header's and the title's bytes.
    public var size: Int64? { Int64(header.count) + data.count }
    /// Always true.
    public var isSeekable: Bool { true }
    /// Those of the image.
    public var traits: IOReaderTraits { data.files.first?.reader.traits ?? .file }

    /// Lets reads throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() {
        cursor.cancel()
        for file in data.files { file.reader.cancel() }
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() {
        cursor.resume()
        for file in data.files { file.reader.resume() }
    }

    /// Lets go of the image. Any thread.
    public func close() {
        cursor.close()
        for file in data.files { file.reader.close() }
    }

    /// A reader of the same title with a position of its own, at the start; nil where there is none of the image.
    public func makeIndependentReader() -> (any IOReader)? {
        data.independent().map { CompactReader(self, $0) }
    }
}
