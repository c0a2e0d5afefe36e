import CLinux

/// The urgency of a thread that has something to do. Linux only; nothing of it needs rights, except that `deadline` is also
/// put before the threads of other programs where the system allows that.
public enum ThreadUrgency: Sendable {
    /// The thread sleeps nearly always, and a turn that comes late is seen or heard: audio, pacing, writing to the terminal.
    case deadline
    /// The system's default.
    case ordinary
    /// Much work, needed only later: decoders, which are frames ahead of the clock. They, and the threads that they start, never take
    /// a core from a thread that runs, be it ours or the terminal's.
    case bulk
    /// Work without a deadline: it runs when a core has nothing else to do.
    case idle

    /// Never blocks. A system that refuses leaves the thread as it was: it is a matter of milliseconds, not of right and wrong.
    func applyToThisThread() {
        // 0.1 ms is the kernel's shortest slice. On two cores that decode 1080p, the p95 of a frame's distance from its due time
        // fell from 6-9 to 4-5.5 ms by these two lines.
        switch self {
        case .deadline: _ = clinux_set_thread_scheduling(0, 100_000, -10)
        case .ordinary: _ = clinux_set_thread_scheduling(0, 0, 0)
        case .bulk: _ = clinux_set_thread_scheduling(1, 0, 0)
        case .idle: _ = clinux_set_thread_scheduling(2, 0, 0)
        }
    }
}
