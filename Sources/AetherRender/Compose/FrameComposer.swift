public import AetherCore

/// Picture and overlay to the bytes of one frame. Lives on the `present` thread (and in tests and `aetherctl render`); no I/O.
///
/// The picture's cells are drawn first, what lies over it second, and one difference to what the terminal shows covers both: so the
/// picture never paints into covered cells, and uncovering repaints.
public struct FrameComposer: ~Copyable {
    private var renderer: PictureRenderer
    private var diff: CellDiff
    private var rate: RateControl
    private var grid: CellGrid
    private var image: RasterImage?
    private var overlay: CellOverlay?
    private var bytes = ByteBuffer()
    /// Where the picture lies.
    public private(set) var layout: PictureLayout
    /// What the last frame came to.
    public private(set) var statistics = EncodeStats()
    /// Bytes of a frame at which the picture is sent less exactly: 160 KB at 160×45 cells, a stated share of a full repaint.
    private static let bytesPerCell = 22
    private static let ground = Cell(glyph: 0x20, foreground: .terminalDefault, background: .rgb(0, 0, 0))

    /// A composer for a terminal that shows nothing known, of so many cells of that shape (width to height).
    public init(renderer: PictureRenderer, depth: ColourDepth, cells: CellSize, cellAspect: Double) {
        self.renderer = renderer
        diff = CellDiff(depth: depth)
        layout = PictureLayout(cells: cells, cellAspect: cellAspect, pixelsPerCell: renderer.pixelsPerCell)
        grid = CellGrid(cells, fill: FrameComposer.ground)
        rate = RateControl(budget: cells.columns * cells.rows * Self.bytesPerCell)
    }

    /// The name of the renderer on the command line.
    public var rendererName: String { renderer.name }
    /// Whether the last frame was sent less exactly than the terminal could show it.
    public var isApproximate: Bool { image != nil && rate.lambda > 0 }

    /// The terminal has another size.
    public mutating func resize(_ cells: CellSize, cellAspect: Double) {
        layout = PictureLayout(cells: cells, cellAspect: cellAspect, pixelsPerCell: renderer.pixelsPerCell)
        grid = CellGrid(cells, fill: FrameComposer.ground)
        rate.setBudget(cells.columns * cells.rows * Self.bytesPerCell)
        overlay = nil
    }

    /// The terminal has forgotten what it shows.
    public mutating func invalidate() { diff.invalidate() }

    /// The picture from the next frame on; nil for none.
    public mutating func show(_ image: RasterImage?) { self.image = image }

    /// What lies over the picture from the next frame on; nil for nothing. Ignored unless it has the terminal's size.
    public mutating func show(_ overlay: CellOverlay?) { self.overlay = overlay }

    /// The bytes that bring the terminal up to date, valid until the next call; empty when it is. `exactly` spares nothing.
    public mutating func compose(exactly: Bool = false) -> UnsafeRawBufferPointer {
        grid.fill(CellRect(column: 0, row: 0, columns: grid.size.columns, rows: grid.size.rows), with: FrameComposer.ground)
        var picture: CellPicture?
        if let image {
            let origin = layout.origin(of: image.size)
            renderer.draw(image, at: origin, into: &grid)
            picture = CellPicture(image, at: origin, glyphs: renderer.glyphs)
        }
        if let overlay, overlay.grid.size == grid.size { grid.compose(overlay) }
        bytes.removeAll()
        statistics = diff.encode(grid, picture: picture, quality: exactly ? .exact : rate.quality, into: &bytes)
        if !exactly { rate.didEncode(byteCount: bytes.count) }
        return bytes.withUnsafeBytes { $0 }
    }
}
