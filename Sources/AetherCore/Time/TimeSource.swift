import Glibc
import Synchronization

/// The source of "now". Policies take time as an argument; only threads ask for it.
public protocol TimeSource: Sendable {
    /// The present host time. Never blocks.
    func now() -> HostTime
}

/// CLOCK_MONOTONIC.
public struct SystemTime: TimeSource {
    /// The system's clock.
    public init() {}

    /// CLOCK_MONOTONIC. Any thread; never blocks.
    public func now() -> HostTime {
        var ts = timespec()
        clock_gettime(CLOCK_MONOTONIC, &ts)
        return HostTime(nanoseconds: Int64(ts.tv_sec) * 1_000_000_000 + Int64(ts.tv_nsec))
    }
}

/// A clock that moves only when it is told to: the time of tests and simulations.
public final class ManualTime: TimeSource {
    private let current: Atomic<Int64>

    /// A clock that stands at the given time.
    public init(_ start: HostTime = HostTime(nanoseconds: 0)) { current = Atomic(start.nanoseconds) }

    /// The time that was set last. Any thread; never blocks.
    public func now() -> HostTime { HostTime(nanoseconds: current.load(ordering: .acquiring)) }

    /// Moves the clock on. Any thread.
    public func advance(by span: TimeSpan) { current.add(span.nanoseconds, ordering: .acquiringAndReleasing) }
}
