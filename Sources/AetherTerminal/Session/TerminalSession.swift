public import AetherCore
import CLinux
import Glibc

/// Owns the state of a terminal from the first change to the last: its termios and the modes that are on. Whatever way the
/// program ends, the terminal is left as it was found; a crash is covered by the guard in CLinux, which gets the same bytes.
///
/// Lives on the main thread. No thread may write frames while `enter`, `leave`, `suspend` or `resume` runs. Every method may be
/// called in any state and any number of times.
public final class TerminalSession {
    private let port: TTYPort
    private let time: any TimeSource
    private let original: termios
    private var isRaw = false
    private var suspendedModes: TerminalModes?

    /// The modes that are on now.
    public private(set) var modes: TerminalModes = []

    /// Set while questions to the terminal are unanswered: `leave` then throws unread input away, so that late answers do
    /// not show up at the shell's prompt. Mouse and focus reports have the same effect by themselves.
    public var repliesPending = false

    /// Answers to `CSI 5 n` that are still to come: `leave` and `suspend` wait for them, so that they do not show up at the shell's prompt.
    public var answersDue = 0

    /// 100 ms: a terminal on this machine answers within 5, one across an ocean within 300, and that is too long a wait for a prompt.
    private static let answerPatience = TimeSpan.milliseconds(100)

    /// The patience of `leave` with a terminal that takes no bytes, before it empties the kernel's queue and tries once more for
    /// as long. 60 ms: a full queue of 12–16 KB (measured on Linux 6) drains in that time at 250 KB/s.
    private static let patience = TimeSpan.milliseconds(60)

    /// Reads the terminal's termios; nothing is changed yet. `time` is the clock of the waits in here.
    public init(port: TTYPort, time: any TimeSource = SystemTime()) throws(TerminalError) {
        self.port = port
        self.time = time
        var now = termios()
        guard tcgetattr(port.descriptor, &now) == 0 else { throw TerminalError(.modes, "read the modes of", cause: errno) }
        original = now
    }

    deinit { leave() }

    /// Bytes that go out before the modes are turned off, with them on: frees images that the terminal holds. Set before `enter`.
    public var partingBytes: [UInt8] = []

    /// Adds bytes that go out ahead of the other parting bytes; those that are among them already are not sent twice. The crash guard has them at once.
    /// Throws where it cannot hold so many.
    public func add(parting bytes: [UInt8]) throws(TerminalError) {
        guard !bytes.isEmpty, BytePattern(bytes).first(in: partingBytes) == nil else { return }
        let former = partingBytes
        partingBytes = bytes + former
        guard isRaw else { return }
        do throws(TerminalError) {
            try armCrashGuard()
        } catch {
            // The guard still has the former ones.
            partingBytes = former
            throw error
        }
    }

    /// The bytes that `leave` and the crash guard send: they turn off exactly the modes that are on.
    public var restoreBytes: [UInt8] {
        modes.isEmpty || partingBytes.isEmpty ? modes.leavingBytes : Escape.cancel + partingBytes + modes.leavingBytes
    }

    /// Raw mode: no echo, no line editing, Ctrl-S free. Ctrl-C, Ctrl-\ and Ctrl-Z stay signals, so that they work the same from
    /// the keyboard and from outside. The screen is not touched.
    public func enterRaw() throws(TerminalError) {
        guard !isRaw else { return }
        var raw = original
        cfmakeraw(&raw)
        // NOFLSH: the kernel must not cut a frame in two when it turns Ctrl-C into a signal.
        raw.c_lflag |= tcflag_t(ISIG | NOFLSH)
        // With O_NONBLOCK and VMIN 1, "nothing typed" is EAGAIN and a hang-up is 0: they can be told apart.
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        try set(raw)
        isRaw = true
        try armCrashGuard()
    }

    /// Raw mode, then turns on those of the modes that are off. Blocks for at most 120 ms where the terminal takes no bytes.
    public func enter(_ wanted: TerminalModes = .screen) throws(TerminalError) {
        try enterRaw()
        let missing = wanted.subtracting(modes)
        guard !missing.isEmpty else { return }
        modes.formUnion(missing)
        // First the guard, then the bytes: a crash in between undoes too much rather than too little.
        try armCrashGuard()
        try send(missing.enteringBytes)
    }

    /// Turns some modes off again (the mouse, when a pane that needs it closes). Blocks like `enter`.
    public func turnOff(_ unwanted: TerminalModes) throws(TerminalError) {
        let present = modes.intersection(unwanted)
        guard !present.isEmpty else { return }
        try send(present.leavingBytes)
        modes.subtract(present)
        try armCrashGuard()
    }

    /// Leaves the terminal as it was found. Takes at most 120 ms, whatever the terminal does, and 100 ms more where answers are due; then the
    /// modes of the kernel's side are restored all the same. Trouble is not reported: there is no code left to act on it.
    public func leave() {
        suspendedModes = nil
        restore()
    }

    /// Leaves the terminal, remembering what was on: before SIGTSTP takes effect.
    public func suspend() {
        guard suspendedModes == nil, isRaw else { return }
        let present = modes
        restore()
        suspendedModes = present
    }

    /// After SIGCONT: everything is turned on again that was on, also when we were stopped by SIGSTOP and the shell had its own
    /// way with the terminal meanwhile. What the screen shows is unknown afterwards.
    public func resume() throws(TerminalError) {
        guard isRaw || suspendedModes != nil else { return }
        let wanted = suspendedModes ?? modes
        suspendedModes = nil
        isRaw = false
        modes = []
        try enterRaw()
        try enter(wanted)
    }

    private func restore() {
        let bytes = restoreBytes
        let isHeard = bytes.isEmpty || sendRestoring(bytes)
        if isRaw {
            if isHeard { awaitAnswers() }
            if repliesPending || !modes.isDisjoint(with: [.mouse, .focusReports]) { port.discardInput() }
            // TCSANOW: draining first would wait for the terminal.
            setFromBackgroundToo(original)
        }
        modes = []
        isRaw = false
        clinux_crash_guard_disarm()
    }

    /// Sends the restoring bytes; when the queue stays full, empties it and starts over: what was handed over the first time lay behind
    /// what the terminal did not read, and is gone with it. False where the terminal does not take them.
    private func sendRestoring(_ bytes: [UInt8]) -> Bool {
        for attempt in 0..<2 {
            do throws(TerminalError) {
                if try transfer(bytes) { return true }
            } catch {
                return false  // hung up: there is no screen to restore
            }
            if attempt == 0 { port.discardOutput() }
        }
        return false
    }

    /// Reads until the answers that are due are here, or their time is up. What else is typed meanwhile is lost, as it is where answers are
    /// thrown away unread.
    private func awaitAnswers() {
        let deadline = time.now() + Self.answerPatience
        var decoder = InputDecoder()
        var buffer = [UInt8](repeating: 0, count: 1024)
        while answersDue > 0, Poll.wait(descriptor: port.descriptor, events: Poll.readable, until: deadline, time: time) {
            let count = buffer.withUnsafeMutableBytes { read(port.descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            for case .reply(.status) in decoder.decode(buffer[..<count]) { answersDue -= 1 }
        }
        // Answers that come later than that are thrown away as far as they are here.
        if answersDue > 0 { repliesPending = true }
        answersDue = 0
    }

    private func send(_ bytes: [UInt8]) throws(TerminalError) {
        guard try !transfer(bytes) else { return }
        guard try transfer(Escape.cancel + bytes) else { throw TerminalError(.writeFailed, "write to", cause: EAGAIN) }
    }

    /// Writes all the bytes within the patience; false when the terminal did not take them.
    private func transfer(_ bytes: [UInt8]) throws(TerminalError) -> Bool {
        let deadline = time.now() + Self.patience
        var sent = 0
        while sent < bytes.count {
            if let count = try port.write(bytes, from: sent) {
                sent += count
            } else if !port.waitWritable(until: deadline, time: time) {
                return false
            }
        }
        return true
    }

    private func armCrashGuard() throws(TerminalError) {
        var saved = original
        let bytes = restoreBytes
        let status = clinux_crash_guard_arm(port.descriptor, &saved, bytes, bytes.count)
        guard status == 0 else { throw TerminalError(.modes, "guard the modes of", cause: -status) }
    }

    private func set(_ modes: termios) throws(TerminalError) {
        var modes = modes
        while tcsetattr(port.descriptor, TCSANOW, &modes) != 0 {
            guard errno == EINTR else { throw TerminalError(.modes, "set the modes of", cause: errno) }
        }
    }

    /// tcsetattr from a background job stops the process by SIGTTOU; on the way out the terminal matters more.
    private func setFromBackgroundToo(_ modes: termios) {
        var background = sigset_t(), former = sigset_t()
        sigemptyset(&background)
        sigaddset(&background, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &background, &former)
        var modes = modes
        while tcsetattr(port.descriptor, TCSANOW, &modes) != 0, errno == EINTR {}
        pthread_sigmask(SIG_SETMASK, &former, nil)
    }
}
