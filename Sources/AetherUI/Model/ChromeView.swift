import AetherCore
import AetherRender
public import AetherTerminal

/// The whole chrome: all panes of a model, and drawing them.
public enum ChromeView {
    /// The panes of the model, the lowest first. Pure; compare with the last to see whether anything must be drawn.
    public static func panes(_ model: AppModel) -> [Pane] {
        let scene = model.scene
        let panes = panes(model, scene)
        guard !scene.capabilities.isUnicode else { return panes }
        // Words of a language with other letters than ASCII's.
        let glyphs = Glyphs(isUnicode: false)
        return panes.map { pane in
            var pane = pane
            for index in pane.runs.indices { pane.runs[index].text = glyphs.shown(pane.runs[index].text) }
            return pane
        }
    }

    private static func panes(_ model: AppModel, _ scene: Scene) -> [Pane] {
        SongPanes.panes(scene) + MosaicPanes.panes(model.layers[Mosaic.self], scene)
            + [TransportBar.pane(scene), FlashLine.pane(scene, isIdle: model.browser == nil)].compactMap { $0 }
            + model.layers.order.flatMap { layer -> [Pane] in
                guard let pane = layer.pane(in: scene) else { return [] }
                guard layer.level != .preview, let edge = PaneEdge.pane(around: pane.rect, in: scene) else { return [pane] }
                return [edge, pane]
            }
    }

    /// The subtitles of a model, drawn under the panes. Pure.
    static func subtitles(_ model: AppModel) -> [SubtitleLine] {
        let scene = model.scene
        let lists = model.layers.order.filter { $0.level == .list }.compactMap { layer in
            layer.rect(in: scene).map { PaneEdge.rect(around: $0, in: scene) }
        }
        let lines = SubtitleView.lines(scene, above: scene.barRect ?? FlashLine.pane(scene)?.rect, beside: lists)
        // The scrub preview lies over the subtitles.
        guard let rect = model.scrub.flatMap({ ScrubView.imageRect($0, scene) }) else { return lines }
        return lines.filter { line in
            !(rect.row..<rect.row + rect.rows).contains(line.row) || line.column >= rect.column + rect.columns
                || line.column + line.columns <= rect.column
        }
    }

    /// The preview of the scrubbed time, else the frame of the file selected in the browser, or the logo of the channel that is; nil where there is
    /// neither.
    static func inset(_ model: AppModel) -> ChromeInset? {
        if let scrub = model.scrub, let still = scrub.still, let inset = ScrubView.inset(scrub, model.scene) {
            return ChromeInset(image: inset, number: still.number, isOverText: false)
        }
        if let inspector = model.layers.top(.list) as? Inspector { return inspector.inset(in: model.scene) }
        if let channels = model.layers.top(.list) as? Channels, let image = model.glance.image,
            let inset = ChannelsPane(channels, model.scene)?.inset(image.image, cellAspect: model.scene.cellAspect)
        {
            return ChromeInset(image: inset, number: image.number, isOverText: true)
        }
        guard let browser = model.layers.top(.list) as? Browser, let image = model.glance.image,
            let inset = BrowserPane(browser, model.scene)?.inset(image.image, cellAspect: model.scene.cellAspect)
        else { return nil }
        return ChromeInset(image: inset, number: image.number, isOverText: true)
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
