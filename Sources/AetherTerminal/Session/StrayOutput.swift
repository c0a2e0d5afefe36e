public import AetherCore
import CLinux
import Glibc
import Synchronization

/// Descriptor 2, taken away from libraries: what they print there runs through a pipe, and comes out as clean lines in the log and, where
/// no screen is in the way, on the real standard error. So nothing that they quote from a document is ever obeyed by the terminal.
///
/// It holds until the process ends, also while it is stopped: given back before, a thread that still runs in a library would have the
/// terminal. A crash gives it back, with the last words that are in the pipe. Writing into the pipe never blocks: what it cannot take is
/// lost. The program's own words go to `standardError`, which is always the real one.
public final class StrayOutput: Sendable {
    /// Standard error as the process found it. Any thread.
    public static var standardError: Int32 { real.load(ordering: .acquiring) }
    private static let real = Atomic<Int32>(STDERR_FILENO)

    private struct State {
        var isHeld = false
        /// Requests for all that was written, and those that were answered since.
        var asked = 0, answered = 0
    }
    private let state = Monitor(State())
    private let wake = WakeHandle()
    private static let log = Log.module("stderr")

    /// Takes descriptor 2, also a closed one. Once a process, before it has threads: they would inherit nothing, but may write. Nil
    /// where the system has no descriptors left; then it stays as it was.
    public init?() {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { return nil }
        // Closed by the program that started us: the next file that is opened would be standard error.
        let isOpen = fcntl(STDERR_FILENO, F_GETFD) >= 0
        let kept = isOpen ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : clinux_open("/dev/null", O_WRONLY)
        guard kept >= 0, clinux_set_nonblocking(ends[0], 1) == 0, clinux_set_nonblocking(ends[1], 1) == 0,
            dup2(ends[1], STDERR_FILENO) >= 0
        else {
            for end in ends + [kept] where end >= 0 { close(end) }
            return nil
        }
        if ends[1] != STDERR_FILENO { close(ends[1]) }
        Self.real.store(kept, ordering: .releasing)
        _ = clinux_stray_guard_arm(kept, ends[0])
        _ = WorkerThread(name: "stray", urgency: .ordinary) { [state, wake, input = ends[0]] in
            Self.read(input, for: state, until: wake)
        }
    }

    /// A screen is about to be ours: where standard error is a terminal, lines go to the log alone from now on.
    public func hold() {
        guard isatty(Self.standardError) == 1 else { return }
        state.update { $0.isHeld = true }
    }

    /// Waits until what was written so far is passed on, for so long at most: before the process ends.
    public func flush(within patience: TimeSpan = .milliseconds(100)) {
        let number = state.update { state in
            state.asked += 1
            return state.asked
        }
        wake.wake()
        _ = state.wait(until: SystemTime().now() + patience) { $0.answered >= number ? true : nil }
    }

    /// The thread's own part; it ends with the process.
    private static func read(_ input: Int32, for state: Monitor<State>, until wake: WakeHandle) {
        // Signals are for the thread that reads them.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        let time = SystemTime()
        var lines = StrayLines()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            var descriptors = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&descriptors, 2, -1) > 0 || errno == EINTR else { return }
            wake.drain()
            let asked = state.read { $0.asked }
            while true {
                let count = buffer.withUnsafeMutableBytes { Glibc.read(input, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                pass(lines.take(buffer[..<count], now: time.now()), state)
            }
            guard state.read({ $0.answered }) < asked else { continue }
            pass(lines.finish(), state)
            state.update { $0.answered = asked }
        }
    }

    private static func pass(_ lines: [String], _ state: Monitor<State>) {
        guard !lines.isEmpty else { return }
        for line in lines { log.warning(line) }
        guard !state.read({ $0.isHeld }) else { return }
        // A terminal in raw mode has to be told to go back to the left.
        let end = isatty(standardError) == 1 ? "\r\n" : "\n"
        write(lines.map { $0 + end }.joined(), to: standardError)
    }

    /// Writes all of a text; what cannot be written is lost.
    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
