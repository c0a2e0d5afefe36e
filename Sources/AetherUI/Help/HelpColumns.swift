import AetherCore
import AetherTerminal

/// The help page's lines in columns: sections stay whole, in as few columns as are seen at once, else in as many as fit beside each
/// other. Pure.
struct HelpColumns {
    struct Line {
        var keys = ""
        var text = ""
        var isHeading = false
    }
    struct Column {
        var lines: [Line]
        var keyColumns: Int { lines.map { ChromeText.columns(of: $0.keys) }.max() ?? 0 }
        var columns: Int {
            lines.map { $0.isHeading ? ChromeText.columns(of: $0.text) : keyColumns + 2 + ChromeText.columns(of: $0.text) }.max()
                ?? 0
        }
    }
    static let gap = 3

    let columns: [Column]
    /// The number of keys, a line of the table each.
    let count: Int

    /// The table of a keymap, as far as it has all the words, as `TypedWords.folded` has them; in a room of so many columns and rows.
    init(_ keymap: Keymap, having words: [String], in room: CellSize, _ glyphs: Glyphs) {
        let sections = Keymap.Section.allCases.map { section in
            let entries = keymap.entries.filter { $0.section == section && Self.has($0, words) }
            return [Line(text: section.rawValue, isHeading: true)]
                + entries.map { Line(keys: $0.keysLabel(unicode: glyphs.isUnicode), text: glyphs.shown($0.description)) }
        }.filter { $0.count > 1 }
        count = sections.map { $0.count - 1 }.reduce(0, +)
        columns = Self.packed(sections, into: room)
    }

    var width: Int { columns.map(\.columns).reduce(0, +) + Self.gap * max(0, columns.count - 1) }
    var height: Int { columns.map(\.lines.count).max() ?? 0 }

    private static func has(_ entry: Keymap.Entry, _ words: [String]) -> Bool {
        guard !words.isEmpty else { return true }
        let actions = entry.bindings.count <= 4 ? entry.bindings.map(\.action) : []
        let text = [entry.section.rawValue, entry.description, entry.keysLabel()] + actions.flatMap(ActionSentence.synonyms)
        let folded = TypedWords.folded(text.joined(separator: " "))
        return words.allSatisfy { folded.contains($0) }
    }

    private static func packed(_ sections: [[Line]], into room: CellSize) -> [Column] {
        guard let tallest = sections.map(\.count).max() else { return [] }
        let total = sections.map(\.count).reduce(0, +) + sections.count - 1
        var best: [Column] = []
        for count in 1...sections.count {
            let fitting = (tallest...max(tallest, total)).lazy.map { stacked(sections, upTo: $0) }.first {
                $0.count <= count && width($0) <= room.columns
            }
            guard let fitting else { continue }
            let height = fitting.map(\.lines.count).max() ?? 0
            if best.isEmpty || height < best.map(\.lines.count).max() ?? 0 { best = fitting }
            if height <= room.rows { return best }
        }
        return best.isEmpty ? stacked(sections, upTo: total) : best
    }

    private static func width(_ columns: [Column]) -> Int {
        columns.map(\.columns).reduce(0, +) + gap * (columns.count - 1)
    }

    /// Sections below one another while they fit into a height, then in the next column.
    private static func stacked(_ sections: [[Line]], upTo height: Int) -> [Column] {
        var columns = [Column(lines: [])]
        for section in sections {
            let last = columns.count - 1, used = columns[last].lines.count
            if used == 0 {
                columns[last].lines = section
            } else if used + 1 + section.count <= height {
                columns[last].lines += [Line()] + section
            } else {
                columns.append(Column(lines: section))
            }
        }
        return columns
    }
}
