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
        if let scrub = ScrubView.pane(model, above: bar) { panes.append(scrub) }
        if let telemetry = TelemetryPane.pane(model, above: bar) { panes.append(telemetry) }
        if let list = CueListPane(model, above: bar) { panes.append(list.pane) }
        if let equalizer = EqualizerPane(model, above: bar) { panes.append(equalizer.pane) }
        if let notices = NoticePane(model, above: bar) { panes.append(notices.pane) }
        if let browser = BrowserPane(model, above: bar) { panes.append(browser.pane) }
        if let menu = MenuPane(model, above: bar) { panes.append(menu.pane) }
        if let palette = PalettePane(model, above: bar) { panes.append(palette.pane) }
        if let help = HelpPane.pane(model, above: bar) { panes.append(help) }
        return panes
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
        for window in screen.visibleWindows where !panes.contains(where: { $0.window == window }) { screen.hide(window) }
        for pane in panes {
            screen.show(pane.window, at: pane.rect, fill: pane.fill.chromeRole)
            for run in pane.runs { screen.put(run.text, column: run.column, row: run.row, in: pane.window, role: run.role) }
        }
    }
}
