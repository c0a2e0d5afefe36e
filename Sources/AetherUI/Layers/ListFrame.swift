import AetherCore
import AetherTerminal

/// A list over the video: where it lies, what of it is seen, and what all such lists draw alike. A value, so that clicks find what was
/// drawn. Its first row is a heading; a row that says something may stand at the foot.
struct ListFrame {
    let rect: CellRect
    /// The rows of the list that are seen, from the row under the heading on.
    let window: Range<Int>
    /// The number of rows of the list.
    let total: Int
    let glyphs: Glyphs

    /// A margin and the scroll bar behind each row.
    static let trail = 2

    /// Whether a cell of the screen is the list's.
    func contains(column: Int, row: Int) -> Bool { rect.contains(column: column, row: row) }

    /// The row of the list at a cell of the screen, counted from its first; nil where there is none.
    func item(column: Int, row: Int) -> Int? {
        guard contains(column: column, row: row) else { return nil }
        let index = window.lowerBound + (row - rect.row - 1)
        return row > rect.row && window.contains(index) ? index : nil
    }

    /// Whether a cell of the screen is one of the scroll bar.
    func isBar(column: Int, row: Int) -> Bool {
        column == rect.column + rect.columns - 1 && row > rect.row && row <= rect.row + window.count && barRow(at: row) != nil
    }

    /// The row of the list that a row of the screen stands for on the scroll bar, its ends beyond it; nil where there is no bar.
    func barRow(at row: Int) -> Int? {
        let rows = window.count
        guard rows >= 2, rows < total else { return nil }
        return min(max(0, row - rect.row - 1), rows - 1) * (total - 1) / (rows - 1)
    }

    /// The number of rows that a screen has room for between heading and foot: page keys move by so many.
    var pageRows: Int { max(1, rect.rows - 2) }

    // MARK: - Words

    /// The beginning of a text that fits.
    func clipped(_ text: String, _ room: Int) -> String {
        ChromeText.clipped(glyphs.shown(text), to: max(0, room), ellipsis: glyphs.ellipsis)
    }

    /// The text being typed, behind its sign. Of a long line the end is seen: that is where a person types.
    func typed(_ sign: String, _ query: String, _ room: Int) -> String {
        var line = sign + glyphs.shown(query) + "_"
        while ChromeText.columns(of: line) > max(2, room) { line.removeFirst() }
        return line
    }

    // MARK: - What all lists draw

    /// A word at the right of the heading, before the column of the scroll bar; returns the room that it leaves at the left.
    func writeAtRight(_ text: String, _ role: ThemeRole, into pane: inout Pane) -> Int {
        let columns = ChromeText.columns(of: text)
        pane.write(text, column: rect.columns - 2 - columns, row: 0, role)
        return rect.columns - 3 - columns - 1
    }

    /// The ground of the row that is selected, and its sign.
    func writeSelection(row: Int, into pane: inout Pane) {
        pane.write(String(repeating: " ", count: rect.columns - 2), column: 1, row: row, .paneSelected)
        pane.write(glyphs.isUnicode ? "›" : ">", column: 1, row: row, .paneSelected)
    }

    /// The words that stand there where there is no row.
    func writeEmptiness(_ text: String, into pane: inout Pane) {
        if window.isEmpty { pane.write(clipped(text, rect.columns - 4), column: 2, row: 1, .paneLabel) }
    }

    /// The line at the foot: a sentence, or hints with two spaces between them, of which as many are written as fit whole.
    func writeNote(_ text: String, _ role: ThemeRole = .paneLabel, into pane: inout Pane) {
        let room = rect.columns - 2
        pane.write(clipped(Self.whole(text, room), room), column: 1, row: rect.rows - 1, role)
    }

    /// As many hints of a line as fit whole, from the first on.
    static func whole(_ line: String, _ room: Int) -> String {
        guard ChromeText.columns(of: line) > room else { return line }
        var hints = line.split(separator: "  ").map(String.init)
        while hints.count > 1, ChromeText.columns(of: hints.joined(separator: "  ")) > room { hints.removeLast() }
        return hints.joined(separator: "  ")
    }

    /// In the last column, where not everything is seen.
    func writeScrollBar(into pane: inout Pane) {
        let rows = window.count
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
