import AetherCore
import AetherTerminal

/// The help page's lines in columns: sections stay whole, in as few columns as are seen at once, else in as many as fit beside each
/// other. Pure.
struct HelpColumns {
    struct Line {
        var keys = ""
        var text = ""
        var isHeading = false
        fileprivate var keyColumns = 0, textColumns = 0

        /// A line; its widths are measured once, for a page is laid out in many ways before one is taken.
        init(keys: String = "", text: String = "", isHeading: Bool = false) {
            (self.keys, self.text, self.isHeading) = (keys, text, isHeading)
            (keyColumns, textColumns) = (ChromeText.columns(of: keys), ChromeText.columns(of: text))
        }
    }
    struct Column {
        let lines: [Line]
        let keyColumns: Int
        let columns: Int

        fileprivate init(_ sections: [Section]) {
            lines = Array(sections.map(\.lines).joined(separator: [Line()]))
            keyColumns = sections.map(\.keyColumns).max() ?? 0
            columns = Section.width(of: sections)
        }
    }
    /// A heading with its keys, and what is measured of it.
    fileprivate struct Section {
        let lines: [Line]
        let keyColumns: Int
        let headingColumns: Int
        let textColumns: Int

        init(_ lines: [Line]) {
            self.lines = lines
            keyColumns = lines.filter { !$0.text.isEmpty }.map(\.keyColumns).max() ?? 0
            // Keys with a line of their own take their room from there alone, as headings do.
            headingColumns = lines.map { $0.isHeading ? $0.textColumns : $0.text.isEmpty ? $0.keyColumns : 0 }.max() ?? 0
            textColumns = lines.filter { !$0.isHeading }.map(\.textColumns).max() ?? 0
        }

        /// The columns of sections that lie below one another.
        static func width(of sections: [Section]) -> Int {
            let keys = sections.map(\.keyColumns).max() ?? 0, text = sections.map(\.textColumns).max() ?? 0
            return max(sections.map(\.headingColumns).max() ?? 0, text > 0 ? keys + 2 + text : keys)
        }
    }
    static let gap = 3

    let columns: [Column]
    /// The number of keys, a line of the table each.
    let count: Int

    /// The table of a keymap, as far as it has all the words, as `TypedWords.folded` has them; in a room of so many columns and rows.
    init(_ keymap: Keymap, having words: [String], in room: CellSize, _ glyphs: Glyphs) {
        // Where the room is narrow, keys of more than half of it have a line of their own.
        let longest = room.columns < 60 ? max(8, room.columns / 2 - 3) : Int.max
        var count = 0
        let sections = Keymap.Section.allCases.map { section in
            let entries = keymap.entries.filter { $0.section == section && Self.has($0, words) }
            count += entries.count
            return [Line(text: glyphs.shown(section.title), isHeading: true)]
                + entries.flatMap { entry -> [Line] in
                    let keys = entry.keysLabel(unicode: glyphs.isUnicode), text = glyphs.shown(entry.words)
                    let isLong = ChromeText.columns(of: keys) > longest
                    return isLong ? [Line(keys: keys), Line(text: text)] : [Line(keys: keys, text: text)]
                }
        }.filter { $0.count > 1 }.map(Section.init)
        self.count = count
        columns = Self.packed(sections, into: room).map(Column.init)
    }

    var width: Int { columns.map(\.columns).reduce(0, +) + Self.gap * max(0, columns.count - 1) }
    var height: Int { columns.map(\.lines.count).max() ?? 0 }

    private static func has(_ entry: Keymap.Entry, _ words: [String]) -> Bool {
        guard !words.isEmpty else { return true }
        let actions = entry.bindings.count <= 4 ? entry.bindings.map(\.action) : []
        let text =
            [entry.section.title, entry.words, entry.section.rawValue, entry.description, entry.keysLabel()]
            + actions.flatMap(ActionSentence.synonyms)
        let folded = TypedWords.folded(text.joined(separator: " "))
        return words.allSatisfy { folded.contains($0) }
    }

    private static func packed(_ sections: [Section], into room: CellSize) -> [[Section]] {
        guard let tallest = sections.map(\.lines.count).max() else { return [] }
        let total = sections.map(\.lines.count).reduce(0, +) + sections.count - 1
        var best: [Range<Int>] = []
        for count in 1...sections.count {
            let fitting = (tallest...max(tallest, total)).lazy.map { stacked(sections, upTo: $0) }.first {
                $0.count <= count && width($0, of: sections) <= room.columns
            }
            guard let fitting else { continue }
            let height = height(fitting, of: sections)
            if best.isEmpty || height < self.height(best, of: sections) { best = fitting }
            if height <= room.rows { break }
        }
        return (best.isEmpty ? stacked(sections, upTo: total) : best).map { Array(sections[$0]) }
    }

    private static func width(_ columns: [Range<Int>], of sections: [Section]) -> Int {
        columns.map { Section.width(of: Array(sections[$0])) }.reduce(0, +) + gap * (columns.count - 1)
    }

    private static func height(_ columns: [Range<Int>], of sections: [Section]) -> Int {
        columns.map { rows(of: sections[$0]) }.max() ?? 0
    }

    private static func rows(of sections: ArraySlice<Section>) -> Int {
        sections.map(\.lines.count).reduce(0, +) + sections.count - 1
    }

    /// Sections below one another while they fit into a height, then in the next column.
    private static func stacked(_ sections: [Section], upTo height: Int) -> [Range<Int>] {
        var columns: [Range<Int>] = []
        for (index, section) in sections.enumerated() {
            if let last = columns.last, rows(of: sections[last]) + 1 + section.lines.count <= height {
                columns[columns.count - 1] = last.lowerBound..<index + 1
            } else {
                columns.append(index..<index + 1)
            }
        }
        return columns
    }
}
