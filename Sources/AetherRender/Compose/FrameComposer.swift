public import AetherCore

/// Image and overlay to the bytes of one frame. Lives on the `present` thread (and in tests and `aetherctl render`); no I/O.
///
/// With a cell renderer the frame's cells are drawn first, what lies over it second, and one difference to what the terminal
/// shows covers both: so the frame never paints into covered cells, and uncovering repaints. With a pixel renderer the same
/// difference sends the text, the frame's cells are left to the pixels, and `CellCoverage` tells what text has wiped away.
public struct FrameComposer: ~Copyable {
    // One of the two. Not the enum that they come in: what is taken out of an enum and put back is copied.
    private var cellRenderer: FrameRenderer?
    private var pixelRenderer: (any PixelRenderer)?
    private var diff: CellDiff
    private var rate: RateControl
    private var grid: CellGrid
    private var image: RasterImage?
    private var overlay: CellOverlay?
    private var inset: ImageInset?
    private var coverage: CellCoverage
    private var showsPixels = false
    /// Where pixels were painted last.
    private var painted: PixelPlacement?
    private var bytes = ByteBuffer()
    /// The renderer before, whose image is taken away with the next frame.
    private var former: (any PixelRenderer)?
    private var cellPixels: PixelSize?
    /// The part of the screen that the frame lies in; nil: all of it.
    private var area: CellRect?
    /// The place of the frame.
    public private(set) var layout: FramePlacement
    /// The cost of the last frame, text and image.
    public private(set) var statistics = EncodeStats()
    /// 160 KB a frame at 160×45 cells, a stated share of a full repaint.
    private static let bytesPerCell = 22
    /// 450 KB a frame at 1280×720 pixels: what sixel needs for natural video with grain.
    private static let bytesPerPixel = 0.49
    /// Share of a link's budget that λ steers pixels to. Cells are searched for the λ that fits; a frame of pixels is made once, and
    /// what is beyond its budget stays old, which looks worse than a little noise less.
    private static let steered = 0.85
    /// A cell that stands still is exact after this long.
    private static let exactAfter = TimeSpan.milliseconds(500)
    /// `exactAfter` in frames.
    private var exactFrames = 12
    private static let ground = Cell(glyph: 0x20, foreground: .terminalDefault, background: .rgb(0, 0, 0))

    /// A composer for a terminal that shows nothing known, of so many cells of that shape (width to height) and size; 10×20
    /// pixels are assumed where the size is not known.
    public init(
        output: FrameOutput, depth: ColourDepth, cells: CellSize, cellAspect: Double, cellPixels: PixelSize? = nil
    ) {
        switch output {
        case .cells(let renderer): cellRenderer = renderer
        case .pixels(let renderer): pixelRenderer = renderer
        }
        rendererName = output.name
        self.cellPixels = cellPixels
        diff = CellDiff(depth: depth)
        layout = FramePlacement(
            cells: cells, cellAspect: cellAspect, pixelsPerCell: output.pixelsPerCell(cellPixels: cellPixels))
        grid = CellGrid(cells, fill: FrameComposer.ground)
        coverage = CellCoverage(cells)
        rate = output.rateControl
        rate.setBudget(ordinaryBudget)
    }

    /// Whether the link takes `ordinaryBudget` bytes so fast that moving cells need not be spared. Pixels cost their terminal more to
    /// draw than their link to carry, and stay as they are.
    public mutating func setAmple(_ isAmple: Bool) {
        if cellRenderer != nil { rate.setCruise(isAmple ? RateControl.ampleCellCruise : RateControl.cellCruise) }
    }

    /// Bytes of a frame at which the image is sent less exactly, on any link.
    public var ordinaryBudget: Int {
        pixelRenderer == nil
            ? layout.cells.columns * layout.cells.rows * Self.bytesPerCell
            : Int(Double(layout.box.width * layout.box.height) * Self.bytesPerPixel)
    }

    /// The name of the renderer on the command line.
    public private(set) var rendererName: String
    /// Whether the last frame was sent less exactly than the terminal could show it.
    public private(set) var isApproximate = false
    /// Whether the terminal can take another frame: some say when they have read the last.
    public mutating func isReady(at now: HostTime) -> Bool { pixelRenderer?.isReady(at: now) ?? true }
    /// Pixels of the frame that is shown, in its own raster.
    public var pixelCount: Int { image.map { $0.width * $0.height } ?? 0 }

    /// Another renderer draws from the next frame on, which is a whole one. The image stays, roughly in the new raster, until a new one
    /// comes in: a paused video sends none by itself.
    public mutating func change(to output: FrameOutput) {
        let shown = imagePlacement?.display, before = layout.pixelsPerCell
        former = pixelRenderer
        cellRenderer = nil
        pixelRenderer = nil
        switch output {
        case .cells(let renderer): cellRenderer = renderer
        case .pixels(let renderer): pixelRenderer = renderer
        }
        rendererName = output.name
        rate = output.rateControl
        lay(layout.cells, cellAspect: layout.cellAspect)
        diff.invalidate()
        showsPixels = false
        if let shown { image = image?.sampled(to: layout.raster(of: shown, before: before)) }
    }

    /// The terminal has another size, or the frame another part of it (nil: all of it).
    public mutating func resize(
        _ cells: CellSize, cellAspect: Double, cellPixels: PixelSize? = nil, area: CellRect? = nil
    ) {
        self.cellPixels = cellPixels
        self.area = area
        lay(cells, cellAspect: cellAspect)
        overlay = nil
        pixelRenderer?.invalidate()
    }

    private mutating func lay(_ cells: CellSize, cellAspect: Double) {
        layout = FramePlacement(
            cells: cells, cellAspect: cellAspect,
            pixelsPerCell: cellRenderer?.pixelsPerCell ?? FrameOutput.cellPixels(cellPixels), area: area)
        grid = CellGrid(cells, fill: FrameComposer.ground)
        coverage = CellCoverage(cells)
        rate.setBudget(ordinaryBudget)
    }

    /// The terminal has forgotten what it shows.
    public mutating func invalidate() {
        diff.invalidate()
        pixelRenderer?.invalidate()
    }

    /// The image from the next frame on; nil for none.
    public mutating func show(_ image: RasterImage?) { self.image = image }

    /// Sets the duration of frames from the next one on: still parts are exact within half a second of them. 24 a second at first.
    public mutating func setFrameTime(_ span: TimeSpan) {
        guard span > .zero else { return }
        exactFrames = Int(min(250, max(2, Self.exactAfter.seconds / span.seconds + 0.01)))
    }

    /// Lays this over the image from the next frame on; nil for nothing. Ignored unless it has the terminal's size.
    public mutating func show(_ overlay: CellOverlay?) { self.overlay = overlay }

    /// A small inset from the next frame on; nil for none. Shown while there is an image that it can lie in.
    public mutating func show(_ inset: ImageInset?) { self.inset = inset }

    /// The renderer's input of the last frame: the image as it lies on the screen, without text; nil where there is none.
    public var drawn: RasterImage? {
        guard let image else { return nil }
        if pixelRenderer == nil { return cellImage(image).image }
        return imagePlacement.map { pixelImage(image, at: $0).image }
    }

    /// The terminal has answered for the frame of that number.
    public mutating func acknowledge(id: Int, placement: Int, message: String) {
        pixelRenderer?.acknowledge(id: id, placement: placement, message: message)
    }

    /// The bytes that bring the terminal up to date, valid until the next call; empty when it is. `exactly` spares nothing but
    /// the budget in bytes, which is what the link takes for one frame.
    public mutating func compose(exactly: Bool = false, byteBudget: Int? = nil) -> UnsafeRawBufferPointer {
        grid.fill(CellRect(column: 0, row: 0, columns: grid.size.columns, rows: grid.size.rows), with: FrameComposer.ground)
        bytes.removeAll()
        former?.clear(into: &bytes)
        former = nil
        if pixelRenderer != nil { rate.setBudget(min(ordinaryBudget, Int(Double(byteBudget ?? .max / 2) * Self.steered))) }
        var quality = exactly ? .exact : rate.quality
        quality.byteBudget = byteBudget.map { max(256, $0) }
        if !exactly {
            quality.exactAfter = exactFrames
            // Pixels are not watched one by one: what stands beside a part in motion takes its turn with that.
            quality.isQuiet = pixelRenderer == nil ? rate.isQuiet : rate.isLocal
        }
        if pixelRenderer != nil {
            composePixels(quality)
        } else {
            composeCells(quality)
        }
        if exactly {
            isApproximate = !bytes.isEmpty && image != nil
        } else {
            rate.didEncode(byteCount: bytes.count - statistics.refreshedBytes)
            isApproximate = image != nil && (rate.lambda > 0 || statistics.squaredError > 0)
        }
        return bytes.withUnsafeBytes { $0 }
    }

    private mutating func composeCells(_ quality: EncodeQuality) {
        var video: CellFrame?
        if let image {
            let (image, origin) = cellImage(image)
            cellRenderer?.draw(image, at: origin, into: &grid)
            if let glyphs = cellRenderer?.glyphs { video = CellFrame(image, at: origin, glyphs: glyphs) }
        }
        layOver()
        statistics = diff.encode(grid, video: video, quality: quality, into: &bytes)
    }

    /// The frame with what lies in it, and its first cell. One that was made for another size of the window is roughly brought to this one.
    private func cellImage(_ image: RasterImage) -> (image: RasterImage, origin: CellPosition) {
        let image = layout.placement(of: image.size).map { image.sampled(to: $0.display) } ?? image
        let origin = layout.origin(of: image.size)
        let cell = layout.pixelsPerCell
        let placement = PixelPlacement(origin: origin, display: image.size, screen: layout.cells, cell: cell)
        guard let (inset, area) = insetArea(around: placement) else { return (image, origin) }
        let composed = inset.composed(
            with: image, at: origin, display: image.size, over: area, cell: (Double(cell.width), Double(cell.height)))
        return (composed, CellPosition(column: area.column, row: area.row))
    }

    /// The inset, cut to the screen, and the cells of it and the frame together: the frame's own where it lies inside, else all of
    /// the frame's part of the screen, so that an inset that moves does not change the frame's size each time.
    private func insetArea(around placement: PixelPlacement) -> (ImageInset, CellRect)? {
        let screen = CellRect(column: 0, row: 0, columns: layout.cells.columns, rows: layout.cells.rows)
        guard let inset, inset.image.width > 0, inset.image.height > 0, screen.contains(inset.rect) else { return nil }
        let cells = placement.cells
        let isInside = cells.contains(inset.rect) && placement.origin.column >= 0 && placement.origin.row >= 0
        return (inset, isInside ? cells : cells.union(layout.area).union(inset.rect).clipped(to: screen) ?? screen)
    }

    private mutating func layOver() {
        if let overlay, overlay.grid.size == grid.size { grid.compose(overlay) }
    }

    // MARK: - Pixels

    /// Text first: what it wipes away is then painted again in the same frame.
    private mutating func composePixels(_ quality: EncodeQuality) {
        var placement: PixelPlacement?
        var video: RasterImage?
        if let image, let place = imagePlacement {
            let composed = pixelImage(image, at: place)
            (placement, video) = (composed.placement, composed.image)
        }
        if let placement {
            grid.fill(pixelRenderer?.ownCells(of: placement) ?? placement.cells, with: pixelRenderer?.backdrop ?? .pixels)
        } else if showsPixels {
            pixelRenderer?.clear(into: &bytes)
        }
        forgetEdges(placement)
        layOver()
        cover()
        let text = diff.encode(grid, quality: EncodeQuality(lambda: 0, maximumChannelError: 0), into: &bytes)
        statistics = text
        showsPixels = placement != nil
        guard let placement, let video else { return }
        var quality = quality
        if let budget = quality.byteBudget { quality.byteBudget = max(256, budget - bytes.count) }
        guard
            let encoded = pixelRenderer?.encode(video, at: placement, coverage: coverage, quality: quality, into: &bytes)
        else { return }
        if encoded.byteCount > 0 { diff.forgetCursor() }
        statistics.byteCount = bytes.count
        statistics.squaredError = encoded.squaredError
        statistics.isNamed = encoded.isNamed
    }

    /// Cells at the edges that the former image has painted in part keep its pixels where the new one has none: they are blanked again.
    private mutating func forgetEdges(_ placement: PixelPlacement?) {
        if let painted, let placement, painted != placement, painted.screen == placement.screen {
            diff.forget(painted.cells, but: pixelRenderer?.ownCells(of: placement) ?? placement.cells)
        }
        painted = placement
    }

    /// The frame with what lies in it as the renderer gets it, and where that lies.
    private func pixelImage(
        _ image: RasterImage, at placement: PixelPlacement
    ) -> (image: RasterImage, placement: PixelPlacement) {
        let own = image.thinned(to: placement.display)
        guard let (inset, area) = insetArea(around: placement) else { return (own, placement) }
        // A frame of fewer pixels than it covers is enlarged by the terminal, but not to less than what lies in it has.
        let display = placement.display
        let inner = Double(inset.image.width) / Double(inset.rect.columns * placement.cell.width)
        let share = min(1, max(Double(own.width) / Double(max(1, display.width)), inner))
        let size = PixelSize(
            width: max(1, Int((Double(display.width) * share).rounded())),
            height: max(1, Int((Double(display.height) * share).rounded())))
        let composed = inset.composed(
            with: own, at: placement.origin, display: size, over: area,
            cell: (Double(placement.cell.width) * share, Double(placement.cell.height) * share))
        var whole = placement
        whole.origin = CellPosition(column: area.column, row: area.row)
        whole.display = PixelSize(width: area.columns * placement.cell.width, height: area.rows * placement.cell.height)
        return (composed, whole)
    }

    private var imagePlacement: PixelPlacement? { image.flatMap { layout.placement(of: $0.size) } }

    /// Notes the cells that the overlay covers now, and those that it has just left.
    private mutating func cover() {
        let isFitting = overlay.map { $0.grid.size == grid.size && $0.covered.count == coverage.states.count } ?? false
        for index in coverage.states.indices {
            let isCovered = isFitting && overlay?.covered[index] == true
            coverage.states[index] =
                isCovered ? .covered : coverage.states[index] == .covered ? .uncovered : .clear
        }
    }
}
