import AetherCore
import AetherEngine
import AetherTerminal

/// The visible cues as plain lines, centred above the bar, each on its own ground so that it can be read over any picture.
enum SubtitleLines {
    /// 8 lines: four cues of two lines at once; more is a broken file.
    static let limit = 8

    static func panes(_ model: AppModel, above lower: Pane?) -> [Pane] {
        let size = model.size, glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        guard size.columns >= 8, !model.snapshot.visibleCues.isEmpty else { return [] }
        // A tenth of the width stays free, as on television.
        let width = max(6, size.columns * 9 / 10 - 2)
        let cues = model.snapshot.visibleCues.suffix(limit)
        let lines = cues.flatMap { $0.lines.suffix(limit) }.flatMap {
            wrapped(glyphs.shown(DisplayText.singleLine($0)), to: width)
        }
        // One row of picture between text and what is below it, where there are rows to spare.
        let bottom = (lower?.rect.row ?? size.rows) - (size.rows >= 10 ? 1 : 0)
        let shown = lines.suffix(min(limit, max(0, bottom)))
        return shown.enumerated().map { index, line in
            let columns = ChromeText.columns(of: line) + 2
            let rect = CellRect(
                column: (size.columns - columns) / 2, row: bottom - shown.count + index, columns: columns, rows: 1)
            var pane = Pane(.subtitleLine(index), at: rect, fill: .subtitle)
            pane.write(line, column: 1, row: 0, .subtitle)
            return pane
        }
    }

    /// Breaks at spaces; words wider than a line (and scripts without spaces) break where the line is full.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = "", columns = 0
        func finish() {
            if !line.isEmpty { lines.append(line) }
            (line, columns) = ("", 0)
        }
        for word in text.split(separator: " ") {
            let wordColumns = ChromeText.columns(of: String(word))
            if columns > 0, columns + 1 + wordColumns > width { finish() }
            if columns > 0 {
                line += " "
                columns += 1
            }
            if wordColumns <= width {
                line += word
                columns += wordColumns
                continue
            }
            for scalar in word.unicodeScalars {
                let step = ChromeText.columns(of: scalar)
                if columns + step > width { finish() }
                line.unicodeScalars.append(scalar)
                columns += step
            }
        }
        finish()
        return lines
    }
}
