public import AetherCore

/// Text in cells, measured in columns. Scalars without a width of their own (combining marks, joiners) and those that may not
/// reach a terminal are dropped: a cell holds one scalar.
public enum CellText {
    /// Columns that a text takes.
    public static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.isShown ? ScalarWidth.of($1) : 0) }
    }

    /// Writes a text into a row and returns the columns used. Nothing is written outside the grid or past `columns`; a wide
    /// character that would be cut in half is left out and ends the text. `cell` gives colours and style.
    @discardableResult
    public static func put(
        _ text: String, into grid: inout CellGrid, at position: CellPosition, columns: Int = .max, like cell: Cell = .blank
    ) -> Int {
        guard position.row >= 0, position.row < grid.size.rows, position.column >= 0, position.column < grid.size.columns else {
            return 0
        }
        let limit = min(max(0, columns), grid.size.columns - position.column)
        var used = 0
        for scalar in text.unicodeScalars where scalar.isShown {
            let width = ScalarWidth.of(scalar)
            if width == 0 { continue }
            if used + width > limit { break }
            var written = cell
            written.glyph = scalar.value
            grid[position.column + used, position.row] = written
            if width == 2 {
                written.glyph = 0
                grid[position.column + used + 1, position.row] = written
            }
            used += width
        }
        return used
    }

    /// As much of a text as fits the columns, its end marked with an ellipsis where it is cut.
    public static func clipped(_ text: String, columns: Int) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var result = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars where scalar.isShown {
            used += ScalarWidth.of(scalar)
            if used > columns - 1 { break }
            result.append(scalar)
        }
        result.append("…")
        return String(result)
    }
}

extension Unicode.Scalar {
    /// Whether text output lets the scalar through.
    fileprivate var isShown: Bool { !DisplayText.isUnsafe(self) }
}
