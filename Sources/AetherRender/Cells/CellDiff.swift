public import AetherCore

/// Sends a grid of cells as the difference to what the terminal shows.
///
/// It holds what is really shown, so nothing drifts: what was approximated in one frame is compared as it is with the next.
/// Cells marked `.picture` (half blocks of two pixels) may be approximated as far as `EncodeQuality` says; all others are
/// exact, in the terminal's colour depth.
///
/// The pen and the cursor are followed across frames, so its bytes must all reach the terminal in order, and nothing else may
/// move the cursor or set attributes; modes may be set between frames. After anything else, or lost bytes, call `invalidate()`.
/// Autowrap may be on or off. A value of one thread; never blocks, and does not allocate while the size stays.
public struct CellDiff: Sendable {
    private let depth: ColourDepth
    private var size = CellSize(columns: 0, rows: 0)
    private var shown: [Cell] = []
    private var pen = PenState()
    private let decimals = DecimalTable.entries

    /// A difference against a terminal of which nothing is known.
    public init(depth: ColourDepth) { self.depth = depth }

    /// The terminal has forgotten or somebody else has written: the next frame is sent whole.
    public mutating func invalidate() {
        for index in shown.indices { shown[index] = Self.forgotten }
        pen = PenState()
    }

    /// Appends the bytes that bring the terminal from what it shows to `next`. A grid of another size than the last one is sent
    /// whole, since terminals disagree on what a resize keeps.
    public mutating func encode(
        _ next: borrowing CellGrid, quality: EncodeQuality = .exact, into buffer: inout ByteBuffer
    ) -> EncodeStats {
        if next.size != size { resize(next.size) }
        var stats = EncodeStats()
        let start = buffer.count
        let columns = size.columns
        let rule = PictureRule(quality)
        decimals.withUnsafeBufferPointer { decimals in
            next.cells.withUnsafeBufferPointer { wanted in
                shown.withUnsafeMutableBufferPointer { shown in
                    guard let numbers = decimals.baseAddress, let wanted = wanted.baseAddress, let shown = shown.baseAddress
                    else { return }
                    for row in 0..<size.rows {
                        buffer.appendUnchecked(limit: columns * CellWriter.bytesPerCell + 64) { room in
                            var line = CellLine(
                                row: row, wanted: wanted + row * columns, shown: shown + row * columns, depth: depth, rule: rule,
                                writer: CellWriter(pen: pen, columns: columns, decimals: numbers, at: room))
                            line.encode(&stats)
                            pen = line.writer.pen
                            return line.writer.next - room
                        }
                    }
                }
            }
        }
        stats.byteCount = buffer.count - start
        return stats
    }

    /// Something else has moved the cursor, and changed nothing else.
    public mutating func forgetCursor() { (pen.column, pen.row) = (-1, -1) }

    private mutating func resize(_ size: CellSize) {
        self.size = size
        shown = [Cell](repeating: Self.forgotten, count: size.columns * size.rows)
        pen = PenState()
    }

    /// Equal to no cell that can be wanted.
    static let forgotten = Cell(glyph: .max)
}
