import AetherCore

extension PenPlane {
    /// Text has wiped what was painted into these cells. Returns whether there is any.
    mutating func forgetText(_ placement: PixelPlacement, _ coverage: borrowing CellCoverage) -> Bool {
        let cells = placement.cells
        var hasText = false
        for row in 0..<cells.rows {
            let start = (cells.row + row) * coverage.size.columns + cells.column
            for column in 0..<cells.columns where coverage.states[start + column] != .clear {
                hasText = true
                forget(
                    columns: column * placement.cell.width..<min((column + 1) * placement.cell.width, width),
                    rows: row * placement.cell.height..<min((row + 1) * placement.cell.height, height))
            }
        }
        return hasText
    }

    /// Wants nothing in the cells of a row that are covered, so that nothing is painted there.
    mutating func leaveText(row y: Int, _ placement: PixelPlacement, _ coverage: borrowing CellCoverage) {
        let cells = placement.cells
        let start = (cells.row + y / placement.cell.height) * coverage.size.columns + cells.column
        for column in 0..<cells.columns where coverage.states[start + column] == .covered {
            leave(row: y, columns: column * placement.cell.width..<min((column + 1) * placement.cell.width, width))
        }
    }
}
