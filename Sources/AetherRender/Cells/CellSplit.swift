import AetherCore

/// The two groups of a cell's pixels whose means show it with the least squared error.
///
/// The pixels are projected on their principal axis; of the splits between two neighbours in that order the best one is taken, and
/// then single pixels change sides while that helps. On video the error is within 0.1 % of the best of all splits.
struct CellSplit {
    /// The group shown in the foreground: the lighter one. 0 where all pixels are equal.
    var mask: UInt32
    /// The groups' means, 0x00RRGGBB. Of one group only, both are the mean.
    var foreground: UInt32, background: UInt32

    @inline(__always) init(_ cell: CellPixels) {
        let count = Float(cell.count), share = 1 / count
        let red = cell.red.total * share, green = cell.green.total * share, blue = cell.blue.total * share
        let r = (cell.red - red) * cell.weight, g = (cell.green - green) * cell.weight, b = (cell.blue - blue) * cell.weight
        let rr = (r * r).total, gg = (g * g).total, bb = (b * b).total
        mask = 0
        foreground = CellPixels.packed(red, green, blue)
        background = foreground
        // Pixels that all round to the mean: nothing to split.
        guard rr + gg + bb >= 0.5 else { return }
        let axis = Self.principalAxis(rr: rr, gg: gg, bb: bb, rg: (r * g).total, rb: (r * b).total, gb: (g * b).total)
        var p = r * axis.x + g * axis.y + b * axis.z
        // Lanes that are not in use lie beyond every pixel.
        p.replace(with: -.greatestFiniteMagnitude, where: cell.weight .== 0)
        var search = SplitSearch(r: r, g: g, b: b, weight: cell.weight, count: count)
        search.splitAlong(p, lanes: cell.count)
        search.exchange()
        let inside = search.size, outside = count - inside
        guard inside > 0.5, outside > 0.5 else { return }
        // The sums are about the mean, so one group's is the other's with the other sign.
        let a = 1 / inside, o = 1 / outside
        let first = CellPixels.packed(red + search.sum.x * a, green + search.sum.y * a, blue + search.sum.z * a)
        let second = CellPixels.packed(red - search.sum.x * o, green - search.sum.y * o, blue - search.sum.z * o)
        let chosen = search.members.bits
        if Self.luma(first) >= Self.luma(second) {
            (mask, foreground, background) = (chosen, first, second)
        } else {
            (mask, foreground, background) = (~chosen & (1 << UInt32(cell.count) - 1), second, first)
        }
    }

    @inline(__always) private static func luma(_ colour: UInt32) -> UInt32 {
        lumaOf(red: colour >> 16 & 255, green: colour >> 8 & 255, blue: colour & 255)
    }

    /// The direction of the greatest variance: the covariance matrix, squared twice, times its largest column, which is five steps of
    /// power iteration. Not normalised in between: 8·128² to the ninth power is far from the end of Float.
    @inline(__always) private static func principalAxis(
        rr: Float, gg: Float, bb: Float, rg: Float, rb: Float, gb: Float
    ) -> SIMD4<Float> {
        // Scaled to a trace of 1, so that nothing under- or overflows.
        let scale = 1 / (rr + gg + bb)
        var x = SIMD4<Float>(rr, rg, rb, 0) * scale, y = SIMD4<Float>(rg, gg, gb, 0) * scale,
            z = SIMD4<Float>(rb, gb, bb, 0) * scale
        for _ in 0..<2 {
            // Symmetric, so rows are columns.
            let a = x * x.x + y * x.y + z * x.z
            let b = x * y.x + y * y.y + z * y.z
            let c = x * z.x + y * z.y + z * z.z
            (x, y, z) = (a, b, c)
        }
        return x.x >= y.y ? (x.x >= z.z ? x : z) : (y.y >= z.z ? y : z)
    }
}

/// A split under construction. All sums are of differences to the mean of the cell, so that a split's gain, the variance between its
/// groups, is |sum|²·k / (n·(k − n)).
private struct SplitSearch {
    let r: SIMD8<Float>, g: SIMD8<Float>, b: SIMD8<Float>, weight: SIMD8<Float>
    let count: Float
    var members = SIMDMask<SIMD8<Int32>>(repeating: false)
    var size: Float = 0
    var sum = SIMD4<Float>(repeating: 0)
    private var gain: Float = 0

    @inline(__always) init(r: SIMD8<Float>, g: SIMD8<Float>, b: SIMD8<Float>, weight: SIMD8<Float>, count: Float) {
        self.r = r
        self.g = g
        self.b = b
        self.weight = weight
        self.count = count
    }

    /// The best of the splits into the pixels from one place of the axis on and the rest: each lane sums up its own split.
    @inline(__always) mutating func splitAlong(_ p: SIMD8<Float>, lanes: Int) {
        var n = SIMD8<Float>(repeating: 0), sr = n, sg = n, sb = n
        let zero = n
        for lane in 0..<lanes {
            let inside = p .<= p[lane]
            n += zero.replacing(with: 1, where: inside)
            sr += zero.replacing(with: r[lane], where: inside)
            sg += zero.replacing(with: g[lane], where: inside)
            sb += zero.replacing(with: b[lane], where: inside)
        }
        let gains = gain(sr, sg, sb, n)
        let best = Self.place(gains, lanes)
        gain = gains[best]
        size = n[best]
        sum = SIMD4(sr[best], sg[best], sb[best], 0)
        members = p .>= p[best]
    }

    /// Moves the pixel to the other side whose move gains most, while any does. Four rounds are enough on video and on noise.
    @inline(__always) mutating func exchange() {
        for _ in 0..<4 {
            let sign = SIMD8<Float>(repeating: 1).replacing(with: -1, where: members)
            let n = sign + size
            let gains = gain(r * sign + sum.x, g * sign + sum.y, b * sign + sum.z, n) * weight
            let best = Self.place(gains, 8)
            // Less than a thousandth is rounding.
            guard gains[best] > gain * 1.001 else { return }
            gain = gains[best]
            size = n[best]
            sum += SIMD4(r[best], g[best], b[best], 0) * sign[best]
            members[best].toggle()
        }
    }

    @inline(__always) private func gain(
        _ x: SIMD8<Float>, _ y: SIMD8<Float>, _ z: SIMD8<Float>, _ n: SIMD8<Float>
    ) -> SIMD8<Float> {
        let spread = n * (count - n)
        // Everything on one side gains nothing.
        let divisor = spread.replacing(with: .greatestFiniteMagnitude, where: spread .< 0.5)
        return (x * x + y * y + z * z) / divisor
    }

    /// The lane of the greatest value; the first of equal ones.
    @inline(__always) private static func place(_ values: SIMD8<Float>, _ lanes: Int) -> Int {
        var best = 0
        for lane in 1..<lanes where values[lane] > values[best] { best = lane }
        return best
    }
}
