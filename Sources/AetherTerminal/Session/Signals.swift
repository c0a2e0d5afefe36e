import CLinux
import Glibc
import Synchronization

/// A signal that the front end acts on.
public enum TerminalSignal: Sendable, Hashable, CaseIterable {
    /// SIGINT: Ctrl-C, or from outside.
    case interrupt
    case terminate
    /// SIGHUP: the terminal is gone, as a rule.
    case hangup
    /// SIGQUIT: Ctrl-\.
    case quit
    /// SIGWINCH: the size has changed.
    case resized
    /// SIGTSTP: Ctrl-Z.
    case suspend
    /// SIGCONT: we run again.
    case continued

    /// The system's number.
    public var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangup: SIGHUP
        case .quit: SIGQUIT
        case .resized: SIGWINCH
        case .suspend: SIGTSTP
        case .continued: SIGCONT
        }
    }

    /// Whether the program is to end by it.
    public var isFatal: Bool {
        switch self {
        case .interrupt, .terminate, .hangup, .quit: true
        case .resized, .suspend, .continued: false
        }
    }

    /// Gives the signal its default effect in this process: for a fatal one this does not return.
    public func raiseInThisProcess() { clinux_raise_default(number) }

    /// The signal of a number, if it is one of ours.
    public init?(number: Int32) {
        guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = signal
    }
}

/// A signalfd for every `TerminalSignal`. Make it on the main thread before any other thread starts: the signals are blocked
/// there, and threads inherit that. Signals that were ignored when we were started (nohup) stay ignored and never arrive.
public final class Signals: Sendable {
    /// The descriptor to poll for POLLIN. Owned.
    public let descriptor: Int32
    private let stopsJob = Atomic(false)

    /// Blocks the signals for this thread and those it will start.
    public init() throws(TerminalError) {
        let numbers = TerminalSignal.allCases.map(\.number)
        descriptor = clinux_signalfd(numbers, Int32(numbers.count))
        guard descriptor >= 0 else { throw TerminalError(.descriptors, "watch signals of", cause: -descriptor) }
    }

    deinit { close(descriptor) }

    /// The next pending signal, if there is one. Never blocks.
    public func next() -> TerminalSignal? {
        while true {
            let number = clinux_signalfd_read(descriptor)
            guard number > 0 else { return nil }
            if let signal = TerminalSignal(number: number) { return signal }
        }
    }

    /// Raises a fatal signal again with its default effect, so that the parent sees what ended us. Call after the terminal
    /// is restored; does not return for a fatal one.
    public func raiseAgain(_ signal: TerminalSignal) { signal.raiseInThisProcess() }

    /// The next `stopProcess` stops the whole job: a key has asked for it, of which the kernel makes no signal.
    func stopJob() { stopsJob.store(true, ordering: .relaxed) }

    /// Stops the process as Ctrl-Z would have, and returns once it runs again; the signal is then ours as before, and the
    /// SIGCONT is taken. Call between `TerminalSession.suspend` and `resume`. Returns at once where the process group is orphaned and cannot be
    /// stopped.
    public func stopProcess() {
        // Ours is blocked until the line below.
        if stopsJob.exchange(false, ordering: .relaxed) { kill(0, SIGTSTP) }
        clinux_raise_default(SIGTSTP)
        var ours = sigset_t()
        sigemptyset(&ours)
        sigaddset(&ours, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &ours, nil)
        // The SIGCONT that woke us is answered by our return; as an event it would redraw everything a second time.
        sigemptyset(&ours)
        sigaddset(&ours, SIGCONT)
        var atOnce = timespec()
        _ = sigtimedwait(&ours, nil, &atOnce)
    }
}
