@preconcurrency import Glibc
import Synchronization

/// Standard output: whether what was said has come where it should.
enum StandardOutput {
    /// The number of the first error; 0 for none.
    private static let failure = Mutex<Int32>(0)

    /// Writes what is still to be written. A failure is kept: C has dropped its buffer by then, and the next call would know nothing of it.
    static func flush() {
        guard fflush(nil) != 0 else { return }
        let number = errno
        failure.withLock { if $0 == 0 { $0 = number } }
    }

    /// Writes the rest. The number of the error that kept something back; nil where there was none, or a reader has seen enough.
    static func finish() -> Int32? {
        flush()
        let number = failure.withLock { $0 }
        if number != 0 { return number == EPIPE ? nil : number }
        // A part that was lost while the buffer was full leaves no number.
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        let isLeft = poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
        return ferror(stdout) != 0 && !isLeft ? EIO : nil
    }
}
