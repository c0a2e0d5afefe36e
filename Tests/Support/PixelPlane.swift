public import AetherCore

/// The pixels that graphics have left on a screen, under the text that is drawn later: what text is written on is wiped cell by cell.
public struct PixelPlane: Sendable, Equatable {
    /// The screen in pixels.
    public let size: PixelSize
    /// One cell in pixels.
    public let cell: PixelSize
    /// 0xAABBGGRR, 0 where nothing is painted; no memory before the first pixel.
    private var pixels: [UInt32] = []

    /// An unpainted plane over a screen of cells.
    public init(_ screen: CellSize, cell: PixelSize) {
        self.cell = cell
        size = PixelSize(width: screen.columns * cell.width, height: screen.rows * cell.height)
    }

    /// The same, with the words of pictures that have planes of their own.
    public init(cells: CellSize, cell: PixelSize) { self.init(cells, cell: cell) }

    /// The pixel at a place; 0 where nothing is painted or outside.
    public subscript(x: Int, y: Int) -> UInt32 {
        guard !pixels.isEmpty, x >= 0, y >= 0, x < size.width, y < size.height else { return 0 }
        return pixels[y * size.width + x]
    }

    /// Whether anything is painted.
    public var isEmpty: Bool { !pixels.contains { $0 != 0 } }

    /// Paints one pixel; outside nothing happens.
    public mutating func paint(_ x: Int, _ y: Int, _ pixel: UInt32) {
        guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
        if pixels.isEmpty { pixels = [UInt32](repeating: 0, count: size.width * size.height) }
        pixels[y * size.width + x] = pixel
    }

    /// Paints a rectangle, clipped to the plane; nil leaves a pixel as it is.
    public mutating func paint(x: Int, y: Int, width: Int, height: Int, _ pixel: (Int, Int) -> UInt32?) {
        for line in max(0, y)..<max(0, y, min(size.height, y + height)) {
            for place in max(0, x)..<max(0, x, min(size.width, x + width)) {
                if let value = pixel(place - x, line - y) { paint(place, line, value) }
            }
        }
    }

    /// Paints a picture with its top left corner at a place; pixels of alpha 0 leave what is there.
    public mutating func paint(_ image: RasterImage, x: Int, y: Int) {
        for row in 0..<image.height {
            for column in 0..<image.width where image[column, row] >> 24 != 0 { paint(x + column, y + row, image[column, row]) }
        }
    }

    /// Paints a rectangle in one colour; 0 wipes it.
    public mutating func fill(x: Int, y: Int, width: Int, height: Int, _ pixel: UInt32) {
        if pixel == 0 && pixels.isEmpty { return }
        for row in max(0, y)..<max(0, y, min(y + height, size.height)) {
            for column in max(0, x)..<max(0, x, min(x + width, size.width)) { paint(column, row, pixel) }
        }
    }

    /// Wipes one cell.
    public mutating func erase(column: Int, row: Int) {
        fill(x: column * cell.width, y: row * cell.height, width: cell.width, height: cell.height, 0)
    }

    /// Wipes everything.
    public mutating func removeAll() { pixels = [] }

    /// Moves everything up by rows of cells.
    public mutating func scroll(rows: Int) {
        if pixels.isEmpty { return }
        let count = min(pixels.count, rows * cell.height * size.width)
        pixels.removeFirst(count)
        pixels += [UInt32](repeating: 0, count: count)
    }

    /// The same plane over a screen of another size: what lies on both stays where it is.
    public func resized(to screen: CellSize) -> PixelPlane {
        var plane = PixelPlane(screen, cell: cell)
        for y in 0..<min(size.height, plane.size.height) {
            for x in 0..<min(size.width, plane.size.width) where self[x, y] != 0 { plane.paint(x, y, self[x, y]) }
        }
        return plane
    }

    /// A rectangle as a picture; `otherwise` stands where nothing is painted.
    public func image(x: Int = 0, y: Int = 0, width: Int, height: Int, otherwise: UInt32 = 0) -> RasterImage {
        var image = RasterImage(width: width, height: height, fill: otherwise)
        for row in 0..<height {
            for column in 0..<width {
                let pixel = self[x + column, y + row]
                if pixel != 0 { image[column, row] = pixel }
            }
        }
        return image
    }
}
