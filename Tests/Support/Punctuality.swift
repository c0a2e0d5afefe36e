public import AetherCore

/// How late this machine let a thread of ours run, at worst, while it was watched: for claims about real time (no underrun, no stall),
/// which only hold where threads get their turns. Watches from its making on, by turns of 5 ms, until nobody has it any more.
public final class Punctuality: Sendable {
    private struct Watch {
        var worst = TimeSpan.zero
        var isOver = false
    }
    private let watch = Monitor(Watch())

    /// Begins to watch, with a thread as urgent as most are: those of sound come sooner.
    public init() {
        let watch = watch
        _ = WorkerThread(name: "test-punctual") {
            let time = SystemTime()
            while true {
                let due = time.now() + .milliseconds(5)
                let isOver: Bool? = watch.wait(until: due) { $0.isOver ? true : nil }
                if isOver == true { return }
                let late = time.now() - due
                watch.update { $0.worst = max($0.worst, late) }
            }
        }
    }

    /// The longest time by which a turn came late so far. Any thread.
    public var worst: TimeSpan { watch.read { $0.worst } }

    /// Whether a claim about real time can be made: no turn came later than that.
    public func kept(_ bound: TimeSpan) -> Bool { worst <= bound }

    deinit { watch.update { $0.isOver = true } }
}
