import AetherCore
import AetherTerminal

/// Every binding, written from the keymap: sections in as many columns as fit, in the middle of the screen, and where they do not fit on
/// pages.
enum HelpPane {
    private struct Line {
        var keys = ""
        var text = ""
        var isHeading = false
    }
    private struct Column {
        var lines: [Line]
        var keyColumns: Int { lines.map { ChromeText.columns(of: $0.keys) }.max() ?? 0 }
        var columns: Int {
            lines.map { $0.isHeading ? ChromeText.columns(of: $0.text) : keyColumns + 2 + ChromeText.columns(of: $0.text) }.max()
                ?? 0
        }
    }
    private static let gap = 3

    /// Rows above and below: none where each row counts.
    private static func margin(_ rows: Int) -> Int { rows >= 8 ? 1 : 0 }

    /// The number of pages that it takes on this screen.
    static func pageCount(_ scene: Scene) -> Int { layout(scene).pages.count }

    private static func layout(_ scene: Scene) -> (rows: Int, pages: [[Column]]) {
        // Over the bar too where there would be no room else.
        let rows = scene.bottom(atLeast: 6)
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let room = CellSize(columns: scene.size.columns - 4, rows: rows - 2 * margin(rows))
        let sections = lines(scene.keymap, glyphs)
        return (rows, packed(sections, into: room).map { [$0] } ?? flowed(sections, into: room, glyphs))
    }

    /// A page, from 0.
    static func pane(_ page: Int, _ scene: Scene) -> Pane {
        let (rows, pages) = layout(scene)
        let columns = pages.isEmpty ? [] : pages[min(page, pages.count - 1)]
        let height = columns.map(\.lines.count).max() ?? 0
        let inner = columns.map(\.columns).reduce(0, +) + gap * max(0, columns.count - 1)
        let margin = margin(rows)
        // What lies over the bar hides all of it.
        let coversBar = scene.barRect.map { rows > $0.row } ?? false
        let size = CellSize(
            columns: coversBar ? scene.size.columns : min(scene.size.columns, inner + 4), rows: min(rows, height + 2 * margin))
        let rect = CellRect(
            column: (scene.size.columns - size.columns) / 2, row: (rows - size.rows) / 2, columns: size.columns,
            rows: size.rows)
        var pane = Pane(.help, at: rect, fill: .pane)
        var left = min(2, max(0, (size.columns - 1) / 8))
        for column in columns {
            for (row, line) in column.lines.enumerated() {
                if line.isHeading {
                    pane.write(line.text, column: left, row: row + margin, .paneHeading)
                } else {
                    pane.write(line.keys, column: left, row: row + margin, .paneKey)
                    pane.write(line.text, column: left + column.keyColumns + 2, row: row + margin, .pane)
                }
            }
            left += column.columns + gap
        }
        return pane
    }

    private static func lines(_ keymap: Keymap, _ glyphs: Glyphs) -> [[Line]] {
        Keymap.Section.allCases.map { section in
            let entries = keymap.entries.filter { $0.section == section }
            return [Line(text: section.rawValue, isHeading: true)]
                + entries.map { Line(keys: $0.keysLabel(unicode: glyphs.isUnicode), text: glyphs.shown($0.description)) }
        }.filter { $0.count > 1 }
    }

    /// Whole sections in the fewest columns that fit, as low as possible; nil when they do not.
    private static func packed(_ sections: [[Line]], into room: CellSize) -> [Column]? {
        guard let tallest = sections.map(\.count).max() else { return [] }
        let total = sections.map(\.count).reduce(0, +) + sections.count - 1
        for count in 1...sections.count where tallest <= room.rows {
            for height in stride(from: max(tallest, total / count), through: room.rows, by: 1) {
                var columns = [Column(lines: [])]
                for section in sections {
                    let used = columns[columns.count - 1].lines.count
                    if used == 0 {
                        columns[columns.count - 1].lines = section
                    } else if used + 1 + section.count <= height {
                        columns[columns.count - 1].lines += [Line()] + section
                    } else {
                        columns.append(Column(lines: section))
                    }
                }
                let width = columns.map(\.columns).reduce(0, +) + gap * (columns.count - 1)
                if columns.count <= count, width <= room.columns { return columns }
            }
        }
        return nil
    }

    /// Lines of one column: a heading is never its last, for it would stand alone.
    private static func fill(_ lines: ArraySlice<Line>) -> [Line] {
        var lines = Array(lines)
        while lines.count > 1, lines[lines.count - 1].isHeading { lines.removeLast() }
        return lines
    }

    /// Sections broken over as many columns and pages as it takes; the last line of a page says how many keys are left.
    private static func flowed(_ sections: [[Line]], into room: CellSize, _ glyphs: Glyphs) -> [[Column]] {
        let lines = Array(sections.joined()), height = max(1, room.rows)
        var pages: [[Column]] = []
        var next = 0
        while next < lines.count {
            var columns: [Column] = []
            while next < lines.count {
                let column = Column(lines: fill(lines[next..<min(next + height, lines.count)]))
                let width = (columns + [column]).map(\.columns).reduce(0, +) + gap * columns.count
                if !columns.isEmpty, width > room.columns { break }
                columns.append(column)
                next += column.lines.count
            }
            if next < lines.count, height > 2 {
                var last = columns.removeLast()
                // Not a heading alone either.
                repeat {
                    last.lines.removeLast()
                    next -= 1
                } while last.lines.count > 1 && last.lines.last?.isHeading ?? false
                let missing = lines.dropFirst(next).count { !$0.isHeading }
                columns.append(
                    Column(lines: last.lines + [Line(text: "\(glyphs.ellipsis) \(missing) more: ? again", isHeading: true)]))
            }
            pages.append(columns)
        }
        return pages
    }
}
