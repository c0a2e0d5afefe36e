import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal

extension PictureLayout {
    /// The layout of a terminal's whole screen.
    init(size: TerminalSize, pixelsPerCell: PixelSize) {
        self.init(cells: size.cells, cellAspect: size.cellAspect, pixelsPerCell: pixelsPerCell)
    }

    /// What the engine is asked for.
    var demand: RasterDemand { RasterDemand(box: box, pixelAspect: pixelAspect) }
}
