public import AetherCore
import Glibc

/// An event that wakes the front end's main thread.
public enum TerminalEvent: Sendable, Equatable {
    /// Keys, mouse, paste, focus and replies, in the order they came; never empty.
    case input([InputEvent])
    case signal(TerminalSignal)
    /// The wake handle was signalled (and is drained).
    case wake
    /// The descriptor set as `TerminalEvents.file` is readable.
    case file
    /// The caller's deadline has passed.
    case timeout
    /// The terminal is gone; said once.
    case hangup
}

/// The main thread's one place to wait: terminal input, signals, and a handle that other threads wake.
///
/// Lives on one thread. A sequence that stays incomplete is resolved by its own deadline inside `next`: a lone ESC is the
/// Escape key after 40 ms (a round trip to a near host; every terminal writes its sequences in one piece).
public struct TerminalEvents {
    private let input: Int32
    private let signals: Signals?
    private let wake: WakeHandle?
    private let time: any TimeSource
    private var inputOpen: Bool
    private var resolveAt: HostTime?
    private var incompleteSince: HostTime?
    private var buffer = [UInt8](repeating: 0, count: 4096)
    /// Events behind a key that is a signal.
    private var waiting: [TerminalEvent] = []

    /// A descriptor whose readiness is `.file`; its owner reads it. -1 for none.
    public var file: Int32 = -1

    /// The decoder, for its settings (`pixelMouse`, `expectedCursorReports`).
    public var decoder = InputDecoder()

    /// Events of a non-blocking terminal descriptor (-1 for none), a signal source and a wake handle. The descriptor must
    /// outlive this value.
    public init(input: Int32, signals: Signals?, wake: WakeHandle?, time: any TimeSource = SystemTime()) {
        self.input = input
        self.signals = signals
        self.wake = wake
        self.time = time
        inputOpen = input >= 0
    }

    /// Blocks until something happens or the deadline has passed. Signals come before keys, keys before wakes.
    ///
    /// A terminal that speaks kitty's keyboard protocol says Ctrl-C, Ctrl-Z and Ctrl-\ in sequences of which the kernel makes no signals: they
    /// become the signals that they are in every other terminal, for the whole job: a pipeline stops and a script ends.
    public mutating func next(until deadline: HostTime?) -> TerminalEvent {
        if !waiting.isEmpty { return waiting.removeFirst() }
        let event = waitForOne(until: deadline)
        guard case .input(let inputs) = event, inputs.contains(where: { TerminalSignal($0) != nil }) else { return event }
        var plain: [InputEvent] = []
        for input in inputs {
            guard let signal = TerminalSignal(input) else {
                plain.append(input)
                continue
            }
            if !plain.isEmpty { waiting.append(.input(plain)) }
            plain = []
            // Ours is blocked, and comes as one of the kernel's does.
            if !tellJob(signal) { waiting.append(.signal(signal)) }
        }
        if !plain.isEmpty { waiting.append(.input(plain)) }
        return waiting.isEmpty ? next(until: deadline) : waiting.removeFirst()
    }

    /// Sends a signal of the keyboard to the job in the terminal's foreground; false where that is none that we hear of. One that stops it is sent when
    /// the terminal was given back: the shell is there at once.
    private func tellJob(_ signal: TerminalSignal) -> Bool {
        guard let signals, tcgetpgrp(input) == getpgrp() else { return false }
        if signal == .suspend {
            signals.stopJob()
            return false
        }
        return kill(0, signal.number) == 0
    }

    private mutating func waitForOne(until deadline: HostTime?) -> TerminalEvent {
        while true {
            let now = time.now()
            let earliest = [deadline, resolveAt].compactMap { $0 }.min()
            var descriptors = [
                pollfd(fd: signals?.descriptor ?? -1, events: Poll.readable, revents: 0),
                pollfd(fd: inputOpen ? input : -1, events: Poll.readable, revents: 0),
                pollfd(fd: wake?.descriptor ?? -1, events: Poll.readable, revents: 0),
                pollfd(fd: file, events: Poll.readable, revents: 0),
            ]
            let ready = poll(&descriptors, nfds_t(descriptors.count), Poll.timeout(until: earliest, now: now))
            if ready < 0 && errno != EINTR { return .hangup }
            if descriptors[0].revents != 0, let signal = signals?.next() { return .signal(signal) }
            if descriptors[1].revents != 0, let event = readInput() { return event }
            if let event = resolveIfDue() { return event }
            if descriptors[2].revents != 0 {
                wake?.drain()
                return .wake
            }
            if descriptors[3].revents != 0 { return .file }
            if let deadline, time.now() >= deadline { return .timeout }
        }
    }

    /// The event of an incomplete sequence once its time is up. Checked after reading, so that bytes which are already here
    /// are never overtaken by the clock.
    private mutating func resolveIfDue() -> TerminalEvent? {
        guard let due = resolveAt, time.now() >= due else { return nil }
        let events = decoder.resolve()
        waitForTheRest(isNew: true)
        return events.isEmpty ? nil : .input(events)
    }

    private mutating func readInput() -> TerminalEvent? {
        let count = buffer.withUnsafeMutableBytes { [input] in read(input, $0.baseAddress, $0.count) }
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return nil }
        guard count > 0 else {
            inputOpen = false
            resolveAt = nil
            return .hangup
        }
        let events = decoder.decode(buffer[..<count])
        // A full buffer may have cut a key in two.
        if count < buffer.count { decoder.pause() }
        waitForTheRest(isNew: !events.isEmpty)
        return events.isEmpty ? nil : .input(events)
    }

    /// Sets the time at which an incomplete sequence is given up. One that is older than a second is given up at the first pause of
    /// 200 ms: else each key typed into a string that the terminal never ends would put it off, and no key would ever get through.
    /// A flood without pauses is swallowed to its end.
    private mutating func waitForTheRest(isNew: Bool) {
        guard let patience = decoder.patience else {
            (resolveAt, incompleteSince) = (nil, nil)
            return
        }
        let now = time.now()
        let since = isNew ? now : incompleteSince ?? now
        incompleteSince = since
        let isOld = now - since > .seconds(1) && !decoder.isInPaste
        resolveAt = now + (isOld ? min(patience, .milliseconds(200)) : patience)
    }
}

extension TerminalSignal {
    /// The signal that the kernel's line discipline would have made of a key; in raw mode, with signals on, it comes as a key only where the terminal
    /// says it in a sequence.
    init?(_ input: InputEvent) {
        guard case .key(let key) = input, key.modifiers == .control else { return nil }
        switch key.key {
        case .character("c"): self = .interrupt
        case .character("z"): self = .suspend
        case .character("\\"): self = .quit
        default: return nil
        }
    }
}
