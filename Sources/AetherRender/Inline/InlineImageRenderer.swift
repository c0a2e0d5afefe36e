public import AetherCore

/// Images by iTerm2's inline images (OSC 1337), as PNG, for terminals that have neither sixel nor kitty graphics. Pixels lie in the
/// cells: text wipes them. So the image is cut into strips of whole cells, and only those go out that changed or were
/// uncovered; covered cells are left out.
///
/// Each strip is addressed anew and at most as high as the screen below its first row, so that nothing scrolls wherever the terminal
/// leaves the cursor. A value of one thread; never blocks.
public struct InlineImageRenderer: PixelRenderer {
    /// The name on the command line.
    public static let name = "iterm2"
    /// The most bytes of PNG in one sequence: far below 1 MiB as base64.
    private static let fileLimit = 600_000

    private let workspace = PNGWorkspace()
    private var grid = InlineGrid()
    private var lastPlacement: PixelPlacement?
    private var lastImage: PixelSize?
    /// The strip at which the next frame begins, where the last one ran out of bytes.
    private var resume = 0
    /// Bytes that a pixel has cost lately.
    private var pixelCost = 1.5

    /// A renderer for a terminal of which nothing is known.
    public init() {}

    /// Appends PNG of the parts that changed.
    public mutating func encode(
        _ image: borrowing RasterImage, at placement: PixelPlacement, coverage: borrowing CellCoverage, quality: EncodeQuality,
        into buffer: inout ByteBuffer
    ) -> EncodeStats {
        var stats = EncodeStats()
        let start = buffer.count
        guard !placement.cells.isEmpty else { return stats }
        if lastPlacement != placement || lastImage != image.size {
            lastPlacement = placement
            lastImage = image.size
            grid.reset(image.size, placement)
            resume = 0
        }
        let limit = quality.byteBudget ?? .max
        let threshold = KittyDirect.threshold(quality)
        grid.setScale(1)
        grid.draw(image)
        let changed = grid.markChanged(coverage, threshold: threshold)
        stats.cellsSkipped = grid.columns * grid.rows - changed
        let scale = scale(for: changed, limit)
        if scale > 1, grid.coarsen(to: scale, threshold: threshold) > 0 {
            stats.cellsChanged = send(quality, limit, start, into: &buffer)
        }
        // The rest of the byte budget sharpens the coarse cells.
        grid.setScale(1)
        if scale == 1 || buffer.count - start < limit / 2 {
            if scale > 1 { _ = grid.markChanged(coverage, threshold: threshold) }
            stats.cellsChanged += send(quality, limit, start, into: &buffer)
        }
        stats.byteCount = buffer.count - start
        stats.squaredError = grid.squaredError()
        return stats
    }

    /// The scale for so many cells: a moving image shall be renewed within two frames.
    private func scale(for cells: Int, _ limit: Int) -> Int {
        guard limit < .max, grid.columns * grid.rows > 0 else { return 1 }
        var scale = 1
        while scale < 16, Double(grid.pixels(scale: scale) / (grid.columns * grid.rows) * cells) * pixelCost > Double(limit) * 1.5
        {
            scale *= 2
        }
        return scale
    }

    /// Sends dirty cells, strip by strip, as far as the bytes reach. Returns how many.
    private mutating func send(_ quality: EncodeQuality, _ limit: Int, _ start: Int, into buffer: inout ByteBuffer) -> Int {
        var sent = 0
        let first = resume
        resume = 0
        for step in 0..<grid.rows {
            let row = (first + step) % grid.rows
            var column = 0
            while let run = grid.nextRun(row: row, from: column) {
                column = run.column + run.columns
                guard buffer.count - start + 40 < limit, let done = sendRun(run, quality, limit, start, into: &buffer) else {
                    resume = row
                    return sent
                }
                sent += done
                column = run.column + done / run.rows
            }
        }
        return sent
    }

    /// Sends one rectangle, or as many of its columns as fit. Returns the cells, nil when not one column fits.
    private mutating func sendRun(
        _ run: CellRect, _ quality: EncodeQuality, _ limit: Int, _ start: Int, into buffer: inout ByteBuffer
    ) -> Int? {
        var run = run
        let depth = ChannelDepth(bits: KittyLevel.bits(for: quality))
        while run.columns > 0 {
            let room = limit == .max ? Self.fileLimit : min(Self.fileLimit, (limit - (buffer.count - start) - 160) / 4 * 3)
            if room <= 80 { return nil }
            let cell = grid.cell
            let bytes = workspace.use { stream -> Int in
                grid.draw(run, depth: depth, into: &stream)
                let file = stream.finish(width: run.columns * cell.width, height: run.rows * cell.height, hasAlpha: false)
                guard file.count <= room else { return -file.count }
                Self.append(file, run, at: lastPlacement?.origin ?? CellPosition(column: 0, row: 0), to: &buffer)
                return file.count
            }
            if bytes > 0 {
                grid.didShow(run, depth: depth)
                let pixels = run.columns * run.rows * cell.width * cell.height
                if pixels > 300 { pixelCost = max(0.05, pixelCost * 0.9 + 0.1 * Double(Base64.length(bytes)) / Double(pixels)) }
                return run.columns * run.rows
            }
            run.columns = min(run.columns - 1, run.columns * room * 9 / (10 * -bytes))
        }
        return nil
    }

    /// One sequence. iTerm2 leaves the cursor behind the image's last row, WezTerm does as told; both are addressed anew.
    private static func append(
        _ file: UnsafeRawBufferPointer, _ run: CellRect, at origin: CellPosition, to buffer: inout ByteBuffer
    ) {
        buffer.append("\u{1B}[")
        buffer.append(decimal: origin.row + run.row + 1)
        buffer.append(0x3B)
        buffer.append(decimal: origin.column + run.column + 1)
        buffer.append("H\u{1B}]1337;File=inline=1;size=")
        buffer.append(decimal: file.count)
        buffer.append(";width=")
        buffer.append(decimal: run.columns)
        buffer.append(";height=")
        buffer.append(decimal: run.rows)
        buffer.append(";preserveAspectRatio=0;doNotMoveCursor=1:")
        Base64.append(file, to: &buffer)
        buffer.append(0x07)
    }

    /// Overwrites the cells of the image with blanks: the protocol cannot delete images.
    public mutating func clear(into buffer: inout ByteBuffer) {
        if let origin = lastPlacement?.origin, grid.isShown {
            buffer.append("\u{1B}7\u{1B}[m")
            for row in 0..<grid.rows {
                buffer.append("\u{1B}[")
                buffer.append(decimal: origin.row + row + 1)
                buffer.append(0x3B)
                buffer.append(decimal: origin.column + 1)
                buffer.append(0x48)
                for _ in 0..<grid.columns { buffer.append(0x20) }
            }
            buffer.append("\u{1B}8")
        }
        invalidate()
    }

    /// Forgets the tiles on screen, so that the next frame is sent whole.
    public mutating func invalidate() {
        lastPlacement = nil
        lastImage = nil
    }
}
