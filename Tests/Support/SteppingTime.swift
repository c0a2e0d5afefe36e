public import AetherCore
import Synchronization

/// A clock that goes on by one step each time that it is looked at: what waits with patience has looked so often, and no machine is too slow
/// for that. Where a wait asks the system, which knows nothing of this clock, the step says how much of the wait really passes: a third of
/// the patience for three short waits.
public final class SteppingTime: TimeSource {
    private let clock = ManualTime(HostTime(nanoseconds: 1_000_000_000_000))
    private let step: Atomic<Int64>

    /// A clock that stands until it is looked at.
    public init(step: TimeSpan = .milliseconds(1)) { self.step = Atomic(step.nanoseconds) }

    public func now() -> HostTime {
        clock.advance(by: TimeSpan(nanoseconds: step.load(ordering: .relaxed)))
        return clock.now()
    }

    /// From now on a look costs so much; zero: the clock stands.
    public func go(by span: TimeSpan) { step.store(span.nanoseconds, ordering: .relaxed) }

    /// Moves the clock on by hand.
    public func advance(by span: TimeSpan) { clock.advance(by: span) }
}
