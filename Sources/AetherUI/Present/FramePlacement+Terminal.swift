import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal

extension FramePlacement {
    /// The layout of a terminal's screen, or a part of it.
    init(size: TerminalSize, pixelsPerCell: PixelSize, area: CellRect? = nil) {
        self.init(cells: size.cells, cellAspect: size.cellAspect, pixelsPerCell: pixelsPerCell, area: area)
    }

    /// The demand on the engine.
    var demand: RasterDemand { demand(scale: 1) }

    /// A raster of that share of the screen's in each direction, at least 16 pixels.
    func demand(scale: Double) -> RasterDemand {
        let width = scale == 1 ? box.width : max(min(16, box.width), Int((Double(box.width) * scale).rounded()))
        let height = scale == 1 ? box.height : max(min(16, box.height), Int((Double(box.height) * scale).rounded()))
        return RasterDemand(box: PixelSize(width: width, height: height), pixelAspect: pixelAspect)
    }
}
