package import AetherCore
import Glibc
import Synchronization

/// The position of a reader, and whether it may read: bookkeeping for readers whose bytes lie still. One thread reads and seeks; `cancel`,
/// `resume` and `close` may come from any.
package struct ReaderCursor: ~Copyable, Sendable {
    /// nil once the reader is closed.
    private let position = Mutex(Int64?.some(0))
    private let isCancelled = Atomic(false)

    /// At the first byte.
    package init() {}

    /// Reads `leading` first, then by `body`, which is given the offset behind them; moves the position by what was read. Throws `.cancelled`,
    /// `.closed`, and what `body` throws. Blocks as `body` does, without a lock.
    package func read(
        _ buffer: UnsafeMutableRawBufferPointer, leading: [UInt8] = [], _ body: (Int64) throws(IOReaderError) -> Int
    ) throws(IOReaderError) -> Int {
        if isCancelled.load(ordering: .acquiring) { throw .cancelled }
        guard let start = position.withLock({ $0 }) else { throw .closed }
        guard !buffer.isEmpty else { return 0 }
        let count: Int
        if start < leading.count {
            count = min(buffer.count, leading.count - Int(start))
            buffer.copyBytes(from: leading[Int(start)..<Int(start) + count])
        } else {
            count = try body(start - Int64(leading.count))
        }
        position.withLock { if $0 != nil { $0 = start + Int64(count) } }
        return count
    }

    /// Moves the position, also behind the end. Throws `.posix(EINVAL)` for negative offsets and `.closed`. Never blocks.
    package func move(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(EINVAL) }
        let isOpen = position.withLock { position -> Bool in
            guard position != nil else { return false }
            position = offset
            return true
        }
        if !isOpen { throw .closed }
    }

    /// Lets reads throw `.cancelled` until `resume`. Never blocks.
    package func cancel() { isCancelled.store(true, ordering: .releasing) }

    /// Ends what `cancel` began. Never blocks.
    package func resume() { isCancelled.store(false, ordering: .releasing) }

    /// Lets reads and moves throw `.closed` from now on. Never blocks.
    package func close() { position.withLock { $0 = nil } }
}
