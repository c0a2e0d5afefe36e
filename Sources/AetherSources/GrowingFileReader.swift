public import AetherCore
import Glibc
import Synchronization

/// A file that may still be written, as a recording in progress: after `follow`, `read` waits at its end for more while it has a writer.
/// A file without a writer is read as by `FileReader`.
public final class GrowingFileReader: IOReader {
    private let file: FileReader
    private let path: String
    private let sizeAtOpening: Int64
    private let patience: TimeSpan
    private let isCancelled = Atomic(false)
    private let follows = Atomic(false)
    private let wake = WakeHandle()
    /// Tells of writes; made at the first wait.
    private let watch = Mutex<Watch?>(nil)

    /// An inotify descriptor for one file.
    private final class Watch: Sendable {
        let descriptor: Int32
        /// The file system tells of writes.
        let isUseful: Bool

        init(_ path: String) {
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            let events = UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE)
            isUseful = descriptor >= 0 && inotify_add_watch(descriptor, PathText.cString(path), events) >= 0
        }
        deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

        func drain() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while Glibc.read(descriptor, &buffer, buffer.count) > 0 {}
        }
    }

    /// Opens a file. `patience`: how long a writer may write nothing. Throws as `FileReader`.
    public init(path: String, patience: TimeSpan = .seconds(15)) throws(IOReaderError) {
        self.patience = patience
        file = try FileReader(path: path)
        self.path = path
        sizeAtOpening = file.size ?? 0
    }

    /// Reads from the position on; where it follows, it blocks at the end until more is written, and gives 0 once it has no writer any more. Throws
    /// `.cancelled`, `.closed` or the errno.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        while true {
            if isCancelled.load(ordering: .acquiring) { throw .cancelled }
            let count = try file.read(buffer)
            guard count == 0, !buffer.isEmpty, follows.load(ordering: .acquiring), isGrowing else { return count }
            // Writes from here on are reported by the watch.
            let watch = self.watch.withLock { watch -> Watch in
                let present = watch ?? Watch(path)
                watch = present
                return present
            }
            let late = try file.read(buffer)
            if late > 0 { return late }
            guard let span = growth else { return try file.read(buffer) }
            sleep(on: watch, for: span)
        }
    }

    /// The time to wait for more; nil where the file is complete.
    private var growth: TimeSpan? {
        guard let state = file.writing else { return nil }
        let hasGrown = (file.size ?? 0) > sizeAtOpening
        return GrowthPolicy.wait(hasWriter: state.hasWriter, age: state.age, hasGrown: hasGrown, patience: patience)
    }

    private func sleep(on watch: Watch, for span: TimeSpan) {
        // Where writes are not told, as of another machine, the size is asked for once a second.
        let limit = watch.isUseful ? span : min(span, .seconds(1))
        var polled = [
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&polled, watch.isUseful ? 2 : 1, Int32(clamping: limit.nanoseconds / 1_000_000 + 1))
        if polled[0].revents != 0 { wake.drain() }
        if polled[1].revents != 0 { watch.drain() }
    }

    /// Whether it has a writer. Never blocks.
    public var isGrowing: Bool { growth != nil }

    /// From now on `read` waits at the end.
    public func follow() { follows.store(true, ordering: .releasing) }

    /// As it is now.
    public var size: Int64? { file.size }

    /// Always true.
    public var isSeekable: Bool { true }

    /// The nature of these bytes: while it grows they may come late.
    public var traits: IOReaderTraits {
        var traits = IOReaderTraits.file
        traits.mayStall = isGrowing
        return traits
    }

    /// Moves the position. Never blocks.
    public func seek(to offset: Int64) throws(IOReaderError) { try file.seek(to: offset) }

    /// Breaks off a read that waits for more, and lets later ones throw `.cancelled` until `resume`. Any thread; never blocks.
    public func cancel() {
        isCancelled.store(true, ordering: .releasing)
        wake.wake()
    }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() { isCancelled.store(false, ordering: .releasing) }

    /// Lets go of the file. Any thread.
    public func close() {
        file.close()
        wake.wake()
    }

    /// A reader of what is there by then, which waits for nothing.
    public func makeIndependentReader() -> (any IOReader)? { file.makeIndependentReader() }
}
