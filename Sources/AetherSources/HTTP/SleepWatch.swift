public import AetherCore
import Glibc
import Synchronization

/// Tells that the machine has slept: its boot-time clock has gone on while the monotonic one stood. Pure but for `present`.
public struct SleepWatch: Sendable {
    private var lead: TimeSpan?

    /// Less is the time between two readings, or a machine that was busy.
    private static let least = TimeSpan.seconds(1)

    /// A watch that has seen nothing yet.
    public init() {}

    /// Takes readings of both clocks, of one moment; returns whether the machine has slept since the last ones.
    public mutating func note(boot: TimeSpan, monotonic: TimeSpan) -> Bool {
        let now = boot - monotonic
        defer { lead = now }
        return lead.map { now - $0 >= Self.least } ?? false
    }

    /// Takes readings of the system's clocks.
    public mutating func look() -> Bool {
        func reading(_ clock: Int32) -> TimeSpan {
            var time = timespec()
            clock_gettime(clock, &time)
            return TimeSpan(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        }
        return note(boot: reading(CLOCK_BOOTTIME), monotonic: reading(CLOCK_MONOTONIC))
    }
}

/// Wants to hear that the machine has slept. Told on the thread `net`; must not block.
protocol Sleeper: AnyObject, Sendable {
    func wake()
}

/// The listeners, as long as they live.
final class Sleepers: Sendable {
    private struct Weak: Sendable {
        weak var sleeper: (any Sleeper)?
    }
    private let all = Mutex<[Weak]>([])

    func add(_ sleeper: any Sleeper) {
        all.withLock { all in
            all.removeAll { $0.sleeper == nil }
            all.append(Weak(sleeper: sleeper))
        }
    }

    func tell() { for weak in all.withLock({ $0 }) { weak.sleeper?.wake() } }
}
