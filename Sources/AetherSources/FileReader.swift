public import AetherCore
import CLinux
import Glibc
import Synchronization

/// A regular file or block device, read with pread(2) so that independent readers never disturb each other's position.
public final class FileReader: IOReader {
    /// The descriptor, shared by independent readers and closed with the last of them.
    private final class Descriptor: Sendable {
        let number: Int32
        /// It is a drive for discs, whose head goes to and fro.
        let isDrive: Bool
        init(_ number: Int32) {
            self.number = number
            var status = stat()
            isDrive = fstat(number, &status) == 0 && OpticalDrive.isDrive(status)
        }
        deinit { Glibc.close(number) }
    }

    private struct State {
        var descriptor: Descriptor?
        var position: Int64 = 0
    }
    private let state: Mutex<State>
    private let isCancelled = Atomic(false)

    /// Opens a file. Throws `.posix(EISDIR)` for directories, `.posix(ESPIPE)` for pipes and character devices (`PipeReader`
    /// reads those). Blocks as open(2) does.
    public convenience init(path: String) throws(IOReaderError) {
        // Non-blocking, so that a FIFO put in the file's place cannot hang the open; it has no effect on files.
        let number = open(PathText.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { throw .posix(errno) }
        var descriptor = Descriptor(number)
        if descriptor.isDrive {
            // Without waiting a drive opens, too, while it has no disc or does not know it yet.
            let waited = open(PathText.cString(path), O_RDONLY | O_CLOEXEC | O_NOCTTY)
            guard waited >= 0 else { throw .posix(errno) }
            descriptor = Descriptor(waited)
        }
        try self.init(taking: descriptor)
    }

    /// Reads a duplicate of an open descriptor from the descriptor's present position on.
    public convenience init(descriptor: Int32) throws(IOReaderError) {
        let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw .posix(errno) }
        try self.init(taking: Descriptor(number))
    }

    private init(taking descriptor: Descriptor) throws(IOReaderError) {
        state = Mutex(State(descriptor: descriptor))
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw .posix(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFBLK: break
        case S_IFDIR: throw .posix(EISDIR)
        default: throw .posix(ESPIPE)
        }
    }

    private init(sharing descriptor: Descriptor) { state = Mutex(State(descriptor: descriptor)) }

    /// Reads with pread(2) from the position on; 0 at the end. Blocks while the file system does, and then no `cancel` helps.
    /// Throws `.cancelled`, `.closed` or the errno.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        if isCancelled.load(ordering: .acquiring) { throw .cancelled }
        let (descriptor, position) = state.withLock { ($0.descriptor, $0.position) }
        guard let descriptor else { throw .closed }
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        while true {
            let count = pread(descriptor.number, base, buffer.count, off_t(position))
            if count >= 0 {
                state.withLock { $0.position = position &+ Int64(count) }
                return count
            }
            guard errno == EINTR else { throw .posix(errno) }
            if isCancelled.load(ordering: .acquiring) { throw .cancelled }
        }
    }

    /// Moves the position, also behind the end. Throws for negative offsets and after `close`. Never blocks.
    public func seek(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(EINVAL) }
        let isOpen = state.withLock { state -> Bool in
            state.position = offset
            return state.descriptor != nil
        }
        if !isOpen { throw .closed }
    }

    /// Asked anew each time: a file may still be growing.
    public var size: Int64? {
        guard let descriptor = state.withLock({ $0.descriptor }) else { return nil }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFREG { return Int64(status.st_size) }
        // A block device has no st_size. lseek moves only a position that pread never looks at.
        let end = lseek(descriptor.number, 0, SEEK_END)
        return end >= 0 ? Int64(end) : nil
    }

    /// Whether a process has the regular file open for writing (nil where the file system cannot tell), and the time since it was written
    /// last; nil after `close` and for a device. Never blocks.
    var writing: (hasWriter: Bool?, age: TimeSpan)? {
        guard let descriptor = state.withLock({ $0.descriptor }) else { return nil }
        var status = stat(), now = timespec()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        clock_gettime(CLOCK_REALTIME, &now)
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
        let writer = clinux_has_writer(descriptor.number)
        return (writer < 0 ? nil : writer > 0, TimeSpan(nanoseconds: nanoseconds(now) &- nanoseconds(status.st_mtim)))
    }

    /// Always true.
    public var isSeekable: Bool { true }

    /// The nature of these bytes.
    public var traits: IOReaderTraits { state.withLock { $0.descriptor?.isDrive ?? false } ? .drive : .file }

    /// Lets reads throw `.cancelled` until `resume`; a read that waits for a disk goes on. Any thread; never blocks.
    public func cancel() { isCancelled.store(true, ordering: .releasing) }

    /// Ends what `cancel` began. Any thread; never blocks.
    public func resume() { isCancelled.store(false, ordering: .releasing) }

    /// Lets go of the descriptor, which is closed with the last reader that shares it. Any thread.
    public func close() { state.withLock { $0.descriptor = nil } }

    /// A reader of the same descriptor with a position of its own, at the start; nil after `close`.
    public func makeIndependentReader() -> (any IOReader)? {
        state.withLock { $0.descriptor }.map { FileReader(sharing: $0) }
    }
}
