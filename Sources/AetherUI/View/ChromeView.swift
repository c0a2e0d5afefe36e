import AetherCore
public import AetherTerminal

/// The whole chrome: all panes of a model, and drawing them.
public enum ChromeView {
    /// What the model looks like, lowest pane first. Pure; compare with the last to see whether anything must be drawn.
    public static func panes(_ model: AppModel) -> [Pane] {
        let bar = TransportBar.pane(model)
        let flash = FlashLine.pane(model, above: bar)
        var panes = SoundPanes.panes(model)
        if let bar { panes.append(bar) }
        if let flash { panes.append(flash) }
        return panes + model.layers.order.compactMap { pane($0, model, above: bar) }
    }

    /// A layer as it is drawn; nil where nothing of it has room.
    static func pane(_ layer: Layer, _ model: AppModel, above bar: Pane?) -> Pane? {
        switch layer {
        case .telemetry: TelemetryPane.pane(model, above: bar)
        case .scrub: ScrubView.pane(model, above: bar)
        case .cueList: CueListPane(model, above: bar)?.pane
        case .equalizer: EqualizerPane(model, above: bar)?.pane
        case .notices: NoticePane(model, above: bar)?.pane
        case .browser: BrowserPane(model, above: bar)?.pane
        case .menu: MenuPane(model, above: bar)?.pane
        case .palette: PalettePane(model, above: bar)?.pane
        case .help: HelpPane.pane(model, above: bar)
        }
    }

    /// The subtitles of a model, drawn under the panes. Pure.
    static func subtitles(_ model: AppModel) -> [SubtitleLine] {
        let bar = TransportBar.pane(model)
        let lines = SubtitleView.lines(model, above: bar ?? FlashLine.pane(model, above: bar))
        // What is looked at lies over what is said meanwhile.
        guard let rect = ScrubView.pictureRect(model, above: bar) else { return lines }
        return lines.filter { line in
            !(rect.row..<rect.row + rect.rows).contains(line.row) || line.column >= rect.column + rect.columns
                || line.column + line.columns <= rect.column
        }
    }

    /// Makes the screen show exactly these panes. The thread that owns the screen; never blocks.
    public static func draw(_ panes: [Pane], into screen: inout NcursesScreen) {
        for window in screen.visibleWindows where window.rawValue >= panes.count { screen.hide(window) }
        // Windows lie as their numbers do: the order of the panes is the only one.
        for (number, pane) in panes.enumerated() {
            let window = WindowID(rawValue: number)
            screen.show(window, at: pane.rect, fill: pane.fill.chromeRole)
            for run in pane.runs { screen.put(run.text, column: run.column, row: run.row, in: window, role: run.role) }
        }
    }
}
