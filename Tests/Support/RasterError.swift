public import AetherCore

extension RasterImage {
    /// The squared difference to a picture of the same size, added up over red, green and blue of every pixel.
    public func squaredError(to other: RasterImage) -> Int {
        var sum = 0
        forEachDifference(to: other) { sum += $0 * $0 }
        return sum
    }

    /// The furthest that any channel is off.
    public func largestError(to other: RasterImage) -> Int {
        var worst = 0
        forEachDifference(to: other) { worst = max(worst, abs($0)) }
        return worst
    }

    private func forEachDifference(to other: RasterImage, _ body: (Int) -> Void) {
        precondition(size == other.size, "pictures of different sizes")
        for (a, b) in zip(pixels, other.pixels) {
            for shift: UInt32 in [0, 8, 16] { body(Int(a >> shift & 255) - Int(b >> shift & 255)) }
        }
    }
}
