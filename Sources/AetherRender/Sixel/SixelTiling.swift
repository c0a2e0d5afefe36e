import AetherCore

/// A rectangle of the image whose sequences start at rows of cells. Pixels count from the image's top left corner.
struct SixelTile: Sendable, Equatable {
    /// The cell that a sequence for the first band starts at.
    var row: Int, column: Int
    /// The first row of its first band; above `rows` where only that ends a band with the screen.
    var top: Int
    /// The part that may be painted.
    var rows: Range<Int>, columns: Range<Int>
    /// The most pixels that one sequence may be high; a multiple of `SixelTiling.strip`.
    var tallest: Int
}

/// Cuts an image into tiles such that no band of six rows crosses the bottom of the screen (terminals scroll there), that
/// rows of cells wholly under text are left out, and that no tile is wider than the terminal takes.
struct SixelTiling: Sendable {
    private(set) var tiles: [SixelTile] = []
    /// Pixels after which cells and bands begin together.
    private(set) var strip = 6
    private(set) var visible = PixelSize(width: 0, height: 0)
    /// Pixels at the bottom of the screen that no band may reach, beyond which the terminal scrolls; 0 where it scrolls only for
    /// what does not fit.
    var reserve = 0

    /// Plans the tiles of a placement.
    mutating func plan(_ placement: PixelPlacement, coverage: borrowing CellCoverage, limit: PixelSize?) {
        let cell = placement.cell, cells = placement.cells
        visible = PixelSize(
            width: max(0, min(placement.display.width, cells.columns * cell.width)),
            height: max(0, min(placement.display.height, cells.rows * cell.height)))
        strip = cell.height * 6 / Self.common(cell.height, 6)
        tiles.removeAll(keepingCapacity: true)
        var row = 0
        while row < cells.rows {
            guard let span = Self.open(row, cells, coverage) else {
                row += 1
                continue
            }
            var columns = span
            var end = row + 1
            while end < cells.rows, let more = Self.open(end, cells, coverage) {
                columns = min(columns.lowerBound, more.lowerBound)..<max(columns.upperBound, more.upperBound)
                end += 1
            }
            add(rows: row..<end, columns: columns, placement, limit)
            row = end
        }
    }

    /// The columns of a row of cells from the first to the last that is not covered, counted from the image's first.
    private static func open(_ row: Int, _ cells: CellRect, _ coverage: borrowing CellCoverage) -> Range<Int>? {
        let start = (cells.row + row) * coverage.size.columns + cells.column
        var first = 0, last = cells.columns - 1
        while first <= last, coverage.states[start + first] == .covered { first += 1 }
        while last >= first, coverage.states[start + last] == .covered { last -= 1 }
        return first <= last ? first..<last + 1 : nil
    }

    private mutating func add(rows: Range<Int>, columns: Range<Int>, _ placement: PixelPlacement, _ limit: PixelSize?) {
        let cell = placement.cell
        let bottom = min(rows.upperBound * cell.height, visible.height)
        let below = (placement.screen.rows - placement.origin.row) * cell.height
        let top = rows.lowerBound * cell.height
        if top + (bottom - top + 5) / 6 * 6 <= below - reserve {
            add(start: rows.lowerBound, top..<bottom, columns, placement, limit)
            return
        }
        if reserve > 0 {
            add(
                start: rows.lowerBound, top..<max(top, min(bottom, top + (below - reserve - top) / 6 * 6)), columns, placement,
                limit)
            return
        }
        // Bands must end with the screen: they start a multiple of six above it. What is above that start is a tile of its own.
        let step = strip / cell.height
        let first = placement.origin.row + rows.lowerBound
        let start = placement.screen.rows - (placement.screen.rows - first) / step * step - placement.origin.row
        if start * cell.height < bottom {
            if start > rows.lowerBound { add(start: rows.lowerBound, top..<start * cell.height, columns, placement, limit) }
            add(start: start, start * cell.height..<bottom, columns, placement, limit)
        } else if start - step + placement.origin.row >= 0 {
            add(start: start - step, top..<bottom, columns, placement, limit)
        } else {
            // A screen lower than the smallest common multiple: up to five rows of pixels at its bottom cannot be reached.
            add(start: rows.lowerBound, top..<min(bottom, top + (below - top) / 6 * 6), columns, placement, limit)
        }
    }

    private mutating func add(
        start: Int, _ rows: Range<Int>, _ columns: Range<Int>, _ placement: PixelPlacement, _ limit: PixelSize?
    ) {
        if rows.isEmpty { return }
        let cell = placement.cell
        // Wider than 2048 pixels a band of noise could be 100 KB, too much to keep a sequence under 1 MiB.
        let width = max(1, min(limit?.width ?? .max, 2048) / cell.width)
        for left in stride(from: columns.lowerBound, to: columns.upperBound, by: width) {
            let right = min(min(left + width, columns.upperBound) * cell.width, visible.width)
            if left * cell.width >= right { continue }
            tiles.append(
                SixelTile(
                    row: placement.origin.row + start, column: placement.origin.column + left, top: start * cell.height,
                    rows: rows,
                    columns: left * cell.width..<right, tallest: max(strip, (limit?.height ?? .max) / strip * strip)))
        }
    }

    private static func common(_ a: Int, _ b: Int) -> Int { b == 0 ? a : common(b, a % b) }
}
