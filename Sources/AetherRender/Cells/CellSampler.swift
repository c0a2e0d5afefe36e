import AetherCore

/// Reads the pixels of cells out of an image. Borrows the image's storage: no longer valid than the closure that it was made in.
struct CellSampler {
    private let pixels: UnsafePointer<UInt32>
    private let width: Int, height: Int
    private let origin: CellPosition
    private let rows: Int
    let weight: SIMD8<Float>

    /// Cells of 2 × `rows` pixels of an image whose first pixel lies in the cell `origin`.
    init(_ pixels: UnsafePointer<UInt32>, size: PixelSize, origin: CellPosition, rows: Int) {
        self.pixels = pixels
        width = size.width
        height = size.height
        self.origin = origin
        self.rows = rows
        weight = CellPixels.weights(2 * rows)
    }

    /// The pixels of a cell that the image touches. Past the image's right and lower edge its last pixels are repeated.
    @inline(__always) func cell(column: Int, row: Int) -> CellPixels {
        let x = (column - origin.column) * 2, y = (row - origin.row) * rows
        let right = x + 1 < width ? 1 : 0
        var lanes = SIMD8<UInt32>(repeating: 0)
        if y + rows <= height {
            var line = pixels + (y * width + x)
            for index in 0..<rows {
                lanes[2 * index] = line[0]
                lanes[2 * index + 1] = line[right]
                line += width
            }
        } else {
            for index in 0..<rows {
                let line = pixels + (min(y + index, height - 1) * width + x)
                lanes[2 * index] = line[0]
                lanes[2 * index + 1] = line[right]
            }
        }
        // Red first in memory; colours of cells have it highest.
        return CellPixels(lanes, weight: weight, count: 2 * rows)
    }
}
