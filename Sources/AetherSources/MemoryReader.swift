public import AetherCore
import Synchronization

/// Bytes that are already in memory.
public final class MemoryReader: IOReader {
    /// nil after `close`.
    private let bytes: Mutex<[UInt8]?>
    private let cursor = ReaderCursor()

    /// A reader at the first of the bytes.
    public init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    /// Copies bytes from the position on; 0 at the end. Throws `.cancelled` and `.closed`. Never blocks.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        try cursor.read(buffer) { offset throws(IOReaderError) in
            guard let bytes = bytes.withLock({ $0 }) else { throw .closed }
            guard offset < bytes.count else { return 0 }
            let piece = bytes[Int(offset)...].prefix(buffer.count)
            buffer.copyBytes(from: piece)
            return piece.count
        }
    }

    /// Moves the position, also behind the end. Throws for negative offsets and after `close`. Never blocks.
    public func seek(to offset: Int64) throws(IOReaderError) { try cursor.move(to: offset) }

    /// The number of bytes; nil after `close`.
    public var size: Int64? { bytes.withLock { $0.map { Int64($0.count) } } }

    /// Always true.
    public var isSeekable: Bool { true }

    /// The nature of these bytes.
    public var traits: IOReaderTraits { .memory }

    /// Lets reads throw `.cancelled` until `resume`. Any thread.
    public func cancel() { cursor.cancel() }

    /// Ends what `cancel` began. Any thread.
    public func resume() { cursor.resume() }

    /// Drops the bytes; reads throw `.closed` from then on.
    public func close() {
        cursor.close()
        bytes.withLock { $0 = nil }
    }

    /// A reader of the same bytes, from their start; nil after `close`.
    public func makeIndependentReader() -> (any IOReader)? {
        bytes.withLock { $0 }.map { MemoryReader($0) }
    }
}
