/// Bayer's 8×8 thresholds. A pixel's outcome depends on its value and place alone, so a still picture stays still.
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

/// Dithers 24-bit pixels into the 256-colour palette: between two neighbouring steps on each axis of the cube, greys between two
/// neighbouring greys.
struct CubeDither: Sendable {
    private let thresholds = OrderedDither.thresholds
    /// For each level: the step of the cube at or below it in the low byte, the way to the next step (0…64) in the high.
    private let steps: [UInt16]
    /// For each luma: the grey at or below it as palette entry, the way to the next, and the next entry in the third byte.
    private let greys: [UInt32]
    /// Channels this close together are grey to the eye, and the grey axis has 30 steps where the cube has 6.
    private static let greySpread: Int32 = 10

    init() {
        let levels = Xterm256.cubeLevels.map(Int.init)
        steps = (0..<256).map { (level: Int) -> UInt16 in
            let step = min(4, (levels.lastIndex { $0 <= level } ?? 0))
            let share = (level - levels[step]) * 64 / (levels[step + 1] - levels[step])
            return UInt16(step | share << 8)
        }
        let all = (16..<256).map { (entry: $0, level: Int(Xterm256.palette[$0] & 255)) }
        let entries = all.filter { Xterm256.palette[$0.entry] == UInt32($0.level) * 0x010101 }.sorted { $0.level < $1.level }
        greys = (0..<256).map { (level: Int) -> UInt32 in
            let at = min(entries.count - 2, entries.lastIndex { $0.level <= level } ?? 0)
            let span = max(1, entries[at + 1].level - entries[at].level)
            let share = min(64, (level - entries[at].level) * 64 / span)
            return UInt32(entries[at].entry) | UInt32(share) << 8 | UInt32(entries[at + 1].entry) << 16
        }
    }

    /// The palette entry for a pixel 0xAABBGGRR at a place of the screen.
    @inline(__always) func index(_ pixel: UInt32, x: Int, y: Int) -> UInt8 {
        let threshold = UInt32(thresholds[(y & 7) << 3 | x & 7])
        let red = pixel & 255, green = pixel >> 8 & 255, blue = pixel >> 16 & 255
        let spread = Int32(max(red, green, blue)) - Int32(min(red, green, blue))
        if spread <= Self.greySpread {
            let grey = greys[Int(lumaOf(red: red, green: green, blue: blue))]
            return UInt8(truncatingIfNeeded: grey >> 8 & 255 > threshold ? grey >> 16 : grey)
        }
        let r = step(red, threshold), g = step(green, threshold), b = step(blue, threshold)
        let entry: UInt32 = 16 &+ 36 &* r &+ 6 &* g &+ b
        return UInt8(truncatingIfNeeded: entry)
    }

    @inline(__always) private func step(_ level: UInt32, _ threshold: UInt32) -> UInt32 {
        let entry = UInt32(steps[Int(level)])
        return (entry & 255) &+ (entry >> 8 > threshold ? 1 : 0)
    }
}

/// Dithers 24-bit pixels into the 16 ANSI colours: for each colour the two entries whose mixture comes nearest without
/// flickering too coarsely. Mixtures are found on demand and kept for each of 32³ colours (128 KB).
struct ANSIDither: Sendable {
    private let thresholds = OrderedDither.thresholds
    private let palette: [SIMD4<Float>]
    /// 0 = not computed, else 1 << 31 | share of the second (0…64) << 8 | second << 4 | first.
    private var mixtures = [UInt32](repeating: 0, count: 32 * 32 * 32)

    init() {
        palette = Xterm256.ansi.map { SIMD4(Float($0 >> 16 & 255), Float($0 >> 8 & 255), Float($0 & 255), 0) }
    }

    /// The ANSI colour for a pixel 0xAABBGGRR at a place of the screen.
    mutating func index(_ pixel: UInt32, x: Int, y: Int) -> UInt8 {
        let red = pixel & 0xF8, green = pixel >> 8 & 0xF8, blue = pixel >> 16 & 0xF8
        let key = Int(truncatingIfNeeded: red << 7 | green << 2 | blue >> 3)
        var mixture = mixtures[key]
        if mixture == 0 {
            mixture = bestMixture(SIMD4(Float(red) + 4, Float(green) + 4, Float(blue) + 4, 0))
            mixtures[key] = mixture
        }
        let threshold = UInt32(thresholds[(y & 7) << 3 | x & 7])
        return UInt8(truncatingIfNeeded: mixture >> 8 & 0x7F > threshold ? mixture >> 4 & 15 : mixture & 15)
    }

    /// The pair and share with the least weighted error. A pair's own distance counts a little too (1/16 of its square, scaled by
    /// how even the mixture is): at half-block size black and white dots look worse than a slightly wrong grey.
    private func bestMixture(_ wanted: SIMD4<Float>) -> UInt32 {
        let weights = SIMD4<Float>(0.30, 0.59, 0.11, 0)
        var best: UInt32 = 1 << 31, bestCost = Float.infinity
        for first in 0..<16 {
            for second in first..<16 {
                let span = palette[second] - palette[first]
                let length = (span * span * weights).sum()
                let along = length > 0 ? ((wanted - palette[first]) * span * weights).sum() / length : 0
                let share = (min(1, max(0, along)) * 64).rounded() / 64
                let miss = wanted - (palette[first] + span * share)
                let cost = (miss * miss * weights).sum() + length * share * (1 - share) / 16
                if cost < bestCost {
                    bestCost = cost
                    let pair = UInt32(second) << 4 | UInt32(first)
                    best = 1 << 31 | UInt32(share * 64) << 8 | pair
                }
            }
        }
        return best
    }
}
