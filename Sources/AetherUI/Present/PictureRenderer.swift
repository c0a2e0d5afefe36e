import AetherCore
import AetherRender

/// The renderer in use. An enum and not an existential: the hot loop is specialised for each.
enum PictureRenderer: Sendable {
    case halfBlock(HalfBlockRenderer)
    case ascii(AsciiRenderer)

    var name: String {
        switch self {
        case .halfBlock: HalfBlockRenderer.name
        case .ascii: AsciiRenderer.name
        }
    }

    var pixelsPerCell: PixelSize {
        switch self {
        case .halfBlock: HalfBlockRenderer.pixelsPerCell
        case .ascii: AsciiRenderer.pixelsPerCell
        }
    }

    mutating func draw(_ image: RasterImage, at origin: CellPosition, into grid: inout CellGrid) {
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
