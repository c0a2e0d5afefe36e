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
    /// Those for products with a colour and 1; see `SixelPalette.points`.
    let points: UnsafePointer<SIMD4<Float>>
    let count: Int
    let nearest: UnsafeMutablePointer<UInt8>
    /// What the rule is multiplied by in each chunk of columns.
    let masking: UnsafeMutablePointer<Float>

    /// Columns that are judged together.
    static let chunk = 16
    /// Noise hides what is wrong with it. Where half of the pixels differ by 14 in each channel from the one to their left (2 % of
    /// a film, and nowhere for long), pens change less readily.
    private static let roughness: Float = 600

    /// Finds the chunks that are noise.
    func mask(_ hidden: Float) {
        for chunk in 0..<(width + Self.chunk - 1) / Self.chunk {
            let start = chunk * Self.chunk, end = min(width, start + Self.chunk)
            var colour = SixelPalette.colour(source[start]), rough = 0
            for x in start + 1..<max(start + 1, end) {
                let next = SixelPalette.colour(source[x]), step = next - colour
                if (step * step).sum() > Self.roughness { rough += 1 }
                colour = next
            }
            masking[chunk] = rough >= Self.chunk / 2 ? hidden : 1
        }
    }

    /// Chooses; returns the squared error.
    func choose(_ rule: PenRule) -> Float {
        aim(rule.carry / 3)
        var left = SixelPalette.none
        var total = SIMD4<Float>()
        var scaled = rule
        for x in 0..<width {
            if x % Self.chunk == 0 { scaled = rule.scaled(masking[x / Self.chunk]) }
            let pixel = source[x]
            let key = NearestPens.key(pixel)
            var pen = nearest[key]
            if pen == SixelPalette.none {
                pen = NearestPens.find(key: key, pens: pens, count: count)
                nearest[key] = pen
            }
            // Where nothing is saved by it, what is shown does not matter: a delta then leaves the picture of a keyframe.
            let up = above[x], now = rule.stay > 0 ? shown[x] : pen, target = aims[x]
            if (pen ^ left) | (pen ^ up) | (pen ^ now) != 0 { pen = best(pen, left, up, now, target, scaled) }
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
        for x in 0..<width {
            var aim = SixelPalette.colour(source[x]) + (errors[x] + errors[x + 1] + errors[x + 2]) * share
            aim.w = 1
            aims[x] = aim
        }
    }

    /// The best of four pens: the nearest to the colour, the left, the upper, the shown one.
    ///
    /// Whoever is two of them is taken at its best: as the left one with all that it gains, else as the upper one. So three
    /// questions of equality do. What depends on the left pixel comes last, for the next pixel waits for it.
    @inline(__always) private func best(
        _ pen: UInt8, _ left: UInt8, _ up: UInt8, _ now: UInt8, _ target: SIMD4<Float>, _ rule: PenRule
    ) -> UInt8 {
        var least = cost(pen, target), best = pen
        let nowCost = cost(now, target) - rule.stay
        if nowCost < least { (least, best) = (nowCost, now) }
        let upCost = cost(up, target) - (up == now ? rule.down + rule.stay : rule.down)
        if upCost < least { (least, best) = (upCost, up) }
        let leftCost = cost(left, target) - rule.along - (left == up ? rule.down : 0) - (left == now ? rule.stay : 0)
        return leftCost < least ? left : best
    }

    /// The squared distance of a pen from a colour, less the square of the colour: (s − t)² − t² = s² − 2 s·t.
    @inline(__always) private func cost(_ pen: UInt8, _ target: SIMD4<Float>) -> Float {
        (points[Int(pen)] * target).sum()
    }
}
