import AetherCore

/// The part of the screen that lists leave for text. Pure.
enum FreeArea {
    /// A line of four words, and two lines of a cue with one free.
    private static let least = CellSize(columns: 24, rows: 3)

    /// The largest rectangle above a row that no list covers; nil where none has room for a cue.
    static func of(_ screen: CellSize, above bottom: Int, beside lists: [CellRect]) -> CellRect? {
        var area = CellRect(column: 0, row: 0, columns: screen.columns, rows: bottom)
        for list in lists where list.overlaps(area) {
            let right = list.column + list.columns, below = list.row + list.rows
            let end = (column: area.column + area.columns, row: area.row + area.rows)
            let parts = [
                CellRect(column: area.column, row: area.row, columns: list.column - area.column, rows: area.rows),
                CellRect(column: right, row: area.row, columns: end.column - right, rows: area.rows),
                CellRect(column: area.column, row: area.row, columns: area.columns, rows: list.row - area.row),
                CellRect(column: area.column, row: below, columns: area.columns, rows: end.row - below),
            ].filter { $0.columns >= least.columns && $0.rows >= least.rows }
            guard let largest = parts.max(by: { $0.columns * $0.rows < $1.columns * $1.rows }) else { return nil }
            area = largest
        }
        return area
    }
}
