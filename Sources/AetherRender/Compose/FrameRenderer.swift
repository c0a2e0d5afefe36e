public import AetherCore

/// The renderer in use. An enum and not an existential: the hot loop is specialised for each.
public enum FrameRenderer: Sendable {
    case halfBlock(HalfBlockRenderer)
    case ascii(AsciiRenderer)
    case glyphs(GlyphRenderer)

    /// The renderer that was chosen; half blocks where that draws no cells.
    public init(_ choice: EncoderChoice) {
        switch choice.renderer {
        case .halfblock, .sixel, .kitty, .iterm2: self = .halfBlock(HalfBlockRenderer(depth: choice.depth))
        case .ascii: self = .ascii(AsciiRenderer(depth: choice.depth))
        case .quadrant: self = .glyphs(GlyphRenderer(.quadrant, depth: choice.depth))
        case .sextant: self = .glyphs(GlyphRenderer(.sextant, depth: choice.depth))
        case .octant: self = .glyphs(GlyphRenderer(.octant, depth: choice.depth))
        case .braille: self = .glyphs(GlyphRenderer(.braille, depth: choice.depth))
        }
    }

    /// The name on the command line.
    public var name: String {
        switch self {
        case .halfBlock: HalfBlockRenderer.name
        case .ascii: AsciiRenderer.name
        case .glyphs(let renderer): renderer.name
        }
    }

    /// Raster pixels of one cell.
    public var pixelsPerCell: PixelSize {
        switch self {
        case .halfBlock: HalfBlockRenderer.pixelsPerCell
        case .ascii: AsciiRenderer.pixelsPerCell
        case .glyphs(let renderer): renderer.pixelsPerCell
        }
    }

    /// The glyphs that cells of several pixels are drawn with; nil for half blocks and letters.
    public var glyphs: GlyphSet? {
        if case .glyphs(let renderer) = self { return renderer.glyphs }
        return nil
    }

    /// Draws an image with its top left pixel in the cell `origin`, clipped to the grid.
    public mutating func draw(_ image: RasterImage, at origin: CellPosition, into grid: inout CellGrid) {
        switch self {
        case .halfBlock(var renderer):
            renderer.draw(image, at: origin, into: &grid)
            self = .halfBlock(renderer)
        case .ascii(var renderer):
            renderer.draw(image, at: origin, into: &grid)
            self = .ascii(renderer)
        case .glyphs(var renderer):
            renderer.draw(image, at: origin, into: &grid)
            self = .glyphs(renderer)
        }
    }
}
