public import AetherCore
import CLinux
import Glibc

/// A program on a pseudo-terminal of its own: what it writes is collected with the time of its arrival, keys are typed,
/// the window is resized, signals are sent. Two threads (`pty-read`, `pty-wait`) do the blocking; whatever still runs
/// when the owner lets go is killed by its pid.
public final class Pty: Sendable {
    /// The window: cells, and the pixels that TIOCGWINSZ reports (0 = unknown).
    public struct Size: Sendable, Equatable {
        public var columns, rows, width, height: UInt16

        /// A window of the given cells, each of 8x16 pixels unless pixels are given.
        public init(_ columns: UInt16, _ rows: UInt16, width: UInt16? = nil, height: UInt16? = nil) {
            self.columns = columns
            self.rows = rows
            self.width = width ?? columns &* 8
            self.height = height ?? rows &* 16
        }

        var winsize: clinux_winsize { clinux_winsize(rows: rows, columns: columns, x_pixels: width, y_pixels: height) }
    }

    /// The state of the program.
    public enum Life: Sendable, Equatable {
        case running
        case stopped(Int32)
        case exited(Int32)
        case killed(Int32)

        /// It has ended, whichever way.
        public var isOver: Bool {
            switch self {
            case .exited, .killed: true
            case .running, .stopped: false
            }
        }
    }

    /// A piece of output and when it was read.
    public struct Chunk: Sendable {
        /// The time at which the piece was read.
        public let time: HostTime
        /// The bytes as the program wrote them.
        public let bytes: [UInt8]
    }

    /// The program could not be started.
    public struct Failure: Error, CustomStringConvertible {
        /// The reason.
        public let description: String
    }

    private struct State {
        var chunks: [Chunk] = []
        var output: [UInt8] = []
        var sentAt = 0
        var closed = false
        var life = Life.running
        var ended: HostTime?
    }

    /// The program's process id: also its session and, at the start, its process group.
    public let pid: Int32
    /// When it was started.
    public let started: HostTime
    private let master: Int32
    private let state = Monitor(State())
    private let stop = WakeHandle()
    private let reader, waiter: WorkerThread

    /// Starts `arguments[0]` (looked up in PATH). `environment` is laid over a small fixed one, so that the tester's own
    /// terminal does not show through; nil removes a name. `bytesPerSecond` makes the link slow.
    public init(
        _ arguments: [String], environment: [String: String?] = [:], size: Size = Size(80, 24), bytesPerSecond: Int? = nil
    ) throws {
        var merged = Pty.baseEnvironment
        for (name, value) in environment { merged[name] = value }
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = merged.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var descriptor: Int32 = -1
        started = SystemTime().now()
        let child = clinux_spawn_on_pty(&argv, &envp, size.winsize, &descriptor)
        guard child > 0 else {
            throw Failure(description: "cannot start \(arguments.first ?? ""): \(String(cString: strerror(-child)))")
        }
        pid = child
        master = descriptor
        reader = WorkerThread(name: "pty-read") { [state, stop, descriptor] in
            Pty.read(descriptor, into: state, until: stop, bytesPerSecond: bytesPerSecond)
        }
        waiter = WorkerThread(name: "pty-wait") { [state] in Pty.watch(child, into: state) }
    }

    deinit {
        if !life.isOver { kill(pid, SIGKILL) }
        waiter.join()
        stop.wake()
        reader.join()
        close(master)
    }

    /// The environment of every program here: no locale but UTF-8, no terminal but xterm's, no colour promised.
    static var baseEnvironment: [String: String] {
        var result = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"]
        for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
            if let value = getenv(name) { result[name] = String(cString: value) }
        }
        return result
    }

    // MARK: Output

    /// Everything written so far.
    public var output: [UInt8] { state.read { $0.output } }

    /// How much had been written when something was typed last.
    public var sentAt: Int { state.read { $0.sentAt } }

    /// The same as text, for messages and searches; escape sequences are left in.
    public var text: String { state.read { String(decoding: $0.output, as: UTF8.self) } }

    /// The pieces with their times.
    public var chunks: [Chunk] { state.read { $0.chunks } }

    /// Waits until what was written from byte `start` on satisfies the condition; false when the time is over, or when the
    /// program has closed the terminal without satisfying it. The condition is asked at every piece of output, under the
    /// lock: over much output it should look at what is new only.
    public func waitForOutput(
        from start: Int = 0, within limit: TimeSpan = .seconds(60), _ satisfies: (ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        let met: Bool? = state.wait(until: SystemTime().now() + limit) { state in
            if satisfies(state.output.dropFirst(start)) { return true }
            return state.closed ? false : nil
        }
        return met ?? false
    }

    /// Waits until the text appears in what was written from byte `start` on.
    public func waitForText(_ text: String, from start: Int = 0, within limit: TimeSpan = .seconds(60)) -> Bool {
        let wanted = Array(text.utf8)
        var looked = start
        return waitForOutput(from: start, within: limit) { bytes in
            let from = max(bytes.startIndex, looked - wanted.count)
            looked = bytes.endIndex
            return bytes.endIndex - from >= wanted.count && (from..<bytes.endIndex).contains { bytes[$0...].starts(with: wanted) }
        }
    }

    /// Waits until the program has closed the terminal: all it ever wrote is then in `output`.
    public func waitForClose(within limit: TimeSpan = .seconds(60)) -> Bool {
        let closed: Bool? = state.wait(until: SystemTime().now() + limit) { $0.closed ? true : nil }
        return closed ?? false
    }

    // MARK: Life

    /// The present state of the program.
    public var life: Life { state.read { $0.life } }

    /// When it ended; nil while it runs.
    public var ended: HostTime? { state.read { $0.ended } }

    /// Waits for the end, and for the last of the output; nil when the time is over.
    public func waitForEnd(within limit: TimeSpan = .seconds(60)) -> Life? {
        guard let life = waitForLife(within: limit, { $0.isOver }) else { return nil }
        // Children of the program may keep the terminal open: what they still write is not waited for longer than this.
        _ = waitForClose(within: .seconds(10))
        return life
    }

    /// Waits until the state satisfies the condition; nil when the time is over.
    public func waitForLife(within limit: TimeSpan = .seconds(60), _ satisfies: (Life) -> Bool) -> Life? {
        state.wait(until: SystemTime().now() + limit) { satisfies($0.life) ? $0.life : nil }
    }

    // MARK: Acting

    /// Types bytes. Blocks while the terminal's input queue (4 KB) is full.
    public func send(_ bytes: [UInt8]) {
        state.update { $0.sentAt = $0.output.count }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return }
        }
    }

    /// Types text; keys are their xterm sequences.
    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends a signal to the program alone.
    public func signal(_ number: Int32) { if !life.isOver { kill(pid, number) } }

    /// Changes the window; the kernel sends SIGWINCH to the foreground process group.
    public func resize(_ size: Size) { _ = clinux_set_winsize(master, size.winsize) }

    /// The settings of the terminal as the program sees them; they outlive it. nil when they cannot be read.
    public func termios() -> Termios? { Termios(of: master) }

    // MARK: Threads

    private static func read(_ master: Int32, into state: Monitor<State>, until stop: WakeHandle, bytesPerSecond: Int?) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        // A slow link takes a hundredth of a second's worth at a time.
        let limit = bytesPerSecond.map { max(1, min(buffer.count, $0 / 100)) } ?? buffer.count
        defer { state.update { $0.closed = true } }
        while true {
            var descriptors = [
                pollfd(fd: master, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&descriptors, 2, -1) > 0 || errno == EINTR else { return }
            if descriptors[1].revents != 0 { return }
            guard descriptors[0].revents != 0 else { continue }
            let count = buffer.withUnsafeMutableBytes { Glibc.read(master, $0.baseAddress, limit) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }  // EIO: nobody has the terminal open any more
            let chunk = Chunk(time: SystemTime().now(), bytes: Array(buffer[..<count]))
            state.update { state in
                state.chunks.append(chunk)
                state.output += chunk.bytes
            }
            if let bytesPerSecond {
                var pause = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&pause, 1, Int32(clamping: count * 1000 / max(1, bytesPerSecond)))
            }
        }
    }

    private static func watch(_ pid: pid_t, into state: Monitor<State>) {
        while true {
            var status: Int32 = 0
            if waitpid(pid, &status, WUNTRACED | WCONTINUED) < 0 {
                if errno == EINTR { continue }
                state.update { $0.life = .exited(-1) }
                return
            }
            let life = Life(waitStatus: status)
            state.update { state in
                state.life = life
                state.ended = life.isOver ? SystemTime().now() : nil
            }
            if life.isOver { return }
        }
    }
}

extension Pty.Life {
    /// Takes the status of waitpid(2) apart; the macros of sys/wait.h do not reach Swift.
    init(waitStatus status: Int32) {
        switch status & 0x7F {
        case 0: self = .exited((status >> 8) & 0xFF)
        case 0x7F: self = status == 0xFFFF ? .running : .stopped((status >> 8) & 0xFF)
        default: self = .killed(status & 0x7F)
        }
    }
}
