import AetherCore
import AetherEngine
import AetherTerminal

/// Where a picture lies on the screen and what raster it wants. Pure.
struct PictureLayout: Equatable, Sendable {
    let cells: CellSize
    /// Width to height of one cell.
    let cellAspect: Double
    /// Raster pixels of one cell.
    let pixelsPerCell: PixelSize

    /// The whole screen, the last row too.
    init(size: TerminalSize, pixelsPerCell: PixelSize) {
        cells = size.cells
        cellAspect = size.cellAspect
        self.pixelsPerCell = pixelsPerCell
    }

    /// What the engine is asked for.
    var demand: RasterDemand {
        RasterDemand(
            box: PixelSize(width: cells.columns * pixelsPerCell.width, height: cells.rows * pixelsPerCell.height),
            pixelAspect: cellAspect * Double(pixelsPerCell.height) / Double(pixelsPerCell.width))
    }

    /// The top left cell of an image that is centred; negative where it is larger than the screen.
    func origin(of image: PixelSize) -> (column: Int, row: Int) {
        let columns = (image.width + pixelsPerCell.width - 1) / pixelsPerCell.width
        let rows = (image.height + pixelsPerCell.height - 1) / pixelsPerCell.height
        return ((cells.columns - columns) / 2, (cells.rows - rows) / 2)
    }
}
