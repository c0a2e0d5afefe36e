import Synchronization

/// The snapshots of an engine for those that are made before it. Any thread; never blocks.
final class SnapshotSource: Sendable {
    private let source = Mutex<@Sendable () -> EngineSnapshot>({ EngineSnapshot() })

    /// Those of an engine that is there by now.
    func connect(_ snapshot: @escaping @Sendable () -> EngineSnapshot) { source.withLock { $0 = snapshot } }

    /// The present one; that of an idle engine before.
    var current: EngineSnapshot { source.withLock { $0 }() }
}
