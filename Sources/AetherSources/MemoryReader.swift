public import AetherCore
import Glibc
import Synchronization

/// Bytes that are already in memory.
public final class MemoryReader: IOReader {
    private struct State {
        var bytes: [UInt8]?
        var position: Int64 = 0
    }
    private let state: Mutex<State>
    private let isCancelled = Atomic(false)

    /// A reader at the first of the bytes.
    public init(_ bytes: [UInt8]) { state = Mutex(State(bytes: bytes)) }

    /// Copies bytes from the position on; 0 at the end. Throws `.cancelled` and `.closed`. Never blocks.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        if isCancelled.load(ordering: .acquiring) { throw .cancelled }
        let (held, position) = state.withLock { ($0.bytes, $0.position) }
        guard let bytes = held else { throw .closed }
        guard position < bytes.count else { return 0 }
        let start = Int(position)
        let count = min(buffer.count, bytes.count - start)
        bytes.withUnsafeBytes { source in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + count]))
        }
        state.withLock { $0.position = position + Int64(count) }
        return count
    }

    /// Moves the position, also behind the end. Throws for negative offsets and after `close`. Never blocks.
    public func seek(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(EINVAL) }
        let isOpen = state.withLock { state -> Bool in
            state.position = offset
            return state.bytes != nil
        }
        if !isOpen { throw .closed }
    }

    /// The number of bytes; nil after `close`.
    public var size: Int64? { state.withLock { $0.bytes.map { Int64($0.count) } } }

    /// Always true.
    public var isSeekable: Bool { true }

    /// The nature of these bytes.
    public var traits: IOReaderTraits { .memory }

    /// Lets reads throw `.cancelled` until `resume`. Any thread.
    public func cancel() { isCancelled.store(true, ordering: .releasing) }

    /// Ends what `cancel` began. Any thread.
    public func resume() { isCancelled.store(false, ordering: .releasing) }

    /// Drops the bytes; reads throw `.closed` from then on.
    public func close() { state.withLock { $0.bytes = nil } }

    /// A reader of the same bytes, from their start; nil after `close`.
    public func makeIndependentReader() -> (any IOReader)? {
        state.withLock { $0.bytes }.map { MemoryReader($0) }
    }
}
