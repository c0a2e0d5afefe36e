import AetherCore
import AetherTerminal

/// Every key with what it does, in the middle of the screen: a heading, the columns side by side, which scroll together, and a line of
/// what one can do here.
struct HelpPane {
    /// Its rows are those of the highest column.
    let frame: ListFrame
    private let help: HelpLayer
    private let content: HelpColumns
    private let closing: String

    var rect: CellRect { frame.rect }

    /// The layout of the help; nil where nothing of it has room.
    init?(_ help: HelpLayer, _ scene: Scene) {
        self.help = help
        // Over the bar too where there would be no room else.
        let bottom = scene.bottom(atLeast: 6), size = scene.size
        guard bottom >= 3, size.columns >= 16 else { return nil }
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let margin = bottom >= 16 ? 1 : 0
        let room = CellSize(columns: size.columns - 2 - ListFrame.trail, rows: bottom - 2 * margin - 2)
        content = HelpColumns(scene.keymap, having: help.typed.folded, in: room, glyphs)
        // The same place and size whatever is found: it would jump under the hand that types.
        let whole = help.typed.isEmpty ? content : HelpColumns(scene.keymap, having: [], in: room, glyphs)
        // A pane over the bar hides all of it.
        let coversBar = scene.barRect.map { bottom > $0.row } ?? false
        let wanted = whole.width + 2 + ListFrame.trail
        // One column beside it is no margin.
        let columns = coversBar || wanted >= size.columns - 1 ? size.columns : wanted
        let rows = min(bottom - 2 * margin, whole.height + 2)
        let rect = CellRect(column: (size.columns - columns) / 2, row: (bottom - rows) / 2, columns: columns, rows: rows)
        frame = ListFrame(
            rect: rect, window: ListCursor.window(from: help.top, rows: rows - 2, of: content.height), total: content.height,
            glyphs: glyphs)
        closing = translated("\(scene.keymap.label(of: .toggleHelp, unicode: glyphs.isUnicode) ?? "Esc") close")
    }

    var pane: Pane {
        var pane = Pane(.help, at: rect, fill: .pane)
        let right = help.isFiltering ? frame.typed("/", help.typed.text, rect.columns / 2) : "\(content.count)"
        let room = frame.writeAtRight(right, help.isFiltering ? .paneKey : .paneLabel, into: &pane)
        pane.write(frame.clipped(translated("Keys"), room), column: 1, row: 0, .paneHeading)
        var left = 1
        for column in content.columns {
            for (row, index) in frame.window.enumerated() where index < column.lines.count {
                let line = column.lines[index], width = rect.columns - ListFrame.trail - left
                if line.isHeading {
                    pane.write(frame.clipped(line.text, width), column: left, row: row + 1, .paneHeading)
                } else {
                    pane.write(frame.clipped(line.keys, width), column: left, row: row + 1, .paneKey)
                    let place = column.keyColumns + 2
                    pane.write(frame.clipped(line.text, width - place), column: left + place, row: row + 1, .pane)
                }
            }
            left += column.columns + HelpColumns.gap
        }
        frame.writeEmptiness(translated("No key has these words"), into: &pane)
        frame.writeScrollBar(into: &pane)
        let scrolls =
            frame.window.count < frame.total ? translated("\(frame.glyphs.isUnicode ? "↑ ↓" : "Up Down") scroll") + "  " : ""
        frame.writeNote(
            scrolls + (help.isFiltering ? translated("Esc all keys") : translated("/ filter") + "  " + closing), into: &pane)
        return pane
    }
}
