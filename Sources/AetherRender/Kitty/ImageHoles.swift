import AetherCore

/// The clear parts of an image that lies over the text: the covered cells, so that the text is seen.
struct ImageHoles: Sendable {
    private var covered: [Bool] = []
    private var placement: PixelPlacement?
    private var pixels: [UInt32] = []
    /// Whether nothing of the image is covered.
    private(set) var isEmpty = true

    /// Takes in what is covered now; true when it is what was covered before.
    mutating func update(_ coverage: borrowing CellCoverage, at placement: PixelPlacement) -> Bool {
        let cells = placement.cells, columns = coverage.size.columns
        let count = cells.columns * cells.rows
        var isSame = self.placement == placement && covered.count == count
        if !isSame {
            self.placement = placement
            covered = [Bool](repeating: false, count: count)
        }
        var any = false
        for row in 0..<cells.rows {
            for column in 0..<cells.columns {
                let at = (cells.row + row) * columns + cells.column + column
                let isCovered = coverage.states.indices.contains(at) && coverage.states[at] == .covered
                let index = row * cells.columns + column
                if covered[index] != isCovered {
                    covered[index] = isCovered
                    isSame = false
                }
                any = any || isCovered
            }
        }
        isEmpty = !any
        return isSame
    }

    /// The image with its holes: a copy, clear in all pixels that a covered cell touches.
    mutating func punched(_ image: borrowing RasterImage) -> [UInt32] {
        let width = image.width, height = image.height
        if pixels.count == image.pixels.count {
            image.pixels.withUnsafeBufferPointer { source in
                pixels.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: source) }
            }
        } else {
            pixels = image.pixels
        }
        guard let placement else { return pixels }
        let cells = placement.cells, display = placement.display
        for row in 0..<cells.rows {
            // Outwards: where the image is stretched, a pixel that a covered cell shares with its neighbour is clear.
            let top = row * placement.cell.height * height / display.height
            let bottom = min(height, ((row + 1) * placement.cell.height * height + display.height - 1) / display.height)
            for column in 0..<cells.columns where covered[row * cells.columns + column] && top < bottom {
                let left = column * placement.cell.width * width / display.width
                let right = min(width, ((column + 1) * placement.cell.width * width + display.width - 1) / display.width)
                guard left < right else { continue }
                for y in top..<bottom {
                    for x in left..<right { pixels[y * width + x] = 0 }
                }
            }
        }
        return pixels
    }
}
