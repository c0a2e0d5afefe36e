import AetherCore

/// Writes the changes of tiles as sequences: where each begins and ends, and when there are bytes enough.
struct SixelStream: Sendable {
    private var band = SixelBand()
    private var pens = SixelPens()
    /// Sequences written.
    var sequences = 0
    /// Whether a band was left out because the buffer had reached its end.
    private(set) var isFull = false
    private var end = Int.max

    /// A sequence ends when it has this many bytes: tmux takes less than 1 MiB, and one band more has at most 160 KB.
    private static let fullSequence = 786_432

    /// Cells of the frame, row by row, in which a pixel was painted, and how many those are.
    private var isPainted: [Bool] = []
    private(set) var paintedCells = 0
    private var columns = 0

    /// Begins a frame of a placement whose image has so many columns of pixels.
    mutating func beginFrame(width: Int, cells: CellRect) {
        band.resize(width: width)
        (columns, paintedCells) = (cells.columns, 0)
        if isPainted.count != cells.columns * cells.rows {
            isPainted = [Bool](repeating: false, count: cells.columns * cells.rows)
        } else {
            for index in isPainted.indices { isPainted[index] = false }
        }
    }

    /// Begins a round of a frame, with so many pens; the buffer must not grow beyond `end` bytes.
    mutating func begin(pens count: Int, end: Int) {
        pens.rank(count)
        self.end = end
        isFull = false
    }

    /// There are other pens than before.
    mutating func forgetPens() { pens.forget() }

    /// Notes the cells of a row in which what is shown will change.
    private mutating func note(row y: Int, _ columns: Range<Int>, _ cell: PixelSize, _ plane: borrowing PenPlane) {
        let base = y / cell.height * self.columns
        for column in columns.lowerBound / cell.width..<(columns.upperBound + cell.width - 1) / cell.width
        where !isPainted[base + column] {
            let left = column * cell.width
            guard plane.differs(row: y, columns: left..<min(left + cell.width, columns.upperBound)) else { continue }
            isPainted[base + column] = true
            paintedCells += 1
        }
    }

    /// Sends what changed of a tile: groups of bands that lie near each other, each as a sequence.
    mutating func write(
        _ tile: SixelTile, strip: Int, cell: PixelSize, plane: inout PenPlane, palette: borrowing SixelPalette,
        into buffer: inout ByteBuffer
    ) {
        let bands = (tile.rows.upperBound - tile.top + 5) / 6
        // A clean strip costs a byte a band, a new sequence 30 and the definitions of its pens.
        let patience = 2 * strip / 6
        var next = 0
        while next < bands {
            guard Self.isDirty(tile, next, plane) else {
                next += 1
                continue
            }
            let first = next * 6 / strip * strip / 6
            let most = first + tile.tallest / 6
            var end = next + 1, clean = 0
            while end + clean < min(bands, most), clean <= patience {
                if Self.isDirty(tile, end + clean, plane) {
                    end += clean + 1
                    clean = 0
                } else {
                    clean += 1
                }
            }
            next = send(tile, first: first, next..<end, cell, &plane, palette, into: &buffer)
            if isFull { return }
        }
    }

    private static func isDirty(_ tile: SixelTile, _ band: Int, _ plane: borrowing PenPlane) -> Bool {
        let top = tile.top + band * 6
        return !plane.isSettled(
            max(top, tile.rows.lowerBound)..<max(top, tile.rows.lowerBound, min(top + 6, tile.rows.upperBound)))
    }

    /// Sends bands as one sequence that starts with band `first`; returns the band that it ended before.
    private mutating func send(
        _ tile: SixelTile, first: Int, _ bands: Range<Int>, _ cell: PixelSize, _ plane: inout PenPlane,
        _ palette: borrowing SixelPalette, into buffer: inout ByteBuffer
    ) -> Int {
        let top = tile.top + first * 6
        let columns = Self.changed(tile, bands, cell.width, plane)
        let start = buffer.count
        pens.begin()
        buffer.append("\u{1B}[")
        buffer.append(decimal: tile.row + (top - tile.top) / cell.height + 1)
        buffer.append(0x3B)
        buffer.append(decimal: tile.column + (columns.lowerBound - tile.columns.lowerBound) / cell.width + 1)
        buffer.append("H\u{1B}P0;1q\"1;1;")
        buffer.append(decimal: columns.count)
        buffer.append(0x3B)
        buffer.append(decimal: min(tile.rows.upperBound, tile.top + bands.upperBound * 6) - top)
        let body = buffer.count
        var line = first, at = bands.lowerBound
        while at < bands.upperBound, buffer.count - start < Self.fullSequence, !isFull {
            let bandTop = tile.top + at * 6, before = buffer.count
            if band.encode(
                plane, top: bandTop, rows: tile.rows, columns: columns, palette: palette, state: &pens, pendingLines: at - line,
                into: &buffer)
            {
                // Two bytes end the sequence.
                if buffer.count + 2 > end {
                    buffer.truncate(to: before)
                    isFull = true
                } else {
                    line = at
                    for y in max(bandTop, tile.rows.lowerBound)..<min(bandTop + 6, tile.rows.upperBound) {
                        note(row: y, columns, cell, plane)
                        plane.settle(row: y, columns: columns)
                    }
                }
            }
            at += 1
        }
        if buffer.count == body {
            buffer.truncate(to: start)
        } else {
            buffer.append("\u{1B}\\")
            sequences += 1
        }
        return at
    }

    /// The columns that change in a group of bands, from the start of a cell.
    private static func changed(
        _ tile: SixelTile, _ bands: Range<Int>, _ cellWidth: Int, _ plane: borrowing PenPlane
    ) -> Range<Int> {
        var low = tile.columns.upperBound, high = tile.columns.lowerBound
        let first = max(tile.rows.lowerBound, tile.top + bands.lowerBound * 6)
        for y in first..<max(first, min(tile.rows.upperBound, tile.top + bands.upperBound * 6)) {
            low = min(low, Int(plane.firstChange[y]))
            high = max(high, Int(plane.lastChange[y]) + 1)
        }
        low = max(tile.columns.lowerBound, low / cellWidth * cellWidth)
        return low..<max(low, min(high, tile.columns.upperBound))
    }
}
