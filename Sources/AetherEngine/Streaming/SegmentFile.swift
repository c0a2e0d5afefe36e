import AetherCore
import AetherFormats
import Synchronization

/// A file of which segments are parts, or one. It is read on where parts follow one another, so that they cost one request. One thread reads it.
final class SegmentFile: Sendable {
    /// nil for bytes that are in memory.
    let address: StreamAddress?
    let reader: any IOReader
    private let position = Mutex(Int64(0))

    init(_ address: StreamAddress?, _ reader: any IOReader) { (self.address, self.reader) = (address, reader) }

    /// Moves to an offset. A server that knows no parts is read forward. Throws `.notSeekable` where it would have to go back. Blocks.
    func move(to offset: Int64) throws(IOReaderError) {
        var here = position.withLock { $0 }
        guard offset != here else { return }
        if reader.isSeekable {
            try reader.seek(to: offset)
            position.withLock { $0 = offset }
            return
        }
        guard offset > here else { throw .notSeekable }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { room.deallocate() }
        while here < offset {
            let wanted = Int(min(Int64(room.count), offset - here))
            let count = try read(UnsafeMutableRawBufferPointer(rebasing: room.prefix(wanted)))
            guard count > 0 else { throw .network(NetworkFault(.brokeOff)) }
            here += Int64(count)
        }
    }

    /// Blocks as the reader does.
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        let count = try reader.read(buffer)
        position.withLock { $0 += Int64(count) }
        return count
    }
}

/// A stretch of a file as bytes of its own.
final class SegmentBytes: IOReader {
    private let file: SegmentFile
    private let length: Int64?
    private let intake: SegmentIntake?
    private let taken = Mutex(Int64(0))

    /// The stretch that begins where the file stands; nil: to the file's end. `intake` gets the bytes that are read.
    init(_ file: SegmentFile, length: Int64?, intake: SegmentIntake? = nil) {
        (self.file, self.length, self.intake) = (file, length, intake)
    }

    /// Throws `.brokeOff` where the file ends before the stretch does.
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        let done = taken.withLock { $0 }
        let room = length.map { Int(clamping: min(Int64(buffer.count), $0 - done)) } ?? buffer.count
        guard room > 0 else { return 0 }
        let count = try file.read(UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room)))
        if count == 0, length != nil { throw .network(NetworkFault(.brokeOff)) }
        intake?.take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
        taken.withLock { $0 += Int64(count) }
        return count
    }

    /// Bytes that were read.
    var done: Int64 { taken.withLock { $0 } }

    /// All bytes of it; nil where unknown.
    var whole: Int64? { length ?? file.reader.size }

    /// More than half of it is read, or its length is unknown.
    var isHalfRead: Bool { whole.map { done >= $0 / 2 } ?? true }

    /// Only a whole file is gone about in.
    func seek(to offset: Int64) throws(IOReaderError) {
        guard length == nil else { throw .notSeekable }
        try file.move(to: offset)
        taken.withLock { $0 = offset }
    }
    var size: Int64? { length }
    var isSeekable: Bool { length == nil && file.reader.isSeekable }
    var traits: IOReaderTraits { file.reader.traits }
    func cancel() { file.reader.cancel() }
    func resume() { file.reader.resume() }
    /// Nothing: the next stretch may be of the same file.
    func close() {}
    func makeIndependentReader() -> (any IOReader)? { nil }
}
