import AetherCore
import AetherTerminal

/// The palette at the top of the screen, where the eye expects a line to type in: what was typed, an action a row with its keys at the
/// right, and a line that says what is wrong. Where it lies is a value of its own, so that clicks find what was drawn.
struct PalettePane {
    /// The rows of the frame are those of `Palette.found`.
    let frame: ListFrame
    private let palette: Palette

    /// 76: the longest name, the longest description and three keys.
    private static let widest = 76
    /// Twelve actions: the video goes on below them.
    private static let mostRows = 12
    /// Margin, selection before the name.
    private static let lead = 3

    /// The layout of a palette; nil when nothing of it would fit.
    init?(_ palette: Palette, _ scene: Scene) {
        self.palette = palette
        let size = scene.size
        let bottom = scene.bottom()
        guard bottom >= 3, size.columns >= 16 else { return nil }
        let columns = min(size.columns, Self.widest)
        let margin = bottom >= 16 ? 1 : 0
        let rect = CellRect(
            column: (size.columns - columns) / 2, row: margin, columns: columns, rows: min(bottom - margin, Self.mostRows + 2))
        frame = ListFrame(
            rect: rect, window: palette.window(rows: rect.rows - 2), total: palette.found.count,
            glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
    }

    private var rect: CellRect { frame.rect }

    var pane: Pane {
        var pane = Pane(.palette, at: rect, fill: .pane)
        let room = frame.writeAtRight(palette.ordinal, .paneLabel, into: &pane)
        pane.write(frame.typed(":", palette.query, room), column: 1, row: 0, .paneKey)
        // Names stand in one column: as wide as the widest of all, so that it does not jump while the person types.
        let names = palette.entries.map { ChromeText.columns(of: $0.name) }.max() ?? 0
        for (row, index) in frame.window.enumerated() { write(index, names: names, row: row + 1, &pane) }
        frame.writeEmptiness(palette.remark, into: &pane)
        frame.writeScrollBar(into: &pane)
        let note = palette.complaint ?? translated("Enter run  Tab complete  Esc close")
        frame.writeNote(note, palette.complaint == nil ? .paneLabel : .paneWarning, into: &pane)
        return pane
    }

    private func write(_ index: Int, names: Int, row: Int, _ pane: inout Pane) {
        let entry = palette.entries[palette.found[index]]
        let isSelected = index == palette.selection
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        let room = rect.columns - Self.lead - ListFrame.trail
        let keys = frame.clipped(entry.keys, max(0, room / 3))
        let keyColumns = ChromeText.columns(of: keys)
        pane.write(
            keys, column: rect.columns - ListFrame.trail - keyColumns, row: row, isSelected ? .paneSelected : .paneKey)
        let left = keys.isEmpty ? room : room - keyColumns - 2
        pane.write(frame.clipped(entry.name, left), column: Self.lead, row: row, isSelected ? .paneSelected : .paneValue)
        // Twelve cells of a description are a word of it.
        guard left - names - 2 >= 12 else { return }
        pane.write(
            frame.clipped(entry.description, left - names - 2), column: Self.lead + names + 2, row: row,
            isSelected ? .paneSelected : .paneLabel)
    }
}
