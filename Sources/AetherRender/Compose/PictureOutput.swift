public import AetherCore

/// How the picture leaves: as cells in the grid that the text is in, or as pixels beside it.
///
/// Cell renderers are an enum, for their loop over cells is specialised for each. Pixel renderers are called once a frame.
public enum PictureOutput: Sendable {
    case cells(PictureRenderer)
    case pixels(any PixelRenderer)

    /// What was chosen.
    public init(_ choice: EncoderChoice) {
        self = .cells(PictureRenderer(choice) ?? .halfBlock(HalfBlockRenderer(depth: choice.depth)))
    }

    /// The name on the command line.
    public var name: String {
        switch self {
        case .cells(let renderer): renderer.name
        case .pixels(let renderer): type(of: renderer).name
        }
    }

    /// Raster pixels of one cell: a cell renderer's own number; all that a cell has where pixels are drawn, 10×20 where that is
    /// not known (what the VT340 had, and what terminals without pixels in TIOCGWINSZ assume).
    public func pixelsPerCell(cellPixels: PixelSize?) -> PixelSize {
        switch self {
        case .cells(let renderer): renderer.pixelsPerCell
        case .pixels: Self.cellPixels(cellPixels)
        }
    }

    /// Whether the picture is drawn in pixels.
    public var isPixels: Bool {
        if case .pixels = self { return true }
        return false
    }

    /// Pixels of a cell, or what stands for them.
    static func cellPixels(_ known: PixelSize?) -> PixelSize { known ?? PixelSize(width: 10, height: 20) }
}
