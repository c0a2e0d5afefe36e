/// How to draw one picture cell of two pixels with the pen as it is: the rate-distortion decision.
///
/// J = squared error + λ × bytes over every way that may be worth it. Costs are in sixteenths, so that λ has a fine scale in
/// integers.
struct PictureChoice {
    /// Leaves the cell as shown.
    static let leave: UInt32 = 0
    static let upper: UInt32 = 0x2580
    static let lower: UInt32 = 0x2584
    static let full: UInt32 = 0x2588
    static let space: UInt32 = 0x20
    /// Beyond any bounded error; two of them still fit.
    static let impossible: Int32 = 1 << 28

    /// `leave` or the glyph.
    var glyph: UInt32 = leave
    /// The pen to draw with.
    var foreground: UInt32, background: UInt32
    var cost: Int32

    @inline(__always) mutating func consider(_ glyph: UInt32, _ foreground: UInt32, _ background: UInt32, _ cost: Int32) {
        if cost < self.cost {
            self.glyph = glyph
            self.foreground = foreground
            self.background = background
            self.cost = cost
        }
    }
}

/// λ and the bound in the integers of the decision.
struct PictureRule {
    /// λ in sixteenths, at least 1, so that of equal pictures the one with fewer bytes wins.
    let lambda: Int32
    /// The most that a channel may be off.
    let bound: Int32

    init(_ quality: EncodeQuality) {
        lambda = Int32(max(1, (min(max(0, quality.lambda), 1000) * 16).rounded()))
        bound = quality.lambda > 0 ? Int32(min(max(0, quality.maximumChannelError), 255)) : 0
    }

    /// Sixteenths of squared error of showing `shown` for `wanted`. Palette colours are equal or impossible.
    @inline(__always) func error(_ wanted: UInt32, _ shown: UInt32) -> Int32 {
        if wanted == shown { return 0 }
        let red = Int32(truncatingIfNeeded: wanted >> 16 & 255) &- Int32(truncatingIfNeeded: shown >> 16 & 255)
        let green = Int32(truncatingIfNeeded: wanted >> 8 & 255) &- Int32(truncatingIfNeeded: shown >> 8 & 255)
        let blue = Int32(truncatingIfNeeded: wanted & 255) &- Int32(truncatingIfNeeded: shown & 255)
        let worst = max(abs(red), max(abs(green), abs(blue)))
        if worst > bound || wanted >> 24 != 1 || shown >> 24 != 1 { return PictureChoice.impossible }
        return (red &* red &+ green &* green &+ blue &* blue) &* 16
    }

    /// The best way to draw `top` over `bottom`. `leaving` is the cost of not drawing.
    @inline(__always) func choose(
        top: UInt32, bottom: UInt32, foreground: UInt32, background: UInt32, leaving: Int32
    ) -> PictureChoice {
        var best = PictureChoice(foreground: foreground, background: background, cost: leaving)
        let topFore = error(top, foreground), topBack = error(top, background)
        let bottomFore = error(bottom, foreground), bottomBack = error(bottom, background)
        // Nothing to set: 3 bytes of glyph, 1 for a space.
        best.consider(PictureChoice.upper, foreground, background, topFore &+ bottomBack &+ 3 &* lambda)
        best.consider(PictureChoice.lower, foreground, background, topBack &+ bottomFore &+ 3 &* lambda)
        best.consider(PictureChoice.space, foreground, background, topBack &+ bottomBack &+ lambda)
        best.consider(PictureChoice.full, foreground, background, topFore &+ bottomFore &+ 3 &* lambda)
        // One colour: CSI and glyph 5 bytes, 3 with a space.
        let topCost = DecimalTable.cost(top), bottomCost = DecimalTable.cost(bottom)
        let one = (topCost &+ 5) &* lambda, other = (bottomCost &+ 5) &* lambda
        best.consider(PictureChoice.upper, top, background, bottomBack &+ one)
        best.consider(PictureChoice.lower, bottom, background, topBack &+ other)
        best.consider(PictureChoice.upper, foreground, bottom, topFore &+ other)
        best.consider(PictureChoice.lower, foreground, top, bottomFore &+ one)
        let flat = error(top, bottom)
        if flat < PictureChoice.impossible {
            best.consider(PictureChoice.space, foreground, bottom, flat &+ other &- 2 &* lambda)
            if flat > 0 {
                let mean = Self.mean(top, bottom)
                best.consider(
                    PictureChoice.space, foreground, mean,
                    error(top, mean) &+ error(bottom, mean) &+ (DecimalTable.cost(mean) &+ 3) &* lambda)
            }
        }
        // Both.
        best.consider(PictureChoice.upper, top, bottom, (topCost &+ bottomCost &+ 5) &* lambda)
        return best
    }

    /// Half way between two colours, channel by channel, both 24-bit.
    @inline(__always) private static func mean(_ a: UInt32, _ b: UInt32) -> UInt32 {
        (a & b) &+ ((a ^ b) & 0x00FE_FEFE) >> 1
    }
}
