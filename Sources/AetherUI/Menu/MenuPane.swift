import AetherCore
import AetherTerminal

/// A menu over the video, above the bar, at the right or over the word that was clicked: its heading, then an entry a row. Where it lies is a value of its own, so
/// that clicks find what was drawn.
struct MenuPane {
    /// The rows of the frame are the items.
    let frame: ListFrame
    private let menu: Menu
    private let hasFoot: Bool

    /// 76: a language, a name, codec, channels and three flags.
    private static let widest = 76
    /// Margin, selection, mark, space before the label.
    private static let lead = 4

    /// The layout of a menu; nil when nothing of it would fit.
    init?(_ menu: Menu, _ scene: Scene) {
        self.menu = menu
        let size = scene.size
        let bottom = scene.bottom(atLeast: 4)
        guard bottom >= 2, size.columns >= Self.lead + ListFrame.trail + 1 else { return nil }
        // The foot is there where rows are left for a list.
        hasFoot = bottom >= 7
        // A filter leaves the pane as it is: nothing jumps below the words.
        let rows = min(menu.all.count, bottom - (hasFoot ? 2 : 1))
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let labels = menu.all.map { ChromeText.columns(of: glyphs.shown($0.label)) }.max() ?? 0
        let details = menu.all.map { ChromeText.columns(of: glyphs.shown($0.detail)) }.max() ?? 0
        let wanted = Self.lead + labels + (details > 0 ? details + 2 : 0) + ListFrame.trail
        // As wide as the keys take that only this list has.
        let own = menu.kind == .files ? Self.keys(of: menu, glyphs).dropLast().joined(separator: "  ") : ""
        let columns = min(max(wanted, 24, ChromeText.columns(of: own) + 2), MenuPane.widest, size.columns)
        let margin = size.columns > columns + 1 ? 1 : 0
        let usual = size.columns - columns - margin
        let left = menu.anchor.map { max(0, min(usual, $0 - columns / 2)) } ?? usual
        let height = rows + (hasFoot ? 2 : 1)
        let rect = CellRect(column: left, row: bottom - height, columns: columns, rows: height)
        frame = ListFrame(rect: rect, window: menu.window(rows: rows), total: menu.items.count, glyphs: glyphs)
    }

    private var rect: CellRect { frame.rect }
    private var glyphs: Glyphs { frame.glyphs }

    var pane: Pane {
        var pane = Pane(.menu, at: rect, fill: .pane)
        writeHeading(into: &pane)
        for (row, index) in frame.window.enumerated() {
            write(menu.items[index], isSelected: index == menu.selection, row: row + 1, &pane)
        }
        frame.writeEmptiness(translated("Nothing found"), into: &pane)
        frame.writeScrollBar(into: &pane)
        let hints = menu.filter == nil ? Self.keys(of: menu, glyphs) : [translated("Enter choose"), translated("Esc all")]
        if hasFoot { frame.writeNote(hints.joined(separator: "  "), into: &pane) }
        return pane
    }

    /// The keys of this menu, the most useful first.
    private static func keys(of menu: Menu, _ glyphs: Glyphs) -> [String] {
        let (arrows, left) = glyphs.isUnicode ? ("↑ ↓", "←") : ("Up Down", "Left")
        return switch menu.kind {
        case .files:
            [
                translated("Enter play"), translated("/ filter"), translated("Del remove"), translated("Shift+\(arrows) move"),
                translated("Esc close"),
            ]
        case .themes: [translated("Enter keep"), translated("/ filter"), translated("Esc back")]
        case .actions: [translated("Enter run"), translated("/ filter"), translated("\(left) menu"), translated("Esc close")]
        case .video where menu.hasQualities:
            [translated("Enter choose"), translated("/ filter"), translated("Alt+Enter at once"), translated("Esc close")]
        default: [translated("Enter choose"), translated("/ filter"), translated("Esc close")]
        }
    }

    private func writeHeading(into pane: inout Pane) {
        let half = (rect.columns - 3) / 2, isTyped = menu.filter != nil || !menu.typed.isEmpty
        let right =
            menu.filter.map { frame.typed("/", $0.text, half) }
            ?? frame.clipped(menu.typed.isEmpty ? menu.ordinal : menu.typed + "_", half)
        let room = frame.writeAtRight(right, isTyped ? .paneKey : .paneLabel, into: &pane)
        pane.write(frame.clipped(menu.kind.title, room), column: 1, row: 0, .paneHeading)
    }

    private func write(_ item: MenuItem, isSelected: Bool, row: Int, _ pane: inout Pane) {
        let inner = rect.columns - 2
        if item.isSeparator {
            pane.write(String(repeating: glyphs.isUnicode ? "─" : "-", count: inner), column: 1, row: row, .paneLabel)
            return
        }
        let room = rect.columns - Self.lead - ListFrame.trail
        guard item.choice != nil else {
            pane.write(
                glyphs.line(item.label, to: inner), column: 1, row: row,
                .paneLabel)
            return
        }
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        if item.isPresent { pane.write(glyphs.isUnicode ? "•" : "*", column: 2, row: row, isSelected ? .paneSelected : .paneKey) }
        let detail = detail(item, room: room)
        let detailColumns = ChromeText.columns(of: detail)
        let labelRoom = detail.isEmpty ? room : room - detailColumns - 2
        pane.write(
            glyphs.line(item.label, to: labelRoom), column: Self.lead,
            row: row,
            isSelected ? .paneSelected : .paneValue)
        pane.write(
            detail, column: rect.columns - ListFrame.trail - detailColumns, row: row, isSelected ? .paneSelected : .paneLabel)
    }

    /// The label comes first: the detail gets what it leaves, half of the room at least, and is left out under six cells.
    private func detail(_ item: MenuItem, room: Int) -> String {
        let label = ChromeText.columns(of: glyphs.shown(item.label))
        let limit = max(room / 2, room - label - 2) - (label + 2 > room / 2 ? 1 : 0)
        guard limit >= 6 else { return "" }
        return glyphs.line(item.detail, to: min(limit, room - 4))
    }
}
