public import AetherCore
import Glibc

/// The CPU time that work has cost, whatever else the machine is doing.
public enum CPUTime {
    /// The CPU time of the calling thread.
    public static var ofThread: TimeSpan {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return .seconds(Double(now.tv_sec) + Double(now.tv_nsec) / 1e9)
    }
}
