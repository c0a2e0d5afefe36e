import AetherCore
import AetherTerminal

/// The open telemetry. `TelemetryPane` draws it.
struct TelemetryLayer: Layer {
    var page = TelemetryPage.overview

    var level: LayerLevel { .page }

    func pane(in scene: Scene) -> Pane? { TelemetryPane.pane(page, scene) }

    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        stroke == KeyStroke(.escape) ? LayerOutcome(closes: true, .touchBar) : nil
    }

    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard isInside, event.action == .press, event.button == .left else { return nil }
        return LayerOutcome(.perform(.nextTelemetryPage))
    }
}
