/// Chooses the pens of one row of pixels. The hottest loop of sixel: it lends everything unsafely.
///
/// There is no pattern of thresholds. What a row gets wrong, the row below makes up for; and a pixel takes the pen of its
/// neighbours, or the one that is shown, unless it would be too far off. Together that is a dither that costs few runs, mends
/// its own error within a few pixels, and stays where it is when the picture does.
struct PenRow {
    let width: Int
    /// 0xAABBGGRR.
    let source: UnsafePointer<UInt32>
    /// The pens of the row above, none where it lies in another band.
    let above: UnsafePointer<UInt8>
    let shown: UnsafePointer<UInt8>
    let wanted: UnsafeMutablePointer<UInt8>
    /// What the row above got wrong; what this row gets wrong afterwards. One more on either side, always 0.
    let errors: UnsafeMutablePointer<SIMD4<Float>>
    /// The colours that this row aims at.
    let aims: UnsafeMutablePointer<SIMD4<Float>>
    /// 256 shades.
    let pens: UnsafePointer<SIMD4<Float>>
    let count: Int
    let nearest: UnsafeMutablePointer<UInt8>

    /// Chooses; returns the squared error.
    func choose(_ rule: PenRule) -> Float {
        aim(rule.carry / 3)
        var left = SixelPalette.none
        var total = SIMD4<Float>()
        for x in 0..<width {
            let pixel = source[x]
            let key = NearestPens.key(pixel)
            var pen = nearest[key]
            if pen == SixelPalette.none {
                pen = NearestPens.find(key: key, pens: pens, count: count)
                nearest[key] = pen
            }
            // Where nothing is saved by it, what is shown does not matter: a delta then leaves the picture of a keyframe.
            let up = above[x], now = rule.stay > 0 ? shown[x] : pen, target = aims[x]
            if (pen ^ left) | (pen ^ up) | (pen ^ now) != 0 { pen = best(pen, left, up, now, target, rule) }
            wanted[x] = pen
            left = pen
            let shade = pens[Int(pen)]
            errors[x + 1] = target - shade
            let miss = SixelPalette.colour(pixel) - shade
            total += miss * miss
        }
        return total.sum()
    }

    /// The colour of each pixel and a share of the three errors above it: with one alone, errors would run down in columns.
    private func aim(_ share: Float) {
        for x in 0..<width { aims[x] = SixelPalette.colour(source[x]) + (errors[x] + errors[x + 1] + errors[x + 2]) * share }
    }

    /// The best of four pens: the nearest to the colour, the left, the upper, the shown one.
    @inline(__always) private func best(
        _ pen: UInt8, _ left: UInt8, _ up: UInt8, _ now: UInt8, _ target: SIMD4<Float>, _ rule: PenRule
    ) -> UInt8 {
        let a = pens[Int(pen)], b = pens[Int(left)], c = pens[Int(up)], d = pens[Int(now)]
        let red = SIMD4(a.x, b.x, c.x, d.x) - SIMD4(repeating: target.x)
        let green = SIMD4(a.y, b.y, c.y, d.y) - SIMD4(repeating: target.y)
        let blue = SIMD4(a.z, b.z, c.z, d.z) - SIMD4(repeating: target.z)
        let packed = UInt32(pen) | UInt32(left) << 8 | UInt32(up) << 16 | UInt32(now) << 24
        let ids = SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(packed, to: SIMD4<UInt8>.self))
        var cost = red * red + green * green + blue * blue
        cost += SIMD4(repeating: rule.along + rule.down + rule.stay + 1)
        cost -= Self.gain(rule.along, ids, left) + Self.gain(rule.down, ids, up) + Self.gain(rule.stay, ids, now)
        // Positive floats sort as their bits do. The last two of them say which pen it is, so that the best one is a chain of
        // minima without a branch: which pen wins cannot be predicted.
        let bits = unsafeBitCast(cost, to: SIMD4<UInt32>.self) & ~3 | SIMD4(0, 1, 2, 3)
        let least = min(min(bits.x, bits.y), min(bits.z, bits.w)) & 3
        return UInt8(truncatingIfNeeded: packed >> (least &* 8))
    }

    /// The gain in the lanes that hold a pen, 0 in the others; in integers, for masks of floats are taken apart lane by lane.
    @inline(__always) private static func gain(_ gain: Float, _ ids: SIMD4<Int32>, _ pen: UInt8) -> SIMD4<Float> {
        let difference = ids ^ SIMD4(repeating: Int32(pen))
        let isSame = (difference &- SIMD4(repeating: 1)) &>> SIMD4(repeating: 31)
        return unsafeBitCast(isSame & SIMD4(repeating: Int32(bitPattern: gain.bitPattern)), to: SIMD4<Float>.self)
    }
}
