import AetherCore
import CLinux
import Glibc

/// A terminal device, opened anew, so that O_NONBLOCK stays with this open file description and never reaches the one that
/// standard input and output share with the shell.
///
/// Owns its descriptor. Reading it is for one thread, writing for one thread at a time; both never block.
public final class TTYPort: TerminalPort {
    /// The terminal, opened for reading and writing, non-blocking. Owned.
    public let descriptor: Int32

    /// Opens the terminal behind a descriptor (standard output, as a rule). Where the device cannot be opened by its own
    /// name (a tty of another user after su), the controlling terminal is taken.
    public convenience init(reopening shared: Int32) throws(TerminalError) {
        guard isatty(shared) == 1 else { throw TerminalError(.notATerminal, "open", subject: "descriptor \(shared)") }
        let device = clinux_open("/proc/self/fd/\(shared)", O_RDWR | O_NOCTTY | O_NONBLOCK)
        if device >= 0 {
            self.init(owning: device)
        } else {
            try self.init(path: "/dev/tty")
        }
    }

    /// Opens the controlling terminal: for keys when standard input is the media.
    public convenience init() throws(TerminalError) { try self.init(path: "/dev/tty") }

    /// Opens a terminal device by its path.
    public convenience init(path: String) throws(TerminalError) {
        let device = clinux_open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        guard device >= 0 else { throw TerminalError(.cannotOpen, "open", subject: path, cause: -device) }
        guard isatty(device) == 1 else {
            close(device)
            throw TerminalError(.notATerminal, "open", subject: path)
        }
        self.init(owning: device)
    }

    private init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes to the terminal and returns how many bytes it took; nil where it takes none now. Never blocks. Throws `.hungUp` and
    /// `.writeFailed`.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(TerminalError) -> Int? {
        while true {
            let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return count == 0 && !bytes.isEmpty ? nil : count }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            case EIO, EPIPE: throw TerminalError(.hungUp, "write to", cause: errno)
            default: throw TerminalError(.writeFailed, "write to", cause: errno)
            }
        }
    }

    /// The size by the kernel (TIOCGWINSZ), in cells and, where the terminal tells, in pixels. Never blocks.
    public func size() -> TerminalSize {
        var size = clinux_winsize()
        guard clinux_get_winsize(descriptor, &size) == 0 else { return TerminalSize(columns: 0, rows: 0) }
        return TerminalSize(
            columns: Int(size.columns), rows: Int(size.rows), xPixels: Int(size.x_pixels), yPixels: Int(size.y_pixels))
    }

    /// Blocks until the terminal takes bytes again, it has hung up (then true too: the write will tell), or the deadline has
    /// passed (false).
    func waitWritable(until deadline: HostTime, time: any TimeSource) -> Bool {
        Poll.wait(descriptor: descriptor, events: Poll.writable, until: deadline, time: time)
    }

    /// Throws away what the kernel has queued towards the terminal (TCOFLUSH). That can cut a sequence in two, so the next
    /// bytes must begin with `Escape.cancel`.
    func discardOutput() { tcflush(descriptor, TCOFLUSH) }

    /// Throws away what was typed or answered and not read (TCIFLUSH).
    func discardInput() { tcflush(descriptor, TCIFLUSH) }
}
