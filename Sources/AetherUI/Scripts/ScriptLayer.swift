import AetherCore
import AetherTerminal

/// Lines that a person's program has on the screen, at the top right. Only read.
struct ScriptLayer: Layer {
    /// Safe to display.
    let lines: [String]

    var level: LayerLevel { .page }

    func pane(in scene: Scene) -> Pane? {
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let bottom = scene.bottom(), room = scene.size.columns - 2
        let shown = lines.prefix(max(0, bottom)).map { glyphs.line($0, to: room) }
        guard let widest = shown.map({ ChromeText.columns(of: $0) }).max(), room >= 1 else { return nil }
        let columns = min(scene.size.columns, widest + 2), margin = scene.size.columns > columns + 1 ? 1 : 0
        var pane = Pane(
            .script,
            at: CellRect(
                column: scene.size.columns - columns - margin, row: min(margin, max(0, bottom - shown.count)), columns: columns,
                rows: shown.count), fill: .pane)
        for (row, line) in shown.enumerated() { pane.write(line, column: 1, row: row, .paneValue) }
        return pane
    }

    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        stroke == KeyStroke(.escape) ? LayerOutcome(closes: true) : nil
    }

    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? { nil }
}
