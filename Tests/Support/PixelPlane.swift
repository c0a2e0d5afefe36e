public import AetherCore

/// The pixels of a screen, for pictures: 0 where nothing was painted.
public struct PixelPlane: Equatable {
    /// The screen in pixels, and one cell.
    public let size: PixelSize, cell: PixelSize
    /// size.width × size.height pixels as in `RasterImage`.
    public private(set) var pixels: [UInt32]

    /// An empty plane for a screen of cells.
    public init(cells: CellSize, cell: PixelSize) {
        size = PixelSize(width: cells.columns * cell.width, height: cells.rows * cell.height)
        self.cell = cell
        pixels = [UInt32](repeating: 0, count: size.width * size.height)
    }

    /// The pixel at a place.
    public subscript(x: Int, y: Int) -> UInt32 { pixels[y * size.width + x] }

    /// Wipes a cell.
    public mutating func erase(column: Int, row: Int) {
        paint(x: column * cell.width, y: row * cell.height, width: cell.width, height: cell.height) { _, _ in 0 }
    }

    /// Paints a rectangle, clipped to the plane; nil leaves a pixel as it is.
    public mutating func paint(x: Int, y: Int, width: Int, height: Int, _ pixel: (Int, Int) -> UInt32?) {
        for line in max(0, y)..<max(max(0, y), min(size.height, y + height)) {
            for place in max(0, x)..<max(max(0, x), min(size.width, x + width)) {
                if let value = pixel(place - x, line - y) { pixels[line * size.width + place] = value }
            }
        }
    }

    /// A part of the plane.
    public func image(x: Int, y: Int, width: Int, height: Int) -> RasterImage {
        var image = RasterImage(width: width, height: height, fill: 0)
        for line in 0..<height { for place in 0..<width { image[place, line] = self[x + place, y + line] } }
        return image
    }
}
