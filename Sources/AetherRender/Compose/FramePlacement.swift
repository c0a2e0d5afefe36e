public import AetherCore

/// The place of a frame on the screen, and the raster that it needs. Pure.
public struct FramePlacement: Equatable, Sendable {
    /// The whole screen, the last row too.
    public let cells: CellSize
    /// Width to height of one cell.
    public let cellAspect: Double
    /// Raster pixels of one cell.
    public let pixelsPerCell: PixelSize
    /// The part of the screen that the frame lies in.
    public let area: CellRect

    /// A screen of so many cells of that shape, drawn on by a renderer of so many pixels a cell. The frame lies in `area`, as far as
    /// that is on the screen; nil for all of it.
    public init(cells: CellSize, cellAspect: Double, pixelsPerCell: PixelSize, area: CellRect? = nil) {
        let whole = CellRect(column: 0, row: 0, columns: cells.columns, rows: cells.rows)
        let isInside = area.map {
            $0.column >= 0 && $0.row >= 0 && $0.columns >= 1 && $0.rows >= 1 && $0.columns <= cells.columns - $0.column
                && $0.rows <= cells.rows - $0.row
        }
        self.area = isInside == true ? area ?? whole : whole
        self.cells = cells
        self.cellAspect = cellAspect
        self.pixelsPerCell = pixelsPerCell
    }

    /// The raster that fills the area.
    public var box: PixelSize {
        PixelSize(width: area.columns * pixelsPerCell.width, height: area.rows * pixelsPerCell.height)
    }

    /// Width to height of one raster pixel.
    public var pixelAspect: Double { cellAspect * Double(pixelsPerCell.height) / Double(pixelsPerCell.width) }

    /// The top left cell of an image that is centred; outside the area where it is larger than that.
    public func origin(of image: PixelSize) -> CellPosition {
        let columns = (image.width + pixelsPerCell.width - 1) / pixelsPerCell.width
        let rows = (image.height + pixelsPerCell.height - 1) / pixelsPerCell.height
        return CellPosition(column: area.column + (area.columns - columns) / 2, row: area.row + (area.rows - rows) / 2)
    }

    /// The place of an image of pixels: in the middle, as large as the box allows, its top left corner at a cell's. Nil where there is no
    /// room.
    func placement(of image: PixelSize) -> PixelPlacement? {
        guard image.width > 0, image.height > 0, box.width > 0, box.height > 0 else { return nil }
        let scale = min(Double(box.width) / Double(image.width), Double(box.height) / Double(image.height))
        // Within 2 % it is the raster that was asked for, rounded: pixels stay pixels.
        let display =
            abs(scale - 1) < 0.02
            ? PixelSize(width: min(image.width, box.width), height: min(image.height, box.height))
            : PixelSize(
                width: max(1, min(box.width, Int((Double(image.width) * scale).rounded()))),
                height: max(1, min(box.height, Int((Double(image.height) * scale).rounded()))))
        return PixelPlacement(origin: origin(of: display), display: display, screen: cells, cell: pixelsPerCell)
    }

    /// The raster of an image that covered so many pixels when a cell had `before` of them.
    func raster(of shown: PixelSize, before: PixelSize) -> PixelSize {
        PixelSize(
            width: max(1, min(box.width, (shown.width * pixelsPerCell.width + before.width / 2) / before.width)),
            height: max(1, min(box.height, (shown.height * pixelsPerCell.height + before.height / 2) / before.height)))
    }
}
