/// The selection in a list, and the part of the list that is seen.
struct ListCursor: Sendable, Equatable {
    /// A row of the list; -1 for none.
    var row = -1
    /// The row that was seen first.
    private(set) var top = 0

    /// Rows on or back in a list of so many; round the ends where it `wraps`.
    mutating func move(by rows: Int, of count: Int, wraps: Bool = false) {
        guard count > 0 else { return }
        let place = row.addingReportingOverflow(rows), last = count - 1
        guard !place.overflow else { return row = rows < 0 ? 0 : last }
        let isOut = !(0...last).contains(place.partialValue)
        row = isOut && wraps ? (rows < 0 ? last : 0) : min(max(0, place.partialValue), last)
    }

    /// The part of so many that is seen in so many rows: it moves only as far as the selection makes it.
    func window(rows: Int, of count: Int) -> Range<Int> {
        Self.window(from: min(max(top, row - rows + 1), max(0, row)), rows: rows, of: count)
    }

    /// So many rows from one on, or from as near to it as the list allows.
    static func window(from wanted: Int, rows: Int, of count: Int) -> Range<Int> {
        let rows = min(max(0, rows), count)
        guard rows > 0 else { return 0..<0 }
        let first = min(max(0, wanted), count - rows)
        return first..<first + rows
    }

    /// Keeps the part that is seen as the one to move from.
    mutating func settle(_ window: Range<Int>) { top = window.lowerBound }

    /// Back to the first row of the list, as long as nothing else is chosen.
    mutating func begin(at row: Int) { (self.row, top) = (row, 0) }
}
