public import AetherCore

/// The frame that the cells of a grid were drawn from, for an encoder that weighs what it shows against the pixels themselves:
/// two glyphs may be equally far from the pixels and yet far from each other.
public struct CellFrame: Sendable {
    /// The pixels, `glyphs.parts` a cell.
    public let image: RasterImage
    /// The cell of the image's first pixel.
    public let origin: CellPosition
    /// The glyphs that it was drawn with; nil for half blocks.
    public let glyphs: GlyphSet?

    /// A frame drawn with a family of glyphs, or with half blocks.
    public init(_ image: RasterImage, at origin: CellPosition, glyphs: GlyphSet?) {
        self.image = image
        self.origin = origin
        self.glyphs = glyphs
    }
}
