public import AetherCore
import Glibc
import Synchronization

/// A pipe, FIFO, socket or character device: bytes that come once and in order.
public final class PipeReader: IOReader {
    /// Closed with its last user: a read that is under way keeps its number from being given to another file.
    private final class Descriptor: Sendable {
        let number: Int32
        private let isOwned: Bool

        init(_ number: Int32, isOwned: Bool) { (self.number, self.isOwned) = (number, isOwned) }
        deinit { if isOwned { Glibc.close(number) } }
    }
    private let descriptor: Mutex<Descriptor?>
    private let isCancelled = Atomic(false)
    private let wake = WakeHandle()

    /// Reads from an open descriptor; `owning` says whether `close` closes it. Its flags are left alone, because standard
    /// input's are shared with the shell.
    public init(descriptor: Int32, owning: Bool) {
        self.descriptor = Mutex(Descriptor(descriptor, isOwned: owning))
    }

    /// Opens a FIFO or device. Never waits for a writer; the first read does.
    public convenience init(path: String) throws(IOReaderError) {
        let number = open(PathText.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { throw .posix(errno) }
        self.init(descriptor: number, owning: true)
    }

    deinit { close() }

    /// Blocks until there are bytes, the writer is gone (0), or `cancel` is called from another thread. Throws `.cancelled`,
    /// `.closed` or the errno of read(2).
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        while true {
            if isCancelled.load(ordering: .acquiring) { throw .cancelled }
            guard let descriptor = descriptor.withLock({ $0 }) else { throw .closed }
            var polled = [
                pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, -1) >= 0 || errno == EINTR else { throw .posix(errno) }
            if polled[1].revents != 0 {
                wake.drain()
                continue
            }
            guard polled[0].revents != 0 else { continue }
            let count = Glibc.read(descriptor.number, base, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw .posix(errno) }
        }
    }

    /// Always throws `.notSeekable`.
    public func seek(to offset: Int64) throws(IOReaderError) { throw .notSeekable }

    /// Always nil: a pipe has no length.
    public var size: Int64? { nil }

    /// Always false.
    public var isSeekable: Bool { false }

    /// The nature of these bytes.
    public var traits: IOReaderTraits { .pipe }

    /// Breaks off the read that is under way and lets later ones throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() {
        isCancelled.store(true, ordering: .releasing)
        wake.wake()
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() {
        isCancelled.store(false, ordering: .releasing)
        wake.drain()
    }

    /// Lets go of the descriptor, which is closed when the read that is under way has returned. Any thread; never blocks.
    public func close() {
        descriptor.withLock { $0 = nil }
        wake.wake()
    }

    /// Always nil: the bytes come once.
    public func makeIndependentReader() -> (any IOReader)? { nil }
}
