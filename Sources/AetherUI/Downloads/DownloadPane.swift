import AetherCore
import AetherEngine
import AetherTerminal

/// The downloads, over the video: two rows each, the title, and below it a gauge with figures.
struct DownloadPane {
    /// The rows of the frame are those of `Scene.downloads`.
    let frame: ListFrame
    private let list: DownloadList
    private let scene: Scene

    /// 100: wider, eyes lose the row.
    private static let widest = 100
    /// "complete, 999.99 MB", "42 %, 12.34 MB/s, 1:02:03 left".
    private static let figureColumns = 34
    /// A gauge of fewer columns says nothing.
    private static let leastGauge = 8

    /// The layout; nil where nothing of it would fit.
    init?(_ list: DownloadList, _ scene: Scene) {
        (self.list, self.scene) = (list, scene)
        let size = scene.size, bottom = scene.bottom()
        guard bottom >= 3, size.columns >= 20 else { return nil }
        let columns = min(size.columns, Self.widest), margin = bottom >= 16 ? 1 : 0, count = scene.downloads.count
        let rows = min(bottom - 2 * margin, 30, max(1, count) + 2)
        let rect = CellRect(column: (size.columns - columns) / 2, row: margin, columns: columns, rows: rows)
        frame = ListFrame(
            rect: rect, window: list.cursor.window(rows: rows - 2, of: count), total: count,
            glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
    }

    var pane: Pane {
        var pane = Pane(.downloads, at: frame.rect, fill: .pane)
        let running = scene.downloads.count { $0.state == .running }
        let room = frame.writeAtRight(running > 0 ? translated("\(running) running") : "", .paneLabel, into: &pane)
        pane.write(frame.clipped(translated("Downloads"), room), column: 1, row: 0, .paneHeading)
        for (row, place) in frame.window.enumerated() { write(scene.downloads[place], place, row + 1, &pane) }
        frame.writeEmptiness(translated("No downloads: \(keepKey) downloads what plays from the web"), into: &pane)
        frame.writeScrollBar(into: &pane)
        note(&pane)
        return pane
    }

    private var keepKey: String { scene.keymap.label(of: .keepSource, unicode: scene.capabilities.isUnicode) ?? "O" }

    /// Title, gauge, figures in one row; the gauge goes first where there is no room.
    private func write(_ entry: DownloadEntry, _ place: Int, _ row: Int, _ pane: inout Pane) {
        let isSelected = place == list.cursor.row
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        func role(_ other: ThemeRole) -> ThemeRole { isSelected ? .paneSelected : other }
        let inner = frame.rect.columns - 3 - ListFrame.trail
        let figures = min(Self.figureColumns, inner / 2), gauge = max(0, min(24, inner - figures - 24))
        let hasGauge = gauge >= Self.leastGauge
        let title = inner - figures - 1 - (hasGauge ? gauge + 1 : 0)
        pane.write(frame.clipped(entry.title, title), column: 3, row: row, role(.paneValue))
        var column = 3 + title + 1
        if hasGauge {
            if !entry.hasFailed { pane.write(bar(entry, gauge), column: column, row: row, role(.paneKey)) }
            column += gauge + 1
        }
        pane.write(
            frame.clipped(DisplayText.singleLine(entry.words, limit: 200), figures), column: column, row: row,
            role(entry.hasFailed ? .paneWarning : .paneLabel))
    }

    private func bar(_ entry: DownloadEntry, _ columns: Int) -> String {
        let share = entry.state == .complete ? 1 : entry.progress.fraction ?? 0
        let full = Int((share * Double(columns)).rounded(.down))
        let (done, open) = frame.glyphs.isUnicode ? ("━", "─") : ("#", "-")
        return String(repeating: done, count: full) + String(repeating: open, count: columns - full)
    }

    private func note(_ pane: inout Pane) {
        guard scene.downloads.indices.contains(list.cursor.row) else {
            return frame.writeNote(translated("Esc close"), into: &pane)
        }
        let entry = scene.downloads[list.cursor.row]
        if list.doomed == entry.number {
            return frame.writeNote(translated("x again: remove \(entry.folder)  Esc keep it"), .paneWarning, into: &pane)
        }
        if case .failed(let reason) = entry.state {
            return frame.writeNote(translated("Enter try again  x remove") + "  " + reason, .paneWarning, into: &pane)
        }
        let verb =
            entry.state == .running
            ? translated("Enter stop") + "  " : entry.state == .stopped ? translated("Enter go on") + "  " : ""
        frame.writeNote(verb + translated("x remove  Esc close") + "  " + entry.folder, into: &pane)
    }
}
