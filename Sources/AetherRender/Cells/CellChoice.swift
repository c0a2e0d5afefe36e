import AetherCore

/// The rate-distortion decision on one video cell of two pixels, with the present colours.
///
/// J = squared error + λ × bytes over every way that may be worth it. Costs are in sixteenths, so that λ has a fine scale in
/// integers.
struct CellChoice {
    /// Leaves the cell as shown.
    static let leave: UInt32 = 0
    static let upper: UInt32 = 0x2580
    static let lower: UInt32 = 0x2584
    static let full: UInt32 = 0x2588
    static let space: UInt32 = 0x20
    /// Beyond any bounded error.
    static let impossible = 1 << 28

    /// `leave` or the glyph.
    let glyph: UInt32
    /// The pen to draw with.
    let foreground: UInt32, background: UInt32
}

/// λ and the bound in the integers of the decision.
struct CellRule {
    /// λ in sixteenths, at least 1, so that of equal frames the one with fewer bytes wins.
    let lambda: Int
    /// The most that a channel may be off.
    let bound: Int32
    /// Pixels nearer than this (in sixteenths of squared error) share a colour.
    let reach: Int
    /// Colours may be rounded to the palette's, which take half the bytes: where a byte is worth so much error that two pixels are
    /// better off off by half a step of the cube.
    let short: ShortColours?

    /// λ from which on colours may be rounded to the palette.
    private static let roundingLambda = 40.0
    private static let beyond = CellChoice.impossible
    /// Cells that a colour looks ahead.
    static let horizon = 8

    /// Every pixel as it is.
    static let exact = CellRule(.exact, short: nil)

    init(_ quality: EncodeQuality, short: ShortColours?) {
        self.short = quality.lambda >= Self.roundingLambda ? short : nil
        lambda = Int(max(1, (min(max(0, quality.lambda), BudgetSearch.ceiling) * 16).rounded()))
        // Sharing saves about 16 bytes and costs half the square of the distance, so 32 bytes' worth breaks even for two
        // pixels; a run goes on more often than not: on video 48 gives the fewest bytes at equal error.
        reach = quality.lambda > 0 ? 48 &* lambda : 0
        bound = quality.lambda > 0 ? Int32(min(max(0, quality.maximumChannelError), 255)) : 0
    }

    /// Sixteenths of squared error of showing `shown` for `wanted`. Palette colours are equal or impossible.
    @inline(__always) func error(_ wanted: UInt32, _ shown: UInt32) -> Int {
        let red = Int32(truncatingIfNeeded: wanted >> 16 & 255) &- Int32(truncatingIfNeeded: shown >> 16 & 255)
        let green = Int32(truncatingIfNeeded: wanted >> 8 & 255) &- Int32(truncatingIfNeeded: shown >> 8 & 255)
        let blue = Int32(truncatingIfNeeded: wanted & 255) &- Int32(truncatingIfNeeded: shown & 255)
        let worst = max(abs(red), max(abs(green), abs(blue)))
        // Without branches, for they could not be predicted. Tags in the top byte: 1 is 24-bit, above is a palette.
        let difference = wanted ^ shown
        let otherKind = difference >> 24 | wanted >> 25
        let excess = UInt32(bitPattern: bound &- worst) >> 31
        let refused = (excess | (otherKind == 0 ? 0 : 1)) & (difference == 0 ? 0 : 1)
        return Int(red &* red &+ green &* green &+ blue &* blue) &* 16 &+ Int(refused) << 28
    }

    /// The colour to set for `wanted`, if one is set: where the next cell's pixel is so near that it will do with the same
    /// colour, half way between the two, which halves the error of the pair.
    @inline(__always) func aim(_ wanted: UInt32, next: UInt32) -> UInt32 {
        let distance = error(wanted, next)
        return distance > reach ? wanted : Self.mean(wanted, next)
    }

    /// The best way to draw `top` over `bottom`. `aimTop` and `aimBottom` are the colours to set where one is set, `leaving` is
    /// the cost of not drawing. Each way's cost carries its number in the low four bits, so the best one is a chain of minima
    /// without a branch; of equal ones the lowest number wins.
    @inline(__always) func choose(
        top: UInt32, bottom: UInt32, aimTop: UInt32, aimBottom: UInt32, foreground: UInt32, background: UInt32, leaving: Int
    ) -> CellChoice {
        var best = leaving << 4
        let topFore = error(top, foreground), topBack = error(top, background)
        let bottomFore = error(bottom, foreground), bottomBack = error(bottom, background)
        // Nothing to set: 3 bytes of glyph. One colour: CSI and glyph 5 bytes, or 3 with a space.
        best = min(best, (topFore &+ bottomBack &+ 3 &* lambda) << 4 | 2)
        best = min(best, (topBack &+ bottomFore &+ 3 &* lambda) << 4 | 3)
        let topMiss = error(top, aimTop), bottomMiss = error(bottom, aimBottom)
        let topSet = cost(aimTop) &* lambda &+ topMiss
        let bottomSet = cost(aimBottom) &* lambda &+ bottomMiss
        let around = 5 &* lambda
        best = min(best, (bottomBack &+ topSet &+ around) << 4 | 6)
        best = min(best, (topBack &+ bottomSet &+ around) << 4 | 7)
        best = min(best, (topFore &+ bottomSet &+ around) << 4 | 8)
        best = min(best, (bottomFore &+ topSet &+ around) << 4 | 9)
        best = min(best, (topSet &+ bottomSet &+ around) << 4 | 10)
        var mean = top
        if error(top, bottom) < CellChoice.impossible {
            // One colour for both pixels: a space. A full block in the foreground's colour would sometimes save setting one, but in
            // many fonts it does not fill its cell and leaves seams.
            mean = top == bottom ? top : Self.mean(top, bottom)
            if short != nil { mean = aimTop == aimBottom ? aimTop : rounded(Self.mean(aimTop, aimBottom), pixels: 4) }
            best = min(best, (topBack &+ bottomBack &+ lambda) << 4 | 1)
            best = min(best, (error(top, mean) &+ error(bottom, mean) &+ (cost(mean) &+ 3) &* lambda) << 4 | 5)
        }
        switch best & 15 {
        case 0: return CellChoice(glyph: CellChoice.leave, foreground: foreground, background: background)
        case 1: return CellChoice(glyph: CellChoice.space, foreground: foreground, background: background)
        case 2: return CellChoice(glyph: CellChoice.upper, foreground: foreground, background: background)
        case 3: return CellChoice(glyph: CellChoice.lower, foreground: foreground, background: background)
        case 5: return CellChoice(glyph: CellChoice.space, foreground: foreground, background: mean)
        case 6: return CellChoice(glyph: CellChoice.upper, foreground: aimTop, background: background)
        case 7: return CellChoice(glyph: CellChoice.lower, foreground: aimBottom, background: background)
        case 8: return CellChoice(glyph: CellChoice.upper, foreground: foreground, background: aimBottom)
        case 9: return CellChoice(glyph: CellChoice.lower, foreground: foreground, background: aimTop)
        default: return CellChoice(glyph: CellChoice.upper, foreground: aimTop, background: aimBottom)
        }
    }

    /// Bytes of the parameters that set a colour.
    @inline(__always) func cost(_ colour: UInt32) -> Int {
        if let short, let entry = short.entry(colour) { return 5 &+ DecimalTable.length(entry) }
        return DecimalTable.cost(colour)
    }

    /// The palette's nearest colour, where the bytes saved are worth the error of so many pixels.
    func rounded(_ colour: UInt32, pixels: Int) -> UInt32 {
        guard let short, colour >> 24 == 1 else { return colour }
        let near = short.nearest(colour)
        return Int(squaredDistance(colour, near)) &* 16 &* pixels <= 7 &* lambda ? near : colour
    }

    /// The colour to set for `pixel` when a byte is dear: the mean of the run of pixels that begins with it and stays near its mean,
    /// rounded to the palette where that is worth it. `ahead` are the next cells, of which the frame's are looked at.
    func aim(_ pixel: UInt32, ahead: UnsafePointer<Cell>, count: Int, isTop: Bool) -> UInt32 {
        var red = pixel >> 16 & 255, green = pixel >> 8 & 255, blue = pixel & 255, number: UInt32 = 1
        var mean = pixel
        for index in 0..<min(count, Self.horizon) {
            let cell = ahead[index]
            guard cell.style == .video, cell.glyph == CellChoice.upper else { break }
            let next = isTop ? cell.foreground.packed : cell.background.packed
            guard error(next, mean) <= reach else { break }
            red += next >> 16 & 255
            green += next >> 8 & 255
            blue += next & 255
            number += 1
            let wider = 0x0100_0000 | (red / number) << 16 | (green / number) << 8 | blue / number
            // The bound holds for the first pixel, whatever follows.
            guard error(pixel, wider) < Self.beyond else { break }
            mean = wider
        }
        let short = rounded(mean, pixels: Int(number))
        return error(pixel, short) < Self.beyond ? short : mean
    }

    /// Half way between two colours, channel by channel, both 24-bit.
    @inline(__always) private static func mean(_ a: UInt32, _ b: UInt32) -> UInt32 {
        (a & b) &+ ((a ^ b) & 0x00FE_FEFE) >> 1
    }
}
