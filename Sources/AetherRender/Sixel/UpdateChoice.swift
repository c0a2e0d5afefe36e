/// Chooses which blocks of an image (64 × 6 pixels) are updated when there are not bytes enough for all: those first that take
/// away the most squared error per byte.
struct UpdateChoice: Sendable {
    private static let blockWidth = 64, blockHeight = 6
    /// Steps of the scale of error per byte: half an octave each.
    private static let steps = 64
    /// The squared error of a pixel that shows nothing of ours: 64 in each channel.
    private static let unknown: Float = 12_288

    private var gains: [Float] = [], costs: [Float] = []
    private var columns = 0, rows = 0, changes = 0, unknowns = 0
    private var bytesOfStep = [Float](repeating: 0, count: Self.steps)
    /// Bytes for each unit of the estimate, learnt from what frames came to: of images that are mostly new, and of others, whose
    /// few pixels lie far apart. The latter is rather too high: what then is left of a budget goes to a second round, but what
    /// overflows it is whatever lies lowest.
    private var newScale: Float = 1.5, otherScale: Float = 5
    private var isNew = false
    private var scale: Float { isNew ? newScale : otherScale }
    private var estimate: Float = 0

    /// Estimates the bytes of all updates that a plane wants. Calls for `select` then work on these.
    /// If only every so many bands are chosen (`stride`), the bytes are estimated from these, and `select` must not be called.
    mutating func measure(
        _ plane: borrowing PenPlane, shades: [SIMD4<Float>], stride: Int = 1,
        image: (Int, (UnsafePointer<UInt32>) -> Void) -> Void
    ) -> Int {
        columns = (plane.width + Self.blockWidth - 1) / Self.blockWidth
        rows = (plane.height + Self.blockHeight - 1) / Self.blockHeight
        gains.removeAll(keepingCapacity: true)
        costs.removeAll(keepingCapacity: true)
        for _ in 0..<columns * rows {
            gains.append(0)
            costs.append(0)
        }
        estimate = 0
        (changes, unknowns) = (0, 0)
        for y in 0..<plane.height where y / 6 % stride == stride / 2 && plane.firstChange[y] <= plane.lastChange[y] {
            image(y) { measure(row: y, plane, shades, source: $0) }
        }
        for cost in costs { estimate += cost }
        estimate *= Float(stride)
        isNew = unknowns * 2 > changes
        return Int(estimate * scale)
    }

    private mutating func measure(
        row y: Int, _ plane: borrowing PenPlane, _ shades: [SIMD4<Float>], source: UnsafePointer<UInt32>
    ) {
        let start = y * plane.width, blocks = y / Self.blockHeight * columns
        var left = SixelPalette.none
        for x in Int(plane.firstChange[y])...Int(plane.lastChange[y]) {
            let now = plane.shown[start + x], pen = plane.wanted[start + x]
            if now == pen {
                left = SixelPalette.none
                continue
            }
            let colour = SixelPalette.colour(source[x])
            let miss = colour - shades[Int(pen)], shownMiss = colour - shades[Int(now)]
            let before = now == SixelPalette.none ? Self.unknown : (shownMiss * shownMiss).sum()
            let block = blocks + x / Self.blockWidth
            gains[block] += max(1, before - (miss * miss).sum())
            changes += 1
            if now == SixelPalette.none { unknowns += 1 }
            // A run costs about two bytes where it starts; going on is nearly free.
            costs[block] += pen == left ? 0.05 : 1
            left = pen
        }
    }

    /// Keeps the blocks that fit into `bytes`; in the others the plane wants what it shows. Returns the error that so remains.
    mutating func select(_ bytes: Int, _ plane: inout PenPlane) -> Float {
        for step in 0..<Self.steps { bytesOfStep[step] = 0 }
        var best = 0
        for block in gains.indices where costs[block] > 0 {
            bytesOfStep[step(block)] += costs[block] * scale
            if costs[best] == 0 || gains[block] * costs[best] > gains[best] * costs[block] { best = block }
        }
        var lowest = Self.steps, sum: Float = 0
        while lowest > 0, sum + bytesOfStep[lowest - 1] <= Float(bytes) {
            lowest -= 1
            sum += bytesOfStep[lowest]
        }
        // The step that does not fit as a whole is filled from the top.
        estimate = 0
        var remaining: Float = 0
        for block in gains.indices where costs[block] > 0 {
            let own = step(block)
            var isKept = own >= lowest || block == best
            if !isKept, own == lowest - 1, sum + costs[block] * scale <= Float(bytes) {
                sum += costs[block] * scale
                isKept = true
            }
            if isKept {
                estimate += costs[block]
            } else {
                remaining += gains[block]
                let x = block % columns * Self.blockWidth, y = block / columns * Self.blockHeight
                plane.keep(
                    rows: y..<min(plane.height, y + Self.blockHeight), columns: x..<min(plane.width, x + Self.blockWidth))
            }
        }
        for y in 0..<plane.height { plane.compare(row: y) }
        return remaining
    }

    /// Learns from the bytes that the updates came to; nil when they did not fit.
    mutating func learn(_ bytes: Int?) {
        guard let bytes else { return adopt(scale * 1.5) }
        if estimate < 64 { return }
        let seen = Float(bytes) / estimate
        adopt(seen > scale ? seen * 1.1 : scale + (seen - scale) / 4)
    }

    private mutating func adopt(_ value: Float) {
        let value = min(64, max(0.1, value))
        if isNew { newScale = value } else { otherScale = value }
    }

    private func step(_ block: Int) -> Int {
        let ratio = gains[block] / costs[block]
        let octaves = Float(ratio.exponent) + (ratio.significand > 1.4142 ? 0.5 : 0)
        return max(0, min(Self.steps - 1, Int(octaves * 2) + 8))
    }
}
