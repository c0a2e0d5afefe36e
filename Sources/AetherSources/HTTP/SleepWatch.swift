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

/// The listeners, until they say that they want to hear no more. No weak references: they would make every retain of what is in the way of each piece
/// of bytes a slow one.
final class Sleepers: Sendable {
    private let all = Mutex<[ObjectIdentifier: any Sleeper]>([:])

    func add(_ sleeper: any Sleeper) { all.withLock { $0[ObjectIdentifier(sleeper)] = sleeper } }

    func remove(_ sleeper: any Sleeper) { _ = all.withLock { $0.removeValue(forKey: ObjectIdentifier(sleeper)) } }

    func tell() { for sleeper in all.withLock({ Array($0.values) }) { sleeper.wake() } }
}
