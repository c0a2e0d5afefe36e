import AetherCore

/// An image cut into cells of whole pixels: what is wanted in each, what is shown, and which have to be sent.
///
/// Every cell has the same number of pixels, so that strips begin and end at cells. That is the image's own resolution where it
/// fits, otherwise it is scaled to the next whole number; where the image ends within a cell, the rest is black.
struct InlineGrid: Sendable {
    private(set) var columns = 0, rows = 0
    /// Pixels of one cell as sent.
    private(set) var cell = PixelSize(width: 1, height: 1)
    private var full = PixelSize(width: 1, height: 1)
    private var origin = CellPosition(column: 0, row: 0)
    /// Pixels of the image itself at full resolution; the rest of the last cells is black.
    private var inner = PixelSize(width: 0, height: 0)
    private var scale = 1
    private var wanted: [UInt32] = []
    private var scaled: [UInt32] = []
    private var shown: [UInt32] = []
    /// The scale that each cell is shown at; 0 where nothing is.
    private var sharpness: [UInt8] = []
    private var dirty: [Bool] = []
    private var line: [UInt32] = []
    private var scaler = AreaScaler(), reducer = AreaScaler()
    private var coarse: [UInt32] = []

    /// Whether any cell shows something.
    var isShown: Bool { sharpness.contains { $0 != 0 } }
    private var width: Int { columns * full.width }
    private var height: Int { rows * full.height }

    /// Pixels of the whole image at a scale.
    func pixels(scale: Int) -> Int { columns * rows * part(full.width, scale) * part(full.height, scale) }
    private func part(_ side: Int, _ scale: Int) -> Int { max(1, side / scale) }

    /// Another image or place: nothing is shown.
    mutating func reset(_ image: PixelSize, _ placement: PixelPlacement) {
        let cells = placement.cells
        (columns, rows) = (cells.columns, cells.rows)
        origin = placement.origin
        func pixels(_ cell: Int, _ image: Int, _ display: Int) -> Int {
            min(cell, max(1, (cell * image + display - 1) / display))
        }
        full = PixelSize(
            width: pixels(placement.cell.width, image.width, placement.display.width),
            height: pixels(placement.cell.height, image.height, placement.display.height))
        func covered(_ display: Int, _ cell: Int, _ own: Int, _ most: Int) -> Int {
            max(1, min(most, (display * own + cell / 2) / cell))
        }
        inner = PixelSize(
            width: covered(placement.display.width, placement.cell.width, full.width, width),
            height: covered(placement.display.height, placement.cell.height, full.height, height))
        wanted = [UInt32](repeating: 0xFF00_0000, count: width * height)
        shown = [UInt32](repeating: 0, count: width * height)
        sharpness = [UInt8](repeating: 0, count: columns * rows)
        dirty = [Bool](repeating: false, count: columns * rows)
        line = [UInt32](repeating: 0, count: width)
        setScale(1)
    }

    mutating func setScale(_ scale: Int) {
        self.scale = scale
        cell = PixelSize(width: part(full.width, scale), height: part(full.height, scale))
    }

    /// Takes in an image of the size given to `reset`.
    mutating func draw(_ image: borrowing RasterImage) {
        let source: [UInt32]
        if image.size == inner {
            source = image.pixels
        } else {
            scaler.scale(
                image.pixels, width: image.width, height: image.height, into: &scaled, targetWidth: inner.width,
                targetHeight: inner.height)
            source = scaled
        }
        let stride = width
        source.withUnsafeBufferPointer { source in
            wanted.withUnsafeMutableBufferPointer { wanted in
                guard let source = source.baseAddress, let wanted = wanted.baseAddress else { return }
                for y in 0..<inner.height {
                    PixelRows.reduce(source + y * inner.width, count: inner.width, by: .full, into: wanted + y * stride)
                }
            }
        }
    }

    /// Marks the cells that differ by more than a threshold from what is shown, or show nothing; never covered ones. What text has
    /// wiped is shown no more. Returns their number.
    mutating func markChanged(_ coverage: borrowing CellCoverage, threshold: Int) -> Int {
        var count = 0
        for row in 0..<rows {
            for column in 0..<columns {
                let index = row * columns + column
                let state = coverage.state(column: origin.column + column, row: origin.row + row)
                if state != .clear { sharpness[index] = 0 }
                let place = CellRect(column: column, row: row, columns: 1, rows: 1)
                dirty[index] = state != .covered && (sharpness[index] == 0 || peak(place) > threshold)
                count += dirty[index] ? 1 : 0
            }
        }
        return count
    }

    /// Draws coarsely what is marked, and takes the mark from cells that look as they would. Returns how many are left.
    mutating func coarsen(to scale: Int, threshold: Int) -> Int {
        setScale(scale)
        let size = PixelSize(width: columns * cell.width, height: rows * cell.height)
        reducer.scale(wanted, width: width, height: height, into: &coarse, targetWidth: size.width, targetHeight: size.height)
        var count = 0
        for row in 0..<rows {
            for column in 0..<columns where dirty[row * columns + column] {
                let index = row * columns + column
                dirty[index] = Int(sharpness[index]) != scale || coarsePeak(column, row) > threshold
                count += dirty[index] ? 1 : 0
            }
        }
        return count
    }

    /// The largest error of any channel in a cell.
    private func peak(_ place: CellRect) -> Int {
        var peak: UInt8 = 0
        for y in 0..<full.height {
            let start = (place.row * full.height + y) * width + place.column * full.width
            for x in start..<start + full.width { peak = max(peak, PixelRows.error(wanted[x], shown[x])) }
        }
        return Int(peak)
    }

    private func coarsePeak(_ column: Int, _ row: Int) -> Int {
        var peak: UInt8 = 0
        for y in 0..<cell.height {
            for x in 0..<cell.width {
                let place = (row * cell.height + y) * columns * cell.width + column * cell.width + x
                peak = max(peak, PixelRows.error(coarse[place], shown[full(column, x, row, y)]))
            }
        }
        return Int(peak)
    }

    /// The first full pixel of a coarse one.
    private func full(_ column: Int, _ x: Int, _ row: Int, _ y: Int) -> Int {
        let top = row * full.height + (y * full.height + cell.height - 1) / cell.height
        return top * width + column * full.width + (x * full.width + cell.width - 1) / cell.width
    }

    /// The next marked cells of a row that lie side by side.
    func nextRun(row: Int, from column: Int) -> CellRect? {
        guard let first = (column..<max(column, columns)).first(where: { dirty[row * columns + $0] }) else { return nil }
        let end = (first..<columns).first { !dirty[row * columns + $0] } ?? columns
        return CellRect(column: first, row: row, columns: end - first, rows: 1)
    }

    /// Draws a run of cells as PNG rows.
    mutating func draw(_ run: CellRect, depth: ChannelDepth, into stream: inout PNGStream) {
        let count = run.columns * cell.width
        stream.begin(width: count, search: depth.bits == 8 ? .matches : .runs)
        let source = scale == 1 ? wanted : coarse, cell = cell, stride = columns * cell.width
        source.withUnsafeBufferPointer { source in
            line.withUnsafeMutableBufferPointer { line in
                guard let source = source.baseAddress, let line = line.baseAddress else { return }
                for y in 0..<cell.height {
                    let start = (run.row * cell.height + y) * stride + run.column * cell.width
                    PixelRows.reduce(source + start, count: count, by: depth, into: line)
                    stream.appendRGB(line, above: nil, width: count)
                }
            }
        }
    }

    /// A run has been sent as it was drawn last.
    mutating func didShow(_ run: CellRect, depth: ChannelDepth) {
        let source = scale == 1 ? wanted : coarse, stride = columns * cell.width, count = run.columns * full.width
        let full = full, cell = cell, width = width
        source.withUnsafeBufferPointer { source in
            shown.withUnsafeMutableBufferPointer { shown in
                guard let source = source.baseAddress, let shown = shown.baseAddress else { return }
                for y in 0..<full.height {
                    let row = run.row * cell.height + y * cell.height / full.height
                    let line = shown + (run.row * full.height + y) * width + run.column * full.width
                    for x in 0..<run.columns {
                        PixelRows.enlarge(
                            source + row * stride + (run.column + x) * cell.width, cell.width, into: line + x * full.width,
                            full.width)
                    }
                    PixelRows.reduce(line, by: depth, count: count)
                }
            }
        }
        for column in run.column..<run.column + run.columns {
            sharpness[run.row * columns + column] = UInt8(clamping: scale)
            dirty[run.row * columns + column] = false
        }
    }

    /// The squared difference between what is wanted and shown, at the grid's resolution.
    func squaredError() -> Int {
        wanted.withUnsafeBufferPointer { wanted in
            shown.withUnsafeBufferPointer { shown in
                guard let wanted = wanted.baseAddress, let shown = shown.baseAddress else { return 0 }
                return PixelRows.squaredError(wanted, shown, count: width * height)
            }
        }
    }
}

extension CellCoverage {
    /// The state of a cell; clear beyond the screen.
    func state(column: Int, row: Int) -> State {
        column >= 0 && row >= 0 && column < size.columns && row < size.rows ? states[row * size.columns + column] : .clear
    }
}
