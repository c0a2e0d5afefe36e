import AetherCore
import AetherTerminal

/// What was said unasked, over the picture: the time and the sentence, the newest at the bottom; long ones take several rows.
struct NoticePane {
    let rect: CellRect
    /// One row of the list.
    private struct Line {
        let time: String
        let text: String
        let isError: Bool
    }
    private let lines: [Line]
    private let window: Range<Int>
    private let count: Int
    private let glyphs: Glyphs

    /// 100: wider, eyes lose the row.
    private static let widest = 100
    /// "21:04:09" and a gap.
    private static let timeColumns = 10

    /// The layout; nil when it is not open or nothing of it would fit.
    init?(_ model: AppModel, above bar: Pane?) {
        guard model.notices.isOpen else { return nil }
        let glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        self.glyphs = glyphs
        let size = model.size
        // Over the bar too where there would be no room else.
        let bottom = bar.map { $0.rect.row >= 5 ? $0.rect.row : size.rows } ?? size.rows
        guard bottom >= 3, size.columns >= 16 else { return nil }
        let columns = min(size.columns, Self.widest), margin = bottom >= 16 ? 1 : 0
        rect = CellRect(column: (size.columns - columns) / 2, row: margin, columns: columns, rows: min(bottom - 2 * margin, 40))
        let hasTimes = columns >= 40
        let room = columns - 3 - (hasTimes ? Self.timeColumns : 0)
        lines = model.notices.entries.flatMap { entry in
            let text = glyphs.shown(entry.text) + (entry.count > 1 ? " (\(entry.count) times)" : "")
            let rows = TextLayout.lines([text], width: max(1, room)).map(\.text)
            return rows.enumerated().map { number, row in
                Line(time: number == 0 && hasTimes ? entry.time : "", text: row, isError: entry.isError)
            }
        }
        count = model.notices.entries.count
        window = model.notices.window(of: lines.count, rows: rect.rows - 2)
    }

    /// All rows, and those that are seen at once.
    var extent: (total: Int, seen: Int) { (lines.count, rect.rows - 2) }

    /// Whether a cell of the screen is the pane's.
    func contains(column: Int, row: Int) -> Bool {
        (rect.column..<rect.column + rect.columns).contains(column) && (rect.row..<rect.row + rect.rows).contains(row)
    }

    var pane: Pane {
        var pane = Pane(.notices, at: rect, fill: .pane)
        let total = "\(count)"
        pane.write(clipped("Notices and errors", rect.columns - 4 - total.count), column: 1, row: 0, .paneHeading)
        pane.write(total, column: rect.columns - 2 - total.count, row: 0, .paneLabel)
        let column = rect.columns >= 40 ? 1 + Self.timeColumns : 1
        for (row, index) in window.enumerated() {
            let line = lines[index]
            pane.write(line.time, column: 1, row: row + 1, .paneLabel)
            pane.write(
                clipped(line.text, rect.columns - column - 2), column: column, row: row + 1,
                line.isError ? .paneWarning : .paneValue)
        }
        if lines.isEmpty { pane.write(clipped("Nothing was said so far", rect.columns - 4), column: 2, row: 1, .paneLabel) }
        writeScrollBar(into: &pane)
        let arrows = glyphs.isUnicode ? "↑ ↓" : "Up Down"
        pane.write(clipped("\(arrows) older, newer  Esc close", rect.columns - 2), column: 1, row: rect.rows - 1, .paneLabel)
        return pane
    }

    private func clipped(_ text: String, _ room: Int) -> String {
        ChromeText.clipped(text, to: max(0, room), ellipsis: glyphs.ellipsis)
    }

    /// In the last column, where not everything is seen.
    private func writeScrollBar(into pane: inout Pane) {
        let rows = window.count, total = lines.count
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
