import AetherCore
import Glibc

/// The CPU time of the calling thread, whatever else the machine is doing.
enum ThreadClock {
    /// The time used up so far. Never blocks.
    static var now: TimeSpan {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return TimeSpan(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    }
}
