import AetherCore
import AetherTerminal

/// Every binding, written from the keymap: sections in as many columns as fit, in the middle of the picture.
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

    static func pane(_ model: AppModel, above bar: Pane?) -> Pane? {
        guard model.showsHelp else { return nil }
        // Over the bar too where there would be no room else.
        let rows = bar.map { $0.rect.row >= 6 ? $0.rect.row : model.size.rows } ?? model.size.rows
        let glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        let room = CellSize(columns: model.size.columns - 4, rows: rows - 2)
        let sections = lines(model.keymap, glyphs)
        let columns = packed(sections, into: room) ?? flowed(sections, into: room, glyphs)
        let height = columns.map(\.lines.count).max() ?? 0
        let inner = columns.map(\.columns).reduce(0, +) + gap * max(0, columns.count - 1)
        let size = CellSize(columns: min(model.size.columns, inner + 4), rows: min(rows, height + 2))
        let rect = CellRect(
            column: (model.size.columns - size.columns) / 2, row: (rows - size.rows) / 2, columns: size.columns,
            rows: size.rows)
        var pane = Pane(.help, at: rect, fill: .pane)
        var left = min(2, max(0, (size.columns - 1) / 8))
        for column in columns {
            for (row, line) in column.lines.enumerated() {
                if line.isHeading {
                    pane.write(line.text, column: left, row: row + 1, .paneHeading)
                } else {
                    pane.write(line.keys, column: left, row: row + 1, .paneKey)
                    pane.write(line.text, column: left + column.keyColumns + 2, row: row + 1, .pane)
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

    /// Sections broken over as many columns as fit; where that is not enough, cut, with a word on where the rest is.
    private static func flowed(_ sections: [[Line]], into room: CellSize, _ glyphs: Glyphs) -> [Column] {
        let lines = Array(sections.joined())
        let height = max(1, room.rows)
        var columns: [Column] = []
        var next = 0
        while next < lines.count {
            let column = Column(lines: Array(lines[next..<min(next + height, lines.count)]))
            let width = (columns + [column]).map(\.columns).reduce(0, +) + gap * columns.count
            if !columns.isEmpty, width > room.columns { break }
            columns.append(column)
            next += column.lines.count
        }
        guard next < lines.count, let last = columns.last?.lines.last else { return columns }
        let missing = lines.dropFirst(next).count { !$0.isHeading } + (last.isHeading ? 0 : 1)
        let rest = Line(text: "\(glyphs.ellipsis) \(missing) more: man aether-tui", isHeading: true)
        columns[columns.count - 1].lines[columns[columns.count - 1].lines.count - 1] = rest
        return columns
    }
}
