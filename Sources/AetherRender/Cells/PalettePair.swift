import AetherCore

/// Chooses two entries of the palette for a cell of several pixels, and which of its pixels show which.
///
/// Two pairs compete: the entries nearest to the means of the best split, for edges, and those that mix to the cell's mean, for
/// smooth areas. Either is dithered within the cell, so that the cell's mean comes out right and nothing depends on other cells;
/// the second pair may also be a shade.
struct PalettePair: Sendable {
    struct Choice {
        /// The pixels in the foreground; never all.
        var mask: UInt32
        var foreground: UInt8, background: UInt8
        /// One, two or three quarters of the foreground everywhere, instead of the mask; else 0.
        var quarters: Float = 0
    }

    private let depth: ColourDepth
    private var mix: PaletteMix
    /// The weight of a pixel's own squared error beside that of the cell's mean: about what an eye that blurs an eighth of a cell's height
    /// still sees of it.
    private static let detail: Float = 0.3
    /// A path through 2×n pixels on which each is beside the one before: errors are carried along it.
    private static let path: [Int] = [0, 1, 3, 2, 4, 5, 7, 6]

    /// A chooser for 256 or 16 colours.
    init(depth: ColourDepth) {
        self.depth = depth
        mix = PaletteMix(entries: depth == .indexed16 ? 0..<16 : 16..<256)
    }

    mutating func choose(_ pixels: CellPixels) -> Choice {
        let split = CellSplit(pixels)
        let share = 1 / Float(pixels.count)
        let mean = SIMD4(pixels.red.total, pixels.green.total, pixels.blue.total, 0) * share
        let pair = mix.pair(mean)
        let smooth = dithered(pixels, mean, pair.first, pair.second)
        let edge = dithered(pixels, mean, entry(split.foreground), entry(split.background))
        let best = edge.error < smooth.error ? edge : smooth
        if pair.first != pair.second {
            let (quarters, error) = shaded(pixels, mean, pair.first, pair.second)
            if error < best.error {
                let (first, second) = (UInt8(truncatingIfNeeded: pair.first), UInt8(truncatingIfNeeded: pair.second))
                if quarters == 0 { return Choice(mask: 0, foreground: second, background: second) }
                if quarters == 4 { return Choice(mask: 0, foreground: first, background: first) }
                return Choice(mask: 0, foreground: first, background: second, quarters: quarters)
            }
        }
        let full: UInt32 = 1 << UInt32(pixels.count) - 1
        let (first, second) = (UInt8(truncatingIfNeeded: best.first), UInt8(truncatingIfNeeded: best.second))
        if best.mask == full { return Choice(mask: 0, foreground: first, background: first) }
        return Choice(mask: best.mask, foreground: first, background: second)
    }

    private func entry(_ colour: UInt32) -> Int { Int(depth.map(CellColor(packed: 0x0100_0000 | colour)).index) }

    /// The shade of two entries that is nearest to the mean, and its error.
    private func shaded(
        _ pixels: CellPixels, _ mean: SIMD4<Float>, _ first: Int, _ second: Int
    ) -> (quarters: Float, error: Float) {
        let (quarters, error) = mix.quarters(mean, first, second)
        let shown = mix.colours[second] + (mix.colours[first] - mix.colours[second]) * (quarters / 4)
        let own = pixels.distances(red: shown.x, green: shown.y, blue: shown.z).total
        return (quarters, error * Float(pixels.count) * (1 - Self.detail) + own * Self.detail)
    }

    /// The pixels that show the first of two entries when each pixel's place between them is rounded and the rest carried to the next, and
    /// the error of that.
    private func dithered(
        _ pixels: CellPixels, _ mean: SIMD4<Float>, _ first: Int, _ second: Int
    ) -> (first: Int, second: Int, mask: UInt32, error: Float) {
        let a = mix.colours[first], b = mix.colours[second], way = a - b
        let length = max(1, (way * way).sum())
        let places = ((pixels.red - b.x) * way.x + (pixels.green - b.y) * way.y + (pixels.blue - b.z) * way.z) / length
        var mask: UInt32 = 0, carried: Float = 0, lit: Float = 0
        for lane in Self.path where lane < pixels.count {
            carried += min(max(places[lane], 0), 1)
            if carried >= 0.5 {
                carried -= 1
                lit += 1
                mask |= 1 << UInt32(lane)
            }
        }
        let bits = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128) & mask
        let own = pixels.distances(red: b.x, green: b.y, blue: b.z)
            .replacing(with: pixels.distances(red: a.x, green: a.y, blue: a.z), where: bits .!= 0).total
        let miss = mean - b - way * (lit / Float(pixels.count))
        return (first, second, mask, (miss * miss).sum() * Float(pixels.count) * (1 - Self.detail) + own * Self.detail)
    }
}
