public import AetherCore

/// The renderer in use. An enum and not an existential: the hot loop is specialised for each.
public enum PictureRenderer: Sendable {
    case halfBlock(HalfBlockRenderer)
    case ascii(AsciiRenderer)

    /// The renderer that was chosen.
    public init(_ choice: EncoderChoice) {
        switch choice.renderer {
        // Half-blocks stand in for what is not built in yet: every terminal that shows the others shows them.
        case .halfblock, .quadrant, .sextant, .octant, .braille, .sixel, .kitty, .iterm2:
            self = .halfBlock(HalfBlockRenderer(depth: choice.depth))
        case .ascii: self = .ascii(AsciiRenderer(depth: choice.depth))
        }
    }

    /// The name on the command line.
    public var name: String {
        switch self {
        case .halfBlock: HalfBlockRenderer.name
        case .ascii: AsciiRenderer.name
        }
    }

    /// Raster pixels of one cell.
    public var pixelsPerCell: PixelSize {
        switch self {
        case .halfBlock: HalfBlockRenderer.pixelsPerCell
        case .ascii: AsciiRenderer.pixelsPerCell
        }
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
        }
    }
}
