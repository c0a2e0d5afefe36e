/// A size in character cells.
public struct CellSize: Hashable, Sendable {
    /// Numbers of cells.
    public var columns, rows: Int

    /// A size; may be empty.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A rectangle of cells, counted from the top left corner of the screen, from 0.
public struct CellRect: Hashable, Sendable {
    /// The first column and row, which may lie outside of the screen, and numbers of cells.
    public var column, row, columns, rows: Int

    /// A rectangle; may be empty.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = columns
        self.rows = rows
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { columns <= 0 || rows <= 0 }

    /// Whether both have a cell in common.
    public func overlaps(_ other: CellRect) -> Bool {
        !isEmpty && !other.isEmpty && column < other.column + other.columns && other.column < column + columns
            && row < other.row + other.rows && other.row < row + rows
    }

    /// Whether a cell lies inside.
    public func contains(column: Int, row: Int) -> Bool {
        column >= self.column && column < self.column + columns && row >= self.row && row < self.row + rows
    }
}

/// A screen of cells, rows top to bottom.
public struct CellGrid: Sendable, Equatable {
    /// Columns and rows.
    public private(set) var size: CellSize
    /// columns × rows cells, top row first.
    public var cells: [Cell]

    /// A grid filled with one cell.
    public init(_ size: CellSize, fill: Cell = .blank) {
        self.size = CellSize(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = [Cell](repeating: fill, count: self.size.columns * self.size.rows)
    }

    /// The cell at a place. Traps outside.
    public subscript(column: Int, row: Int) -> Cell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }

    /// Sets every cell of a rectangle, clipped to the grid.
    public mutating func fill(_ rect: CellRect, with cell: Cell) {
        let first = max(0, rect.column), last = min(size.columns, rect.column + rect.columns)
        guard first < last else { return }
        for row in max(0, rect.row)..<max(max(0, rect.row), min(size.rows, rect.row + rect.rows)) {
            for column in first..<last { self[column, row] = cell }
        }
    }
}

/// The overlay above the video: for each cell of the screen either a cell to show or nothing, where the frame shows through.
public struct CellOverlay: Sendable, Equatable {
    /// The cells; those that are not covered are meaningless.
    public var grid: CellGrid
    /// One flag a cell: true where the overlay covers the frame.
    public var covered: [Bool]

    /// An overlay that covers nothing.
    public init(_ size: CellSize) {
        grid = CellGrid(size)
        covered = [Bool](repeating: false, count: grid.cells.count)
    }

    /// Lets the frame through in a rectangle, clipped to the grid.
    public mutating func uncover(_ rect: CellRect) {
        let columns = max(0, rect.column)..<max(max(0, rect.column), min(grid.size.columns, rect.column + rect.columns))
        for row in max(0, rect.row)..<max(max(0, rect.row), min(grid.size.rows, rect.row + rect.rows)) {
            for column in columns { covered[row * grid.size.columns + column] = false }
        }
    }
}
