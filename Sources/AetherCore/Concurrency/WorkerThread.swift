import CLinux
import Glibc

/// A named thread for work that blocks in C. The handles it uses are born in its body and die with it, on that thread.
public final class WorkerThread: Sendable {
    private let thread: pthread_t
    private enum Phase { case running, joining, joined }
    private let phase = Monitor(Phase.running)
    /// Among the threads that take turns, where its maker is one of them.
    private let seat: TurnSeat?

    private final class Start: Sendable {
        let name: String
        let urgency: ThreadUrgency
        let seat: TurnSeat?
        let body: @Sendable () -> Void
        init(name: String, urgency: ThreadUrgency, seat: TurnSeat?, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.urgency = urgency
            self.seat = seat
            self.body = body
        }
    }

    /// Starts the thread at once. `name` is what `top -H` shows (15 bytes at most). Traps if the system has no thread to give:
    /// nothing of a player works then.
    public init(name: String, urgency: ThreadUrgency = .ordinary, _ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        seat = TurnSeat.current?.turns.sit()
        let start = Unmanaged.passRetained(Start(name: name, urgency: urgency, seat: seat, body: body))
        let status = pthread_create(
            &thread, nil,
            { context in
                let start = Unmanaged<Start>.fromOpaque(context!).takeRetainedValue()
                _ = clinux_set_thread_name(String(start.name.prefix(15)))
                start.urgency.applyToThisThread()
                start.seat?.take()
                start.body()
                start.seat?.leave()
                return nil
            }, start.toOpaque())
        precondition(status == 0, "cannot start thread \(name): \(String(cString: strerror(status)))")
        self.thread = thread
    }

    deinit {
        // No thread will ask for it any more: the system frees the stack when the body returns.
        if phase.read({ $0 }) == .running { pthread_detach(thread) }
    }

    /// Runs a body that blocks on a thread of its own, and gives its value to a task: the cooperative pool is as wide as the machine
    /// has cores, and must not block.
    public static func value<Value: Sendable>(
        name: String, urgency: ThreadUrgency = .ordinary, of body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: name, urgency: urgency) { continuation.resume(returning: body()) }
        }
    }

    /// Blocks until the body has returned; several threads may wait. Call it from outside the thread.
    public func join() {
        let isFirst = phase.update { phase -> Bool in
            guard phase == .running else { return false }
            phase = .joining
            return true
        }
        if isFirst {
            if let seat { TurnSeat.current?.wait(for: seat) }
            pthread_join(thread, nil)
            phase.update { $0 = .joined }
        } else {
            _ = phase.wait { $0 == .joined ? true : nil }
        }
    }
}
