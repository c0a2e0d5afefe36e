public import Observation

/// The counters of the engine's stages, for observers, who hear of them once a second at most, and only while they look. Any thread; never blocks.
public final class EngineDiagnostics: Sendable, Observable {
    private let registrar = ObservationRegistrar()
    private let beat: ObservationBeat
    private let source: SnapshotSource

    init(_ source: SnapshotSource, beat: ObservationBeat = ObservationBeat(every: .seconds(1))) {
        (self.source, self.beat) = (source, beat)
    }

    /// The telemetry of the last second; nil while nothing is open.
    public var liveTelemetry: LiveTelemetry? {
        registrar.access(self, keyPath: \.liveTelemetry)
        beat.next { [weak self] in
            guard let self else { return }
            registrar.withMutation(of: self, keyPath: \.liveTelemetry) {}
        }
        return source.current.telemetry
    }
}
