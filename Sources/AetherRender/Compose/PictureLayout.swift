public import AetherCore

/// Where a picture lies on the screen and what raster it wants. Pure.
public struct PictureLayout: Equatable, Sendable {
    /// The whole screen, the last row too.
    public let cells: CellSize
    /// Width to height of one cell.
    public let cellAspect: Double
    /// Raster pixels of one cell.
    public let pixelsPerCell: PixelSize

    /// A screen of so many cells of that shape, drawn on by a renderer of so many pixels a cell.
    public init(cells: CellSize, cellAspect: Double, pixelsPerCell: PixelSize) {
        self.cells = cells
        self.cellAspect = cellAspect
        self.pixelsPerCell = pixelsPerCell
    }

    /// The raster that fills the screen.
    public var box: PixelSize {
        PixelSize(width: cells.columns * pixelsPerCell.width, height: cells.rows * pixelsPerCell.height)
    }

    /// Width to height of one raster pixel.
    public var pixelAspect: Double { cellAspect * Double(pixelsPerCell.height) / Double(pixelsPerCell.width) }

    /// The top left cell of an image that is centred; negative where it is larger than the screen.
    public func origin(of image: PixelSize) -> CellPosition {
        let columns = (image.width + pixelsPerCell.width - 1) / pixelsPerCell.width
        let rows = (image.height + pixelsPerCell.height - 1) / pixelsPerCell.height
        return CellPosition(column: (cells.columns - columns) / 2, row: (cells.rows - rows) / 2)
    }
}
