public import AetherCore

/// Sends a grid of cells as the difference to what the terminal shows.
///
/// It holds what is really shown, so nothing drifts: what was approximated in one frame is compared as it is with the next.
/// Cells marked `.video` may be approximated as far as `EncodeQuality` says; all others are exact, in the terminal's colour
/// depth.
///
/// The pen and the cursor are followed across frames, so its bytes must all reach the terminal in order, and nothing else may
/// move the cursor or set attributes; modes may be set between frames. After anything else, or lost bytes, call `invalidate()`.
/// Autowrap may be on or off. A value of one thread; never blocks, and does not allocate while the size stays.
public struct CellDiff: Sendable {
    private let depth: ColourDepth
    private var size = CellSize(columns: 0, rows: 0)
    private var shown: [Cell] = []
    private var pen = PenState()
    /// The cells on screen before a frame that may have to be encoded again.
    private var kept: [Cell] = []
    private var keptPen = PenState()
    private var memory = BudgetSearch.Memory()
    private var standing = StandingErrors()
    /// The row at which the next frame begins: behind the last row that fitted a budget.
    private var firstRow = 0
    private let decimals = DecimalTable.entries
    private let short = ShortColours()

    /// A difference against a terminal of which nothing is known.
    public init(depth: ColourDepth) { self.depth = depth }

    /// The terminal has forgotten or another program has written: the next frame is sent whole.
    public mutating func invalidate() {
        for index in shown.indices { shown[index] = Self.forgotten }
        pen = PenState()
    }

    /// The terminal may show something else in these cells, as far as they are on the screen, but for those of `kept`.
    mutating func forget(_ rect: CellRect, but kept: CellRect) {
        for row in max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.row + rect.rows)) {
            for column in max(0, rect.column)..<max(0, rect.column, min(size.columns, rect.column + rect.columns))
            where !kept.contains(column: column, row: row) {
                shown[row * size.columns + column] = Self.forgotten
            }
        }
    }

    /// Appends the bytes that bring the terminal from what it shows to `next`. A grid of another size than the last one is sent
    /// whole, since terminals disagree on what a resize keeps.
    ///
    /// `video` is what the video cells were drawn from; without it, cells of several pixels are shown exactly as drawn. With a
    /// byte budget the frame is encoded up to four times with growing λ, and what still does not fit is left for the next frames.
    public mutating func encode(
        _ next: borrowing CellGrid, video: CellFrame? = nil, quality: EncodeQuality = .exact, into buffer: inout ByteBuffer
    ) -> EncodeStats {
        if next.size != size { resize(next.size) }
        guard let budget = quality.byteBudget else {
            let stats = pass(next, video: video, quality: quality, limit: .max, into: &buffer).stats
            standing.advance(next, isQuiet: quality.isQuiet)
            return stats
        }
        var search = BudgetSearch(budget: budget, lowest: quality.lambda, start: memory)
        let start = buffer.count
        keep()
        while true {
            let result = pass(next, video: video, quality: search.quality(quality), limit: search.limit, into: &buffer)
            if search.accepts(bytes: result.stats.byteCount, share: Double(result.rows) / Double(max(1, size.rows))) {
                memory = search.forNextFrame
                for done in result.rows..<max(result.rows, size.rows) {
                    let first = (firstRow + done) % size.rows * size.columns
                    standing.leave(first..<first + size.columns)
                }
                standing.advance(next, isQuiet: quality.isQuiet)
                firstRow = result.rows < size.rows ? (firstRow + result.rows) % size.rows : 0
                return result.stats
            }
            buffer.truncate(to: start)
            restore()
        }
    }

    /// One encoding of a frame. Stops before the row that would take it over the limit; the rows done are returned.
    private mutating func pass(
        _ next: borrowing CellGrid, video: CellFrame?, quality: EncodeQuality, limit: Int, into buffer: inout ByteBuffer
    ) -> (stats: EncodeStats, rows: Int) {
        var stats = EncodeStats()
        let start = buffer.count
        let columns = size.columns
        let rule = CellRule(quality, short: short)
        let writesShort = rule.short
        var done = 0
        let (depth, size, firstRow) = (depth, size, firstRow)
        let room = quality.byteBudget.map { $0 / 2 } ?? .max
        decimals.withUnsafeBufferPointer { decimals in
            next.cells.withUnsafeBufferPointer { wanted in
                shown.withUnsafeMutableBufferPointer { shown in
                    GlyphSource.withSource(of: video, quality: quality, depth: depth, size: size) { source in
                        standing.withRows { ages, misses in
                            guard let numbers = decimals.baseAddress, let wanted = wanted.baseAddress,
                                let shown = shown.baseAddress
                            else { return }
                            while done < size.rows {
                                let row = (firstRow + done) % size.rows
                                let before = (count: buffer.count, pen: pen, stats: stats)
                                buffer.appendUnchecked(limit: columns * CellWriter.bytesPerCell + 64) { place in
                                    let cells = row * columns
                                    let errors = RowErrors(
                                        ages: ages + cells, misses: misses + cells,
                                        turn: quality.exactAfter.map { StandingErrors.turn(row: row, within: $0) },
                                        room: room - stats.refreshedBytes)
                                    var line = CellLine(
                                        row: row, wanted: wanted + cells, shown: shown + cells, depth: depth, rule: rule,
                                        errors: errors,
                                        writer: CellWriter(
                                            pen: pen, columns: columns, decimals: numbers, short: writesShort, at: place))
                                    if let source, source.rows.contains(row) {
                                        line.encode(source, &stats)
                                    } else {
                                        line.encode(&stats)
                                    }
                                    stats.refreshedBytes += errors.room - line.errors.room
                                    pen = line.writer.pen
                                    return line.writer.next - place
                                }
                                // A row that does not fit is taken back, unless it is the only one: something must always get through.
                                if buffer.count - start > limit, done > 0 {
                                    buffer.truncate(to: before.count)
                                    (pen, stats) = (before.pen, before.stats)
                                    kept.withUnsafeBufferPointer { kept in
                                        for index in row * columns..<(row + 1) * columns { shown[index] = kept[index] }
                                    }
                                    return
                                }
                                done += 1
                            }
                        }
                    }
                }
            }
        }
        stats.byteCount = buffer.count - start
        return (stats, done)
    }

    // MARK: State

    /// Keeps a copy of what is shown, to start again from.
    private mutating func keep() {
        if kept.count != shown.count { kept = [Cell](repeating: Self.forgotten, count: shown.count) }
        Self.copy(shown, into: &kept)
        keptPen = pen
    }

    private mutating func restore() {
        Self.copy(kept, into: &shown)
        pen = keptPen
    }

    /// Element by element, so that neither array is ever allocated anew.
    private static func copy(_ cells: borrowing [Cell], into other: inout [Cell]) {
        cells.withUnsafeBufferPointer { source in
            other.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: source) }
        }
    }

    /// Something else has moved the cursor, and changed nothing else.
    public mutating func forgetCursor() { (pen.column, pen.row) = (-1, -1) }

    private mutating func resize(_ size: CellSize) {
        self.size = size
        shown = [Cell](repeating: Self.forgotten, count: size.columns * size.rows)
        pen = PenState()
        standing.reset(count: shown.count)
        firstRow = 0
    }

    /// Equal to no cell that can be wanted.
    static let forgotten = Cell(glyph: .max)
}
