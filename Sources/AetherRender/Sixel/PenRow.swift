/// Chooses the pens of one row of pixels. The hottest loop of sixel: it lends everything unsafely.
struct PenRow {
    let width: Int
    /// 0xAABBGGRR.
    let source: UnsafePointer<UInt32>
    /// The pens of the row above, none where it lies in another band.
    let above: UnsafePointer<UInt8>
    let shown: UnsafePointer<UInt8>
    let wanted: UnsafeMutablePointer<UInt8>
    /// What the row above got wrong; what this row gets wrong afterwards.
    let errors: UnsafeMutablePointer<SIMD4<Float>>
    /// 256 shades.
    let pens: UnsafePointer<SIMD4<Float>>
    let count: Int
    let pairs: UnsafeMutablePointer<UInt16>

    /// Five pens are candidates for each pixel: the two that its colour lies between, the one to the left, the one above, and the
    /// one that is shown. The distance is measured from the colour moved by the pattern, so that between two pens the pattern
    /// decides. Returns the squared error.
    func choose(_ rule: PenRule, y: Int) -> Float {
        var left = SixelPalette.none
        var total = SIMD4<Float>()
        let thresholds = Self.thresholds(y: y, amplitude: rule.amplitude)
        for x in 0..<width {
            let pixel = source[x]
            let colour = SIMD4<Float>(Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), 0)
            let key = Int((pixel & 0xF8) << 7 | (pixel >> 6 & 0x3E0) | (pixel >> 19 & 0x1F))
            var pair = pairs[key]
            if pair == PenPairs.unknown {
                pair = PenPairs.find(key: key, pens: pens, count: count)
                pairs[key] = pair
            }
            let a = UInt8(truncatingIfNeeded: pair), b = UInt8(truncatingIfNeeded: pair >> 8)
            let aim = colour + errors[x] * rule.carry
            let target = aim + (pens[Int(b)] - pens[Int(a)]) * thresholds[x & 7]
            let up = above[x], now = shown[x]
            var best = Float.infinity
            var chosen = a
            @inline(__always) func consider(_ pen: UInt8) {
                let offset = pens[Int(pen)] - target
                var cost = (offset * offset).sum()
                if pen == left { cost -= rule.along }
                if pen == up { cost -= rule.down }
                if pen == now { cost -= rule.stay }
                if cost < best { (best, chosen) = (cost, pen) }
            }
            consider(a)
            consider(b)
            consider(up)
            consider(left)
            consider(now)
            wanted[x] = chosen
            left = chosen
            errors[x] = aim - pens[Int(chosen)]
            let miss = colour - pens[Int(chosen)]
            total += miss * miss
        }
        return total.sum()
    }

    /// The pattern of a row: ±½ of the distance between the two pens, times the amplitude.
    private static func thresholds(y: Int, amplitude: Float) -> SIMD8<Float> {
        var row = SIMD8<Float>()
        for x in 0..<8 { row[x] = (31.5 - Float(OrderedDither.thresholds[(y & 7) * 8 + x])) / 64 * amplitude }
        return row
    }
}
