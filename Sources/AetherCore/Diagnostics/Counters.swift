import Synchronization

/// Counters that stages raise and telemetry reads. Names are `stage.noun`, the same in the pane, the log and the docs.
public final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    /// A counter at 0.
    public init() {}

    /// Adds; negative amounts are for balances of live objects. Any thread, never blocks.
    public func add(_ amount: Int = 1) { value.add(amount, ordering: .relaxed) }

    /// Replaces the value: for figures that another library counts.
    public func set(_ newValue: Int) { value.store(newValue, ordering: .relaxed) }

    /// The present value.
    public var current: Int { value.load(ordering: .relaxed) }
}
