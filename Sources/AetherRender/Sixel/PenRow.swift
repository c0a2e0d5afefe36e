/// Chooses the pens of one row of pixels. The hottest loop of sixel: it lends everything unsafely.
///
/// There is no pattern of thresholds. What a row gets wrong, the row below makes up for; and a pixel takes the pen of its
/// neighbours, or the one that is shown, unless it would be too far off. Together that is a dither that costs few runs, mends
/// its own error within a few pixels, and stays where it is when the image does.
struct PenRow {
    let width: Int
    /// 0xAABBGGRR.
    let source: UnsafePointer<UInt32>
    /// The pens of the row above, none where it lies in another band.
    let above: UnsafePointer<UInt8>
    let shown: UnsafePointer<UInt8>
    let wanted: UnsafeMutablePointer<UInt8>
    /// The errors of the row above; those of this row afterwards. One more on either side, always 0.
    let errors: UnsafeMutablePointer<SIMD4<Float>>
    /// The colours that this row aims at.
    let aims: UnsafeMutablePointer<SIMD4<Float>>
    /// 256 shades.
    let pens: UnsafePointer<SIMD4<Float>>
    /// The pens for products with a colour and 1; see `SixelPalette.points`.
    let points: UnsafePointer<SIMD4<Float>>
    let count: Int
    let nearest: UnsafeMutablePointer<UInt8>
    /// The factor of the rule in each chunk of columns.
    let masking: UnsafeMutablePointer<Float>

    /// Columns that are judged together.
    static let chunk = 16
    /// Noise hides what is wrong with it. Where half of the pixels differ by 14 in each channel from the one to their left (2 % of
    /// a video, and nowhere for long), pens change less readily.
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
        let isStaying = rule.stay > 0
        for start in stride(from: 0, to: width, by: Self.chunk) {
            let end = min(width, start + Self.chunk)
            if isFlat(start..<end, left, isStaying) {
                for x in start..<end { total += take(left, x) }
                continue
            }
            let gains = Gains(rule.scaled(masking[start / Self.chunk]))
            for x in start..<end {
                let key = NearestPens.key(source[x])
                var pen = nearest[key]
                if pen == SixelPalette.none {
                    pen = NearestPens.find(key: key, pens: pens, count: count)
                    nearest[key] = pen
                }
                // Where nothing is saved by it, what is shown does not matter: a delta then leaves the image of a keyframe.
                left = best(pen, left, above[x], isStaying ? shown[x] : pen, aims[x], gains)
                total += take(left, x)
            }
        }
        return total.sum()
    }

    /// Takes a pen for a pixel; returns the squares of what is wrong then.
    @inline(__always) private func take(_ pen: UInt8, _ x: Int) -> SIMD4<Float> {
        wanted[x] = pen
        let shade = pens[Int(pen)]
        errors[x + 1] = aims[x] - shade
        let miss = SixelPalette.colour(source[x]) - shade
        return miss * miss
    }

    /// Whether a whole chunk has one colour, and the nearest pen to it is at the left, above, and shown: there is nothing to choose.
    /// Half of a drawn image, which takes half the time so.
    @inline(__always) private func isFlat(_ columns: Range<Int>, _ left: UInt8, _ isStaying: Bool) -> Bool {
        let x = columns.lowerBound, pattern = UInt64(left) &* 0x0101_0101_0101_0101
        guard left != SixelPalette.none, columns.count == Self.chunk, word(above, x) == pattern, word(above, x + 8) == pattern,
            nearest[NearestPens.key(source[x])] == left
        else { return false }
        if isStaying, word(shown, x) != pattern || word(shown, x + 8) != pattern { return false }
        var difference: UInt32 = 0
        for column in columns { difference |= source[column] ^ source[x] }
        return difference == 0
    }

    @inline(__always) private func word(_ bytes: UnsafePointer<UInt8>, _ index: Int) -> UInt64 {
        UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    /// The colour of each pixel and a share of the three errors above it: with one alone, errors would run down in columns.
    private func aim(_ share: Float) {
        for x in 0..<width {
            var aim = SixelPalette.colour(source[x]) + (errors[x] + errors[x + 1] + errors[x + 2]) * share
            aim.w = 1
            aims[x] = aim
        }
    }

    /// The gains of a rule in the units of `cost`.
    private struct Gains {
        let along: Int, down: Int, stay: Int

        @inline(__always) init(_ rule: PenRule) {
            along = Int(rule.along) << 8
            down = Int(rule.down) << 8
            stay = Int(rule.stay) << 8
        }
    }

    /// The best of four pens: the nearest to the colour, the left, the upper, the shown one.
    ///
    /// A pen that is two of them counts as the better one: as the left one with all that it gains, else as the upper one. So three
    /// questions of equality do. Nothing here is a branch, for which pen wins cannot be predicted: a wrong guess takes 15 cycles.
    @inline(__always) private func best(
        _ pen: UInt8, _ left: UInt8, _ up: UInt8, _ now: UInt8, _ target: SIMD4<Float>, _ gains: Gains
    ) -> UInt8 {
        let upGain = gains.down &+ Self.gain(gains.stay, up, now)
        let leftGain = gains.along &+ Self.gain(gains.down, left, up) &+ Self.gain(gains.stay, left, now)
        // What depends on the left pixel comes last, for the next pixel waits for it.
        let least = min(min(cost(pen, target), cost(now, target) &- gains.stay), cost(up, target) &- upGain)
        return UInt8(truncatingIfNeeded: min(least, cost(left, target) &- leftGain))
    }

    /// A gain where two pens are the same one, else 0.
    @inline(__always) private static func gain(_ gain: Int, _ a: UInt8, _ b: UInt8) -> Int {
        (Int(a ^ b) &- 1) >> 63 & gain
    }

    /// The squared distance of a pen from a colour, less the square of the colour: (s − t)² − t² = s² − 2 s·t. In whole numbers (to
    /// which 1.5 × 2²³ rounds a float) above the pen itself, so that the least one says which pen it is.
    @inline(__always) private func cost(_ pen: UInt8, _ target: SIMD4<Float>) -> Int {
        let product = points[Int(pen)] * target
        return Int((product.x + product.y + (product.z + product.w) + 12_582_912).bitPattern) << 8 | Int(pen)
    }
}
