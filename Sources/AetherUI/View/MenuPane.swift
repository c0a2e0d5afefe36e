import AetherCore
import AetherTerminal

/// A menu over the picture, at the right above the bar: its heading, then an entry a row. Where it lies is a value of its own, so
/// that clicks find what was drawn.
struct MenuPane {
    /// Where the menu lies on the screen.
    let rect: CellRect
    /// The items seen, from the row under the heading on.
    let window: Range<Int>
    private let menu: Menu
    private let glyphs: Glyphs

    /// 76: a language, a name, codec, channels and three flags.
    private static let widest = 76
    /// Margin, selection, mark, space before the label; a margin and the scroll bar behind the detail.
    private static let lead = 4, trail = 2

    /// The layout of the open menu; nil when none is open or nothing of it would fit.
    init?(_ model: AppModel, above bar: Pane?) {
        guard let menu = model.menu else { return nil }
        self.menu = menu
        glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        let size = model.size
        // Over the bar too where there would be no room else.
        let bottom = bar.map { $0.rect.row >= 4 ? $0.rect.row : size.rows } ?? size.rows
        guard bottom >= 2, size.columns >= MenuPane.lead + MenuPane.trail + 1 else { return nil }
        let rows = min(menu.items.count, bottom - 1)
        let shown = glyphs
        let labels = menu.items.map { ChromeText.columns(of: shown.shown($0.label)) }.max() ?? 0
        let details = menu.items.map { ChromeText.columns(of: shown.shown($0.detail)) }.max() ?? 0
        let wanted = MenuPane.lead + labels + (details > 0 ? details + 2 : 0) + MenuPane.trail
        let columns = min(max(wanted, 24), MenuPane.widest, size.columns)
        let margin = size.columns > columns + 1 ? 1 : 0
        rect = CellRect(column: size.columns - columns - margin, row: bottom - rows - 1, columns: columns, rows: rows + 1)
        window = menu.window(rows: rows)
    }

    /// How many items a screen has room for: what page keys move by.
    static func pageRows(_ model: AppModel) -> Int { MenuPane(model, above: TransportBar.pane(model))?.window.count ?? 1 }

    /// The item at a cell of the screen; nil outside the items.
    func item(column: Int, row: Int) -> Int? {
        guard contains(column: column, row: row), row > rect.row else { return nil }
        return window.lowerBound + (row - rect.row - 1)
    }

    /// Whether a cell of the screen is the menu's.
    func contains(column: Int, row: Int) -> Bool {
        (rect.column..<rect.column + rect.columns).contains(column) && (rect.row..<rect.row + rect.rows).contains(row)
    }

    var pane: Pane {
        var pane = Pane(.menu, at: rect, fill: .pane)
        writeHeading(into: &pane)
        for (row, index) in window.enumerated() {
            write(menu.items[index], isSelected: index == menu.selection, row: row + 1, &pane)
        }
        writeScrollBar(into: &pane)
        return pane
    }

    private func writeHeading(into pane: inout Pane) {
        let room = rect.columns - 3
        let right = menu.typed.isEmpty ? menu.ordinal : glyphs.shown(menu.typed) + "_"
        let shownRight = ChromeText.clipped(right, to: room / 2, ellipsis: glyphs.ellipsis)
        let rightColumns = ChromeText.columns(of: shownRight)
        let title = ChromeText.clipped(menu.kind.title, to: max(0, room - rightColumns - 1), ellipsis: glyphs.ellipsis)
        pane.write(title, column: 1, row: 0, .paneHeading)
        pane.write(shownRight, column: rect.columns - 2 - rightColumns, row: 0, menu.typed.isEmpty ? .paneLabel : .paneKey)
    }

    private func write(_ item: MenuItem, isSelected: Bool, row: Int, _ pane: inout Pane) {
        let inner = rect.columns - 2
        if item.isSeparator {
            pane.write(String(repeating: glyphs.isUnicode ? "─" : "-", count: inner), column: 1, row: row, .paneLabel)
            return
        }
        let room = rect.columns - MenuPane.lead - MenuPane.trail
        guard item.choice != nil else {
            pane.write(
                glyphs.line(item.label, to: inner), column: 1, row: row,
                .paneLabel)
            return
        }
        if isSelected {
            pane.write(String(repeating: " ", count: inner), column: 1, row: row, .paneSelected)
            pane.write(glyphs.isUnicode ? "›" : ">", column: 1, row: row, .paneSelected)
        }
        if item.isPresent { pane.write(glyphs.isUnicode ? "•" : "*", column: 2, row: row, isSelected ? .paneSelected : .paneKey) }
        let detail = detail(item, room: room)
        let detailColumns = ChromeText.columns(of: detail)
        let labelRoom = detail.isEmpty ? room : room - detailColumns - 2
        pane.write(
            glyphs.line(item.label, to: labelRoom), column: MenuPane.lead,
            row: row,
            isSelected ? .paneSelected : .paneValue)
        pane.write(
            detail, column: rect.columns - MenuPane.trail - detailColumns, row: row, isSelected ? .paneSelected : .paneLabel)
    }

    /// The label comes first: the detail gets what it leaves, half of the room at least, and is left out under six cells.
    private func detail(_ item: MenuItem, room: Int) -> String {
        let label = ChromeText.columns(of: glyphs.shown(item.label))
        let limit = max(room / 2, room - label - 2) - (label + 2 > room / 2 ? 1 : 0)
        guard limit >= 6 else { return "" }
        return glyphs.line(item.detail, to: min(limit, room - 4))
    }

    /// In the last column, where not everything is seen.
    private func writeScrollBar(into pane: inout Pane) {
        let rows = window.count, total = menu.items.count
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
