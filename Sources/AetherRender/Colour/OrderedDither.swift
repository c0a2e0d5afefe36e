/// Bayer's 8×8 thresholds. A pixel's outcome depends on its value and place alone, so a still frame stays still.
enum OrderedDither {
    /// 64 thresholds 0…63, row by row.
    static let thresholds: [UInt8] = (0..<64).map { (index: Int) -> UInt8 in
        let x = index & 7, y = index >> 3
        var value = 0
        for bit in 0..<3 {
            let a = (x >> bit) & 1, b = (y >> bit) & 1
            value = value << 2 | (a ^ b) << 1 | b
        }
        return UInt8(value)
    }
}

/// Dithers 24-bit pixels into the 16 ANSI colours: each colour is shown as a pattern of 16 entries whose mean comes nearest to
/// it, in order of luma, of which the threshold picks one. Patterns are found on demand and kept for each of 32³ colours (256
/// KB).
struct ANSIDither: Sendable {
    private let thresholds = OrderedDither.thresholds
    private let palette: [SIMD4<Float>]
    /// The place of each entry in the order of luma.
    private let ranks: [Int]
    private let byRank: [UInt64]
    /// 16 nibbles, darkest entry lowest.
    private var patterns = [UInt64](repeating: ANSIDither.missing, count: 32 * 32 * 32)
    /// White before black: no pattern is ordered so.
    private static let missing: UInt64 = 0xF
    private static let weights = SIMD4<Float>(0.30, 0.59, 0.11, 0)

    init() {
        palette = Xterm256.ansi.map { SIMD4(Float($0 >> 16 & 255), Float($0 >> 8 & 255), Float($0 & 255), 0) }
        let lumas = palette.map { ($0 * Self.weights).sum() }
        let order = (0..<16).sorted { lumas[$0] < lumas[$1] }
        byRank = order.map { UInt64($0) }
        ranks = (0..<16).map { entry in order.firstIndex(of: entry) ?? 0 }
    }

    /// The ANSI colour for a pixel 0xAABBGGRR at a place of the screen.
    mutating func index(_ pixel: UInt32, x: Int, y: Int) -> UInt8 {
        let red = pixel & 0xF8, green = pixel >> 8 & 0xF8, blue = pixel >> 16 & 0xF8
        let key = Int(truncatingIfNeeded: red << 7 | green << 2 | blue >> 3)
        var pattern = patterns[key]
        if pattern == Self.missing {
            // The ends of each axis are met exactly, so that black and white stay pure.
            func level(_ bits: UInt32) -> Float { Float(bits | bits >> 5) }
            pattern = bestPattern(SIMD4(level(red), level(green), level(blue), 0))
            patterns[key] = pattern
        }
        let place = UInt64(thresholds[(y & 7) << 3 | x & 7] >> 2)
        return UInt8(truncatingIfNeeded: pattern >> (place * 4) & 15)
    }

    /// Adds the entry that brings the mean nearest, 16 times. An entry's own distance counts a little too: at half-block size
    /// black and white dots look worse than a slightly wrong grey.
    private func bestPattern(_ wanted: SIMD4<Float>) -> UInt64 {
        let own = palette.map { (($0 - wanted) * ($0 - wanted) * Self.weights).sum() * Self.coarseness }
        var counts = [Int](repeating: 0, count: 16)
        var sum = SIMD4<Float>()
        for step in 1...16 {
            var best = 0, bestCost = Float.infinity
            for entry in 0..<16 {
                let miss = sum + palette[entry] - wanted * Float(step)
                // Not divided by the step: the miss of the whole pattern so far is what the next entries have to mend.
                let cost = (miss * miss * Self.weights).sum() + own[entry]
                if cost < bestCost { (best, bestCost) = (entry, cost) }
            }
            sum += palette[best]
            counts[ranks[best]] += 1
        }
        var pattern: UInt64 = 0, place: UInt64 = 0
        for rank in 0..<16 {
            for _ in 0..<counts[rank] {
                pattern |= byRank[rank] << (place * 4)
                place += 1
            }
        }
        return pattern
    }

    /// By eye on video: 0 is speckled with far colours, 1 loses weak hues.
    private static let coarseness: Float = 0.5
}
