public import AetherCore
import Glibc
import Synchronization

/// A pipe, FIFO, socket or character device: bytes that come once and in order.
public final class PipeReader: IOReader {
    private struct State {
        var descriptor: Int32
        let isOwned: Bool
    }
    private let state: Mutex<State>
    private let isCancelled = Atomic(false)
    private let wake = WakeHandle()

    /// Reads from an open descriptor; `owning` says whether `close` closes it. Its flags are left alone, because standard
    /// input's are shared with the shell.
    public init(descriptor: Int32, owning: Bool) {
        state = Mutex(State(descriptor: descriptor, isOwned: owning))
    }

    /// Opens a FIFO or device. Never waits for a writer; the first read does.
    public convenience init(path: String) throws(IOReaderError) {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { throw .posix(errno) }
        self.init(descriptor: number, owning: true)
    }

    deinit { close() }

    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        while true {
            if isCancelled.load(ordering: .acquiring) { throw .cancelled }
            let descriptor = state.withLock { $0.descriptor }
            guard descriptor >= 0 else { throw .closed }
            var polled = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, -1) >= 0 || errno == EINTR else { throw .posix(errno) }
            if polled[1].revents != 0 {
                wake.drain()
                continue
            }
            guard polled[0].revents != 0 else { continue }
            let count = Glibc.read(descriptor, base, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw .posix(errno) }
        }
    }

    public func seek(to offset: Int64) throws(IOReaderError) { throw .notSeekable }

    public var size: Int64? { nil }

    public var isSeekable: Bool { false }

    public func cancel() {
        isCancelled.store(true, ordering: .releasing)
        wake.wake()
    }

    public func resume() {
        isCancelled.store(false, ordering: .releasing)
        wake.drain()
    }

    public func close() {
        let owned = state.withLock { state -> Int32 in
            defer { state.descriptor = -1 }
            return state.isOwned ? state.descriptor : -1
        }
        wake.wake()
        if owned >= 0 { Glibc.close(owned) }
    }

    public func makeIndependentReader() -> (any IOReader)? { nil }
}
