import AetherCore
import AetherTerminal

/// The palette at the top of the picture, where the eye expects a line to type in: what was typed, an action a row with its keys at the
/// right, and a line that says what is wrong. Where it lies is a value of its own, so that clicks find what was drawn.
struct PalettePane {
    let rect: CellRect
    /// What is seen of `Palette.found`, from the row under the line on.
    let window: Range<Int>
    private let palette: Palette
    private let glyphs: Glyphs

    /// 76: the longest name, the longest description and three keys.
    private static let widest = 76
    /// Twelve actions: the picture goes on below them.
    private static let mostRows = 12
    /// Margin, selection before the name; a margin and the scroll bar behind.
    private static let lead = 3, trail = 2

    /// The layout of the palette; nil when it is not open or nothing of it would fit.
    init?(_ model: AppModel, above bar: Pane?) {
        guard let palette = model.palette else { return nil }
        self.palette = palette
        glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        let size = model.size
        let bottom = bar.map { $0.rect.row >= 5 ? $0.rect.row : size.rows } ?? size.rows
        guard bottom >= 3, size.columns >= 16 else { return nil }
        let columns = min(size.columns, Self.widest)
        let margin = bottom >= 16 ? 1 : 0
        rect = CellRect(
            column: (size.columns - columns) / 2, row: margin, columns: columns, rows: min(bottom - margin, Self.mostRows + 2))
        window = palette.window(rows: rect.rows - 2)
    }

    /// How many actions a screen has room for: what page keys move by.
    static func pageRows(_ model: AppModel) -> Int {
        PalettePane(model, above: TransportBar.pane(model)).map { max(1, $0.rect.rows - 2) } ?? 1
    }

    /// The action at a cell of the screen, as an index into `Palette.found`; nil where there is none.
    func item(column: Int, row: Int) -> Int? {
        guard contains(column: column, row: row) else { return nil }
        let index = window.lowerBound + (row - rect.row - 1)
        return row > rect.row && window.contains(index) ? index : nil
    }

    /// Whether a cell of the screen is the palette's.
    func contains(column: Int, row: Int) -> Bool {
        (rect.column..<rect.column + rect.columns).contains(column) && (rect.row..<rect.row + rect.rows).contains(row)
    }

    var pane: Pane {
        var pane = Pane(.palette, at: rect, fill: .pane)
        let room = rect.columns - 3
        let right = palette.ordinal
        let rightColumns = ChromeText.columns(of: right)
        // Of a long line the end is seen: that is where one types.
        var typed = ":" + glyphs.shown(palette.query) + "_"
        while ChromeText.columns(of: typed) > max(2, room - rightColumns - 1) { typed.removeFirst() }
        pane.write(typed, column: 1, row: 0, .paneKey)
        pane.write(right, column: rect.columns - 2 - rightColumns, row: 0, .paneLabel)
        // Names stand in one column: as wide as the widest of all, so that it does not jump while one types.
        let names = palette.entries.map { ChromeText.columns(of: $0.name) }.max() ?? 0
        for (row, index) in window.enumerated() { write(index, names: names, row: row + 1, &pane) }
        if window.isEmpty { pane.write(clipped(palette.remark, rect.columns - 4), column: 2, row: 1, .paneLabel) }
        writeScrollBar(into: &pane)
        let note = palette.complaint ?? "Enter do it  Tab complete  Esc close"
        pane.write(
            clipped(note, rect.columns - 2), column: 1, row: rect.rows - 1, palette.complaint == nil ? .paneLabel : .paneWarning)
        return pane
    }

    private func clipped(_ text: String, _ room: Int) -> String {
        ChromeText.clipped(glyphs.shown(text), to: max(0, room), ellipsis: glyphs.ellipsis)
    }

    private func write(_ index: Int, names: Int, row: Int, _ pane: inout Pane) {
        let entry = palette.entries[palette.found[index]]
        let isSelected = index == palette.selection
        if isSelected {
            pane.write(String(repeating: " ", count: rect.columns - 2), column: 1, row: row, .paneSelected)
            pane.write(glyphs.isUnicode ? "›" : ">", column: 1, row: row, .paneSelected)
        }
        let room = rect.columns - Self.lead - Self.trail
        let keys = clipped(entry.keys, max(0, room / 3))
        let keyColumns = ChromeText.columns(of: keys)
        pane.write(
            keys, column: rect.columns - Self.trail - keyColumns, row: row, isSelected ? .paneSelected : .paneKey)
        let left = keys.isEmpty ? room : room - keyColumns - 2
        pane.write(clipped(entry.name, left), column: Self.lead, row: row, isSelected ? .paneSelected : .paneValue)
        // Twelve cells of a description are a word of it.
        guard left - names - 2 >= 12 else { return }
        pane.write(
            clipped(entry.description, left - names - 2), column: Self.lead + names + 2, row: row,
            isSelected ? .paneSelected : .paneLabel)
    }

    /// In the last column, where not everything is seen.
    private func writeScrollBar(into pane: inout Pane) {
        let rows = window.count, total = palette.found.count
        guard rows >= 2, rows < total else { return }
        let length = max(1, rows * rows / total)
        let first = window.lowerBound * (rows - length) / max(1, total - rows)
        for row in 0..<rows {
            let isThumb = (first..<first + length).contains(row)
            let sign = glyphs.isUnicode ? (isThumb ? "┃" : "│") : (isThumb ? "#" : "|")
            pane.write(sign, column: rect.columns - 1, row: row + 1, isThumb ? .paneKey : .paneLabel)
        }
    }
}
