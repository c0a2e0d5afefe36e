import AetherCore
import AetherTerminal

/// The open telemetry. `TelemetryPane` draws it.
struct TelemetryLayer: Layer {
    var page = TelemetryPage.overview
    /// The layer closes by itself then; nil: it stays.
    var until: HostTime?

    var level: LayerLevel { .page }

    func due(after snapshot: HostTime) -> HostTime? { until }

    mutating func expire(at now: HostTime) -> LayerOutcome? {
        until.map { now >= $0 } == true ? LayerOutcome(closes: true) : nil
    }

    func pane(in scene: Scene) -> Pane? { TelemetryPane.pane(page, scene) }

    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        stroke == KeyStroke(.escape) ? LayerOutcome(closes: true, .touchBar) : nil
    }

    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard isInside, event.action == .press, event.button == .left else { return nil }
        return LayerOutcome(.perform(.nextTelemetryPage))
    }
}
