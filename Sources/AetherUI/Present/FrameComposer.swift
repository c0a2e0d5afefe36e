import AetherCore
import AetherRender
import AetherTerminal

/// Picture and overlay to the bytes of one frame. Lives on the `present` thread (and in tests); no I/O.
///
/// The picture's cells are drawn first, what lies over it second, and one difference to what the terminal shows covers both: so the
/// picture never paints into covered cells, and uncovering repaints.
struct FrameComposer: ~Copyable {
    private var renderer: PictureRenderer
    private var diff: CellDiff
    private var rate: RateControl
    private var grid: CellGrid
    private(set) var layout: PictureLayout
    private var image: RasterImage?
    private var overlay: CellOverlay?
    private var bytes = ByteBuffer()
    /// Bytes of a frame at which the picture is sent less exactly: 160 KB at 160×45 cells, a stated share of a full repaint.
    private static let bytesPerCell = 22
    private static let ground = Cell(glyph: 0x20, foreground: .terminalDefault, background: .rgb(0, 0, 0))

    /// A composer for a terminal that shows nothing known.
    init(renderer: PictureRenderer, depth: ColourDepth, size: TerminalSize) {
        self.renderer = renderer
        diff = CellDiff(depth: depth)
        layout = PictureLayout(size: size, pixelsPerCell: renderer.pixelsPerCell)
        grid = CellGrid(size.cells, fill: FrameComposer.ground)
        rate = RateControl(budget: size.cells.columns * size.cells.rows * Self.bytesPerCell)
    }

    var rendererName: String { renderer.name }
    /// Whether the last frame was sent less exactly than the terminal could show it.
    var isApproximate: Bool { image != nil && rate.lambda > 0 }

    /// The terminal has another size.
    mutating func resize(_ size: TerminalSize) {
        layout = PictureLayout(size: size, pixelsPerCell: renderer.pixelsPerCell)
        grid = CellGrid(size.cells, fill: FrameComposer.ground)
        rate.setBudget(size.cells.columns * size.cells.rows * Self.bytesPerCell)
        overlay = nil
    }

    /// The terminal has forgotten what it shows.
    mutating func invalidate() { diff.invalidate() }

    mutating func show(_ image: RasterImage?) { self.image = image }

    mutating func show(_ overlay: CellOverlay?) { self.overlay = overlay }

    /// The bytes that bring the terminal up to date, valid until the next call; empty when it is. `exactly` spares nothing.
    mutating func compose(exactly: Bool = false) -> UnsafeRawBufferPointer {
        grid.fill(CellRect(column: 0, row: 0, columns: grid.size.columns, rows: grid.size.rows), with: FrameComposer.ground)
        if let image {
            let origin = layout.origin(of: image.size)
            renderer.draw(image, at: CellPosition(column: origin.column, row: origin.row), into: &grid)
        }
        if let overlay, overlay.grid.size == grid.size { grid.compose(overlay) }
        bytes.removeAll()
        _ = diff.encode(grid, quality: exactly ? .exact : rate.quality, into: &bytes)
        if !exactly { rate.didEncode(byteCount: bytes.count) }
        return bytes.withUnsafeBytes { $0 }
    }
}
