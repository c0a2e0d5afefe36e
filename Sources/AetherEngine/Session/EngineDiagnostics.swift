public import Observation
import Synchronization

/// The counters of the engine's stages, for observers, who hear of them once a second at most, and only while they look. Any thread; never blocks.
public final class EngineDiagnostics: Sendable, Observable {
    private let registrar = ObservationRegistrar()
    private let beat: ObservationBeat
    private let source = Mutex<@Sendable () -> EngineSnapshot>({ EngineSnapshot() })

    init(beat: ObservationBeat = ObservationBeat(every: .seconds(1))) { self.beat = beat }

    /// Reads these snapshots from now on.
    func read(_ snapshot: @escaping @Sendable () -> EngineSnapshot) { source.withLock { $0 = snapshot } }

    /// The telemetry of the last second; nil while nothing is open.
    public var liveTelemetry: LiveTelemetry? {
        registrar.access(self, keyPath: \.liveTelemetry)
        beat.next { [weak self] in
            guard let self else { return }
            registrar.withMutation(of: self, keyPath: \.liveTelemetry) {}
        }
        return source.withLock { $0 }().telemetry
    }
}
