/// A whole image in few bytes, for the first frame of a scene where bytes are short: one colour for each 4 × 6 pixels, few pens, no
/// dither, and runs as long as the budget asks for. Half a fine image would be worse to look at, and costs more to choose.
struct CoarseImage: Sendable {
    private static let blockWidth = 4, blockHeight = 6
    /// Pens used: the first ones, which most of the image is near to. Their definitions are 1 KB.
    private static let most = 64
    /// Bytes of a run: the name of the pen, a count, the sixel; and of each definition.
    private static let runBytes = 6.5, definitionBytes = 17
    /// A pen is left for a better one from this squared distance on; it grows until the image fits.
    private static let leastGain: Float = 30, mostGain: Float = 200_000

    private var colours: [SIMD4<Float>] = []
    private var pens: [UInt8] = []
    private var nearest = NearestPens()
    private var columns = 0, rows = 0

    /// Makes the plane want the image; `bytes` are not exceeded by much, if that can be.
    mutating func choose(
        _ plane: inout PenPlane, palette: borrowing SixelPalette, bytes: Int,
        image: (Int, (UnsafePointer<UInt32>) -> Void) -> Void
    ) {
        sample(plane.width, plane.height, image)
        let count = min(Self.most, palette.count)
        nearest.removeAll()
        func fits(_ gain: Float) -> Bool {
            let runs = assign(palette.shades, count, gain)
            return gain >= Self.mostGain || Double(runs) * Self.runBytes + Double(count * Self.definitionBytes) <= Double(bytes)
        }
        // 0.4 ms a try: nine of them find it within a fifth.
        var low = Self.leastGain, high = low
        while !fits(high) { (low, high) = (high, high * 4) }
        for _ in 0..<3 where low < high {
            let middle = (low * high).squareRoot()
            if fits(middle) { high = middle } else { low = middle }
        }
        _ = fits(high)
        for y in 0..<plane.height {
            let start = y / Self.blockHeight * columns
            for column in 0..<columns {
                let left = column * Self.blockWidth
                plane.want(pens[start + column], row: y, columns: left..<min(plane.width, left + Self.blockWidth))
            }
        }
    }

    /// The mean colour of each block, by its second and fifth row.
    private mutating func sample(_ width: Int, _ height: Int, _ image: (Int, (UnsafePointer<UInt32>) -> Void) -> Void) {
        columns = (width + Self.blockWidth - 1) / Self.blockWidth
        rows = (height + Self.blockHeight - 1) / Self.blockHeight
        if colours.count != columns * rows {
            colours = [SIMD4<Float>](repeating: SIMD4(), count: columns * rows)
            pens = [UInt8](repeating: 0, count: columns * rows)
        }
        for row in 0..<rows {
            let y = row * Self.blockHeight
            for column in 0..<columns { colours[row * columns + column] = SIMD4() }
            for y in [min(height - 1, y + 1), min(height - 1, y + 4)] {
                image(y) { source in
                    for column in 0..<columns {
                        var sum = SIMD4<Float>(), count: Float = 0
                        for x in column * Self.blockWidth..<min(width, (column + 1) * Self.blockWidth) {
                            sum += SixelPalette.colour(source[x])
                            count += 1
                        }
                        colours[row * columns + column] += sum / (2 * count)
                    }
                }
            }
        }
    }

    /// Gives each block the nearest pen, or the one to its left unless that is too far off; returns the number of runs.
    private mutating func assign(_ shades: [SIMD4<Float>], _ count: Int, _ gain: Float) -> Int {
        var runs = 0
        shades.withUnsafeBufferPointer { shades in
            guard let base = shades.baseAddress else { return }
            nearest.withEntries { entries in
                for row in 0..<rows {
                    var left = SixelPalette.none
                    for index in row * columns..<(row + 1) * columns {
                        let colour = colours[index], whole = SIMD4<UInt32>(colour)
                        let key = NearestPens.key(whole.x | whole.y << 8 | whole.z << 16)
                        var pen = entries[key]
                        if pen == SixelPalette.none {
                            pen = NearestPens.find(key: key, pens: base, count: count)
                            entries[key] = pen
                        }
                        if pen != left {
                            let miss = colour - base[Int(pen)], leftMiss = colour - base[Int(left)]
                            if (leftMiss * leftMiss).sum() < (miss * miss).sum() + gain { pen = left } else { runs += 1 }
                        }
                        pens[index] = pen
                        left = pen
                    }
                }
            }
        }
        return runs
    }
}
