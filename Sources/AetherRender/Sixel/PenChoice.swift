/// Chooses pens for a histogram: boxes of colours are halved where the error is largest, then the pens move to the middles of
/// what is nearest to them (Lloyd's iteration).
///
/// Bins weigh the square root of their pixels: a sky of half the image does not need half the pens, and small things keep
/// their colours. On video that is worth 0.8 dB of the blurred image at equal bytes.
struct PenChoice: Sendable {
    private struct Box: Sendable {
        var range: Range<Int>
        var error: Float = 0
        var axis = 0
        var middle: Float = 0
    }

    /// The used bins: mean colour and weight.
    private var colours: [SIMD4<Float>] = []
    private var boxes: [Box] = []
    private var pens: [SIMD4<Float>] = []
    private var sums: [SIMD4<Float>] = []
    /// Passes of Lloyd's iteration; the third gains less than 0.1 dB.
    private static let passes = 3
    /// Squared distance within which a pen serves a colour well enough not to give it one of its own.
    private static let near: Float = 150

    /// The best `count` pens for the bins of a histogram, or for those of them that no pen of a palette serves.
    mutating func choose(_ count: Int, from bins: [SIMD4<Float>], farFrom palette: SixelPalette? = nil) -> [SIMD4<Float>] {
        colours.removeAll(keepingCapacity: true)
        for bin in bins where bin.w > 0 {
            var colour = bin / bin.w
            colour.w = 0
            if let palette, palette.hasPen(near: colour, within: Self.near) { continue }
            colour.w = bin.w.squareRoot()
            colours.append(colour)
        }
        split(into: count)
        pens.removeAll(keepingCapacity: true)
        for box in boxes {
            var sum = SIMD4<Float>()
            for index in box.range { sum += Self.weighted(colours[index]) }
            pens.append(sum / sum.w)
        }
        for _ in 0..<Self.passes { settle() }
        // Pens for most of the image come first: they are named most, and are enough for a coarse one.
        for index in pens.indices { pens[index].w = sums[index].w }
        pens.sort { $0.w > $1.w }
        return pens
    }

    private mutating func split(into count: Int) {
        boxes.removeAll(keepingCapacity: true)
        if colours.isEmpty { return }
        boxes.append(measured(0..<colours.count))
        while boxes.count < count {
            var worst = 0
            for index in boxes.indices where boxes[index].error > boxes[worst].error { worst = index }
            let box = boxes[worst]
            if box.error <= 0 { return }
            var low = box.range.lowerBound, high = box.range.upperBound - 1
            while low <= high {
                if colours[low][box.axis] <= box.middle {
                    low += 1
                } else {
                    colours.swapAt(low, high)
                    high -= 1
                }
            }
            if low == box.range.lowerBound || low == box.range.upperBound {
                boxes[worst].error = 0
                continue
            }
            boxes[worst] = measured(box.range.lowerBound..<low)
            boxes.append(measured(low..<box.range.upperBound))
        }
    }

    /// A box with its squared error, and where to halve it: at the mean of the axis that contributes most.
    private func measured(_ range: Range<Int>) -> Box {
        var sum = SIMD4<Float>(), squares = SIMD4<Float>()
        let origin = colours[range.lowerBound]
        for index in range {
            // Relative to one of them, for sums of squares of 255 lose the small differences.
            var offset = colours[index] - origin
            offset.w = 1
            let weighted = offset * colours[index].w
            sum += weighted
            squares += weighted * offset
        }
        let spread = squares - sum * sum / sum.w
        var box = Box(range: range, error: range.count > 1 ? spread.x + spread.y + spread.z : 0)
        box.axis = spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2
        box.middle = origin[box.axis] + sum[box.axis] / sum.w
        return box
    }

    /// Moves each pen to the weighted mean of the colours that it is the nearest to.
    private mutating func settle() {
        sums.removeAll(keepingCapacity: true)
        for _ in pens { sums.append(SIMD4()) }
        pens.withUnsafeMutableBufferPointer { pens in
            sums.withUnsafeMutableBufferPointer { sums in
                for colour in colours {
                    var best = Float.infinity
                    var nearest = 0
                    for index in 0..<pens.count {
                        var offset = pens[index] - colour
                        offset.w = 0
                        let distance = (offset * offset).sum()
                        if distance < best { (best, nearest) = (distance, index) }
                    }
                    sums[nearest] += Self.weighted(colour)
                }
                for index in 0..<pens.count where sums[index].w > 0 { pens[index] = sums[index] / sums[index].w }
            }
        }
    }

    /// The colour times its weight, and the weight.
    @inline(__always) private static func weighted(_ colour: SIMD4<Float>) -> SIMD4<Float> {
        var one = colour
        one.w = 1
        return one * colour.w
    }
}
