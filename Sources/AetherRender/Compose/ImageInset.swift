public import AetherCore

/// A small inset: it hides what lies under it, and may reach beyond its edge.
public struct ImageInset: Sendable, Equatable {
    /// The small frame, at any size.
    public let image: RasterImage
    /// The cells that it fills; its image is scaled to them.
    public let rect: CellRect

    /// An inset.
    public init(image: RasterImage, rect: CellRect) {
        self.image = image
        self.rect = rect
    }

    /// Frame and inset as one image over the cells of `area`, each of `cell` pixels; black where neither lies. `image` has its top left
    /// pixel in the cell `origin` and covers `display` pixels.
    func composed(
        with image: RasterImage, at origin: CellPosition, display: PixelSize, over area: CellRect,
        cell: (width: Double, height: Double)
    ) -> RasterImage {
        let width = max(1, Int((Double(area.columns) * cell.width).rounded())),
            height = max(1, Int((Double(area.rows) * cell.height).rounded()))
        var canvas = RasterImage(width: width, height: height)
        func place(_ column: Int, _ row: Int) -> (x: Int, y: Int) {
            (Int((Double(column - area.column) * cell.width).rounded()), Int((Double(row - area.row) * cell.height).rounded()))
        }
        canvas.draw(display == image.size ? image : image.scaled(to: display), at: place(origin.column, origin.row))
        let from = place(rect.column, rect.row), to = place(rect.column + rect.columns, rect.row + rect.rows)
        canvas.draw(self.image.scaled(to: PixelSize(width: max(1, to.x - from.x), height: max(1, to.y - from.y))), at: from)
        return canvas
    }
}

extension RasterImage {
    /// Copies a frame to a place in this one, as far as it lies inside.
    public mutating func draw(_ image: RasterImage, at place: (x: Int, y: Int)) {
        let left = max(0, place.x), right = min(width, place.x + image.width)
        let top = max(0, place.y), bottom = min(height, place.y + image.height)
        guard left < right, top < bottom else { return }
        let stride = width
        image.pixels.withUnsafeBufferPointer { source in
            pixels.withUnsafeMutableBufferPointer { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                for row in top..<bottom {
                    (to + row * stride + left).update(
                        from: from + (row - place.y) * image.width + left - place.x, count: right - left)
                }
            }
        }
    }
}

extension CellRect {
    /// The smallest rectangle that holds both.
    func union(_ other: CellRect) -> CellRect {
        let left = min(column, other.column), top = min(row, other.row)
        return CellRect(
            column: left, row: top, columns: max(column + columns, other.column + other.columns) - left,
            rows: max(row + rows, other.row + other.rows) - top)
    }

    /// The part of it that lies inside another; nil where none does.
    func clipped(to other: CellRect) -> CellRect? {
        let left = max(column, other.column), top = max(row, other.row)
        let right = min(column + columns, other.column + other.columns), bottom = min(row + rows, other.row + other.rows)
        return left < right && top < bottom ? CellRect(column: left, row: top, columns: right - left, rows: bottom - top) : nil
    }

    /// Whether another lies in it.
    func contains(_ other: CellRect) -> Bool { clipped(to: other) == other }
}
