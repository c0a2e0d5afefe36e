import AetherCore
import AetherRender

/// Where the frames of channels side by side lie, two in a row: in pixels of a raster, and in cells of the screen. Pure.
struct MosaicLayout: Equatable {
    /// Up to four; 1: one fills all.
    let count: Int

    /// Four are what a terminal has pixels for, and a machine threads.
    static let largest = 4
    /// The line around the tile that sounds, and the ground between tiles.
    private static let line: UInt32 = 0xFFFF_FFFF, ground: UInt32 = 0xFF00_0000

    init(count: Int) { self.count = min(max(1, count), Self.largest) }

    private var rows: Int { count > 2 ? 2 : 1 }
    private var columns: Int { count > 1 ? 2 : 1 }

    /// A part of a width or height, from 0; parts differ by one at most and leave nothing out.
    private static func part(_ index: Int, of parts: Int, _ length: Int) -> Range<Int> {
        length * index / parts..<length * (index + 1) / parts
    }

    /// The pixels of a tile in a raster.
    func pixels(of tile: Int, in box: PixelSize) -> (x: Range<Int>, y: Range<Int>) {
        (Self.part(tile % columns, of: columns, box.width), Self.part(tile / columns, of: rows, box.height))
    }

    /// The size that a tile's frame is made in: the line around it is left free.
    func size(of tile: Int, in box: PixelSize) -> PixelSize {
        let (x, y) = pixels(of: tile, in: box), line = lineWidth(in: box)
        return PixelSize(width: max(1, x.count - 2 * line), height: max(1, y.count - 2 * line))
    }

    /// The cells of a tile on a screen.
    func cells(of tile: Int, on screen: CellSize) -> CellRect {
        let x = Self.part(tile % columns, of: columns, screen.columns), y = Self.part(tile / columns, of: rows, screen.rows)
        return CellRect(column: x.lowerBound, row: y.lowerBound, columns: x.count, rows: y.count)
    }

    /// The tile at a cell; nil where there is none.
    func tile(column: Int, row: Int, on screen: CellSize) -> Int? {
        (0..<count).first { cells(of: $0, on: screen).contains(column: column, row: row) }
    }

    /// The tile beside another one, by steps to the right and down; itself at an edge.
    func neighbour(of tile: Int, right: Int, down: Int) -> Int {
        let column = tile % columns + right, row = tile / columns + down
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return tile }
        return min(row * columns + column, count - 1)
    }

    /// One pixel of half-blocks, three of a window.
    private func lineWidth(in box: PixelSize) -> Int { count == 1 ? 0 : max(1, min(box.width, box.height) / 300) }

    /// The frames as one image: each in the middle of its tile, smaller where it is too large; the chosen tile has a line around it.
    func composed(_ images: [RasterImage?], chosen: Int, in box: PixelSize) -> RasterImage {
        var canvas = RasterImage(width: max(0, box.width), height: max(0, box.height), fill: Self.ground)
        for tile in 0..<min(count, images.count) {
            guard let image = images[tile] else { continue }
            let fitted = Self.fitted(image, into: size(of: tile, in: box)), place = pixels(of: tile, in: box)
            let left = place.x.lowerBound + (place.x.count - fitted.width) / 2
            let top = place.y.lowerBound + (place.y.count - fitted.height) / 2
            canvas.draw(fitted, at: (left, top))
        }
        if count > 1 { drawLine(around: chosen, on: &canvas) }
        return canvas
    }

    /// A frame made before the tiles were laid out is as large as the screen.
    private static func fitted(_ image: RasterImage, into size: PixelSize) -> RasterImage {
        guard image.width > size.width || image.height > size.height else { return image }
        let scale = min(Double(size.width) / Double(image.width), Double(size.height) / Double(image.height))
        return image.scaled(
            to: PixelSize(
                width: max(1, min(size.width, Int(Double(image.width) * scale))),
                height: max(1, min(size.height, Int(Double(image.height) * scale)))))
    }

    private func drawLine(around tile: Int, on canvas: inout RasterImage) {
        let (x, y) = pixels(of: tile, in: canvas.size), line = lineWidth(in: canvas.size)
        for row in y {
            let isEdge = row < y.lowerBound + line || row >= y.upperBound - line
            for column in isEdge ? [x] : [x.prefix(line), x.suffix(line)] {
                for place in column { canvas[place, row] = Self.line }
            }
        }
    }
}
