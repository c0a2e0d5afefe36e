public import AetherCore

/// Shows pictures as sixel (DEC STD 070, section 9): one palette a scene, a pattern that stays where it is, and only the pixels
/// that changed, painted over the picture that the terminal has (P2 = 1).
///
/// What is shown is held as a plane of pens. A cut, or a picture that the pens no longer fit, brings new pens and a whole picture.
public struct SixelRenderer: PixelRenderer {
    public static let name = "sixel"
    /// λ of a moving picture within its budget: about 35 dB on film, 42 dB from a distance.
    public static let cruise = 100.0

    private let registers: Int
    private let limit: PixelSize?
    private let isTmux: Bool
    private var histogram = SceneHistogram()
    private var choice = PenChoice()
    private var palette = SixelPalette()
    private var nearest = NearestPens()
    private var plane = PenPlane()
    private var band = SixelBand()
    private var tiling = SixelTiling()
    private var pens = SixelPens()
    private var scaler = RowScaler()
    private var placement: PixelPlacement?
    private var hasText = false
    /// Mean squared error per pixel of the first frame with these pens; a scene that drifts away from them gets new ones.
    private var expectedError: Float = 0
    /// Sequences since everything was sent.
    private var sequences = 0

    /// tmux keeps the last 20 images of a pane and paints them again when it redraws.
    private static let tmuxImages = 15
    /// A sequence ends when it has this many bytes: tmux takes less than 1 MiB, and one band more has at most 160 KB.
    private static let fullSequence = 786_432

    /// A renderer for a terminal of so many colour registers (2…256 are used) that takes pictures up to `limit`, if it said one.
    public init(registers: Int, limit: PixelSize?, isTmux: Bool) {
        self.registers = min(max(2, registers), 255)
        self.limit = limit
        self.isTmux = isTmux
    }

    public mutating func encode(
        _ image: borrowing RasterImage, at placement: PixelPlacement, coverage: borrowing CellCoverage, quality: EncodeQuality,
        into buffer: inout ByteBuffer
    ) -> EncodeStats {
        var stats = EncodeStats()
        let start = buffer.count
        tiling.plan(placement, coverage: coverage, limit: limit)
        if placement != self.placement {
            plane.forget()
            self.placement = placement
        }
        plane.resize(width: tiling.visible.width, height: tiling.visible.height)
        band.resize(width: tiling.visible.width)
        if tiling.visible.width == 0 || tiling.visible.height == 0 { return stats }
        forgetText(placement, coverage)
        choosePens(image)
        let rule = PenRule(quality)
        let error = choose(image, placement, coverage, rule)
        stats.squaredError = Int(error)
        let isWhole = isTmux && sequences >= Self.tmuxImages
        if isWhole { sequences = 0 }
        for tile in tiling.tiles { encode(tile, placement, isWhole: isWhole, into: &buffer) }
        stats.byteCount = buffer.count - start
        return stats
    }

    public mutating func clear(into buffer: inout ByteBuffer) { invalidate() }

    public mutating func invalidate() {
        plane.forget()
        sequences = 0
    }

    /// Text has wiped what was painted into these cells.
    private mutating func forgetText(_ placement: PixelPlacement, _ coverage: borrowing CellCoverage) {
        let cells = placement.cells
        hasText = false
        for row in 0..<cells.rows {
            let start = (cells.row + row) * coverage.size.columns + cells.column
            for column in 0..<cells.columns where coverage.states[start + column] != .clear {
                hasText = true
                plane.forget(
                    columns: column * placement.cell.width..<min((column + 1) * placement.cell.width, plane.width),
                    rows: row * placement.cell.height..<min((row + 1) * placement.cell.height, plane.height))
            }
        }
    }

    /// Wants nothing in the cells of a row that are covered, so that nothing is painted there.
    private mutating func leaveText(row y: Int, _ placement: PixelPlacement, _ coverage: borrowing CellCoverage) {
        let cells = placement.cells
        let start = (cells.row + y / placement.cell.height) * coverage.size.columns + cells.column
        for column in 0..<cells.columns where coverage.states[start + column] == .covered {
            plane.leave(row: y, columns: column * placement.cell.width..<min((column + 1) * placement.cell.width, plane.width))
        }
    }

    /// Keeps the pens, or takes new ones where the picture has other colours.
    private mutating func choosePens(_ image: borrowing RasterImage) {
        let distance = histogram.distance(of: image)
        if palette.count > 0 && distance < SceneHistogram.cut { return }
        histogram.adopt(image)
        palette.set(choice.choose(registers, from: histogram.bins))
        nearest.removeAll()
        plane.forget()
    }

    /// Chooses the pens of all pixels and returns the squared error.
    private mutating func choose(
        _ image: borrowing RasterImage, _ placement: PixelPlacement, _ coverage: borrowing CellCoverage, _ rule: PenRule
    ) -> Float {
        scaler.prepare(from: image.size, to: placement.display, width: plane.width)
        var error: Float = 0
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for y in 0..<plane.height {
                scaler.withRow(y, of: base) { source in
                    error += plane.choose(row: y, source: source, isTop: y % 6 == 0, rule: rule, palette: palette, nearest: &nearest)
                }
                if hasText { leaveText(row: y, placement, coverage) }
                plane.compare(row: y)
            }
        }
        return error
    }

    /// Sends what changed of a tile: groups of bands that lie near each other, each as a sequence.
    private mutating func encode(
        _ tile: SixelTile, _ placement: PixelPlacement, isWhole: Bool, into buffer: inout ByteBuffer
    ) {
        let bands = (tile.rows.upperBound - tile.top + 5) / 6
        // A clean strip costs a byte a band, a new sequence 30 and the definitions of its pens.
        let patience = 2 * tiling.strip / 6
        var next = 0
        while next < bands {
            guard isWhole || isDirty(tile, next) else {
                next += 1
                continue
            }
            let first = next * 6 / tiling.strip * tiling.strip / 6
            let most = first + tile.tallest / 6
            var end = next + 1, clean = 0
            while end + clean < min(bands, most), clean <= patience {
                if isWhole || isDirty(tile, end + clean) {
                    end += clean + 1
                    clean = 0
                } else {
                    clean += 1
                }
            }
            next = send(tile, first: first, next..<end, placement, isWhole: isWhole, into: &buffer)
        }
    }

    private func isDirty(_ tile: SixelTile, _ band: Int) -> Bool {
        let top = tile.top + band * 6
        return !plane.isSettled(max(top, tile.rows.lowerBound)..<max(top, tile.rows.lowerBound, min(top + 6, tile.rows.upperBound)))
    }

    /// Sends bands as one sequence that starts with band `first`; returns the band that it ended before.
    private mutating func send(
        _ tile: SixelTile, first: Int, _ bands: Range<Int>, _ placement: PixelPlacement, isWhole: Bool, into buffer: inout ByteBuffer
    ) -> Int {
        let top = tile.top + first * 6
        let columns = isWhole ? tile.columns : changed(tile, bands, placement.cell.width)
        let start = buffer.count
        pens.begin()
        buffer.append("\u{1B}[")
        buffer.append(decimal: tile.row + (top - tile.top) / placement.cell.height + 1)
        buffer.append(0x3B)
        buffer.append(decimal: tile.column + (columns.lowerBound - tile.columns.lowerBound) / placement.cell.width + 1)
        buffer.append("H\u{1B}P0;1q\"1;1;")
        buffer.append(decimal: columns.count)
        buffer.append(0x3B)
        buffer.append(decimal: min(tile.rows.upperBound, tile.top + bands.upperBound * 6) - top)
        let body = buffer.count
        var line = first, at = bands.lowerBound
        while at < bands.upperBound, buffer.count - start < Self.fullSequence {
            let bandTop = tile.top + at * 6
            if band.encode(
                plane, top: bandTop, rows: tile.rows, columns: columns, isWhole: isWhole, palette: palette, state: &pens,
                pendingLines: at - line, into: &buffer)
            {
                line = at
                settle(bandTop, tile.rows, columns)
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
    private func changed(_ tile: SixelTile, _ bands: Range<Int>, _ cellWidth: Int) -> Range<Int> {
        var low = tile.columns.upperBound, high = tile.columns.lowerBound
        for y in max(tile.rows.lowerBound, tile.top + bands.lowerBound * 6)..<min(tile.rows.upperBound, tile.top + bands.upperBound * 6) {
            low = min(low, Int(plane.firstChange[y]))
            high = max(high, Int(plane.lastChange[y]) + 1)
        }
        low = max(tile.columns.lowerBound, low / cellWidth * cellWidth)
        return low..<max(low, min(high, tile.columns.upperBound))
    }

    /// Notes that a band shows what was wanted.
    private mutating func settle(_ top: Int, _ rows: Range<Int>, _ columns: Range<Int>) {
        for y in max(top, rows.lowerBound)..<min(top + 6, rows.upperBound) { plane.settle(row: y, columns: columns) }
    }
}
