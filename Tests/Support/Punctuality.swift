public import AetherCore

/// How late this machine let a thread of ours run, at worst, while it was watched: for claims about real time (no underrun, no stall),
/// which only hold where threads get their turns. Watches from its making on, by turns of 5 ms, until nobody has it any more.
public final class Punctuality: Sendable {
    private struct Watch {
        var worst = TimeSpan.zero
        /// All turns, and by how much those together came late that came too late for the timer's own slack.
        var watched = TimeSpan.zero, late = TimeSpan.zero
        var isOver = false
    }
    private let watch = Monitor(Watch())

    /// Begins to watch, with a thread as urgent as most are: those of sound come sooner.
    public init() {
        let watch = watch, turn = TimeSpan.milliseconds(5), slack = TimeSpan.milliseconds(0.5)
        _ = WorkerThread(name: "test-punctual") {
            let time = SystemTime()
            while true {
                let due = time.now() + turn
                let isOver: Bool? = watch.wait(until: due) { $0.isOver ? true : nil }
                if isOver == true { return }
                let late = time.now() - due
                watch.update {
                    $0.worst = max($0.worst, late)
                    $0.watched = $0.watched + turn + late
                    if late > slack { $0.late = $0.late + late }
                }
            }
        }
    }

    /// The longest time by which a turn came late so far. Any thread.
    public var worst: TimeSpan { watch.read { $0.worst } }

    /// Whether a claim about real time can be made: no turn came later than that, and few came late at all. Beside busy programs no turn may be late
    /// by 36 ms while 7 in 100 ms are spent waiting, which work between two deadlines does not bear; on a quiet machine it is under 1.
    public func kept(_ bound: TimeSpan) -> Bool {
        watch.read { $0.worst <= bound && $0.late.nanoseconds * 50 <= $0.watched.nanoseconds }
    }

    deinit { watch.update { $0.isOver = true } }
}
