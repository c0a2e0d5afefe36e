import AetherCore
import AetherTerminal

/// The facts of the present source, in the middle of the screen: a label and its value a row, under headings.
struct InfoPane {
    let frame: ListFrame
    private let lines: [InfoLines.Line]

    /// 90: wider, eyes lose the row.
    private static let widest = 90
    private static let labelColumns = 12

    /// The layout of the pane; nil where nothing of it has room.
    init?(_ info: InfoLayer, _ scene: Scene) {
        let size = scene.size, bottom = scene.bottom()
        guard bottom >= 3, size.columns >= 16 else { return nil }
        lines = InfoLines.of(scene)
        let columns = size.columns - 1 <= Self.widest ? size.columns : Self.widest
        let margin = bottom >= 16 ? 1 : 0
        let rows = min(bottom - 2 * margin, max(1, lines.count) + 2)
        let rect = CellRect(column: (size.columns - columns) / 2, row: margin, columns: columns, rows: rows)
        frame = ListFrame(
            rect: rect, window: ListCursor.window(from: info.top, rows: rows - 2, of: lines.count), total: lines.count,
            glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
    }

    var pane: Pane {
        let rect = frame.rect
        var pane = Pane(.info, at: rect, fill: .pane)
        pane.write(frame.clipped(translated("Information"), rect.columns - 3), column: 1, row: 0, .paneHeading)
        let place = 2 + Self.labelColumns
        for (row, index) in frame.window.enumerated() {
            let line = lines[index]
            if line.isHeading {
                pane.write(frame.clipped(line.label, rect.columns - 3), column: 1, row: row + 1, .paneHeading)
                continue
            }
            pane.write(frame.clipped(line.label, Self.labelColumns - 1), column: 2, row: row + 1, .paneLabel)
            pane.write(frame.clipped(line.value, rect.columns - place - 2), column: place, row: row + 1, .paneValue)
        }
        frame.writeEmptiness(translated("Nothing plays"), into: &pane)
        frame.writeScrollBar(into: &pane)
        let scrolls =
            frame.window.count < frame.total ? translated("\(frame.glyphs.isUnicode ? "↑ ↓" : "Up Down") scroll") + "  " : ""
        frame.writeNote(scrolls + translated("Esc close"), into: &pane)
        return pane
    }
}
