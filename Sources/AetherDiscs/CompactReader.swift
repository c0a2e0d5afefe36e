public import AetherCore
public import AetherFormats
import Glibc
import Synchronization

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

    private struct State {
        var position: Int64 = 0
        var isClosed = false
    }
    private let state = Mutex(State())
    private let isCancelled = Atomic(false)

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
        if isCancelled.load(ordering: .acquiring) { throw .cancelled }
        let (position, isClosed) = state.withLock { ($0.position, $0.isClosed) }
        if isClosed { throw .closed }
        guard !buffer.isEmpty else { return 0 }
        let count: Int
        if position < header.count {
            count = min(buffer.count, header.count - Int(position))
            buffer.copyBytes(from: header[Int(position)..<Int(position) + count])
        } else {
            count = try data.read(at: position - Int64(header.count), buffer)
        }
        state.withLock { $0.position = position + Int64(count) }
        return count
    }

    /// Moves the position, also behind the end.
    public func seek(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(EINVAL) }
        let isClosed = state.withLock { state -> Bool in
            state.position = offset
            return state.isClosed
        }
        if isClosed { throw .closed }
    }

    /// The header's and the title's bytes.
    public var size: Int64? { Int64(header.count) + data.count }
    /// Always true.
    public var isSeekable: Bool { true }
    /// Those of the image.
    public var traits: IOReaderTraits { data.files.first?.reader.traits ?? .file }

    /// Lets reads throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() {
        isCancelled.store(true, ordering: .releasing)
        for file in data.files { file.reader.cancel() }
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() {
        isCancelled.store(false, ordering: .releasing)
        for file in data.files { file.reader.resume() }
    }

    /// Lets go of the image. Any thread.
    public func close() {
        state.withLock { $0.isClosed = true }
        for file in data.files { file.reader.close() }
    }

    /// A reader of the same title with a position of its own, at the start; nil where there is none of the image.
    public func makeIndependentReader() -> (any IOReader)? {
        data.independent().map { CompactReader(self, $0) }
    }
}
