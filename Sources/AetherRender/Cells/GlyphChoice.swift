import AetherCore

/// The rate-distortion decision on one cell of several pixels and two colours, with the present colours.
struct GlyphChoice {
    /// Leaves the cell as shown.
    var leaves = false
    /// The pixels in the foreground; never all of them.
    var mask: UInt32 = 0
    /// The pen to draw with.
    var foreground: UInt32, background: UInt32
    /// Squared error to the pixels.
    var error: Float
}

/// The facts of a cell before the decision.
struct GlyphSituation {
    let pixels: CellPixels
    /// Two colours that suit the cell best, and its mean.
    let first: UInt32, second: UInt32, mean: UInt32
    /// The terminal's pen.
    let foreground: UInt32, background: UInt32
    /// The squared error of leaving the cell as it is; infinite where it cannot be left.
    let leaving: Float
    /// Bytes saved elsewhere by drawing this cell: a cursor move.
    let moveBytes: Float
}

/// λ and the bound on errors.
struct GlyphRule {
    /// The squared error that a byte is worth; a little even for exact quality, so that of equal frames the shorter one wins.
    let lambda: Float
    /// The margin by which a cell's squared error may exceed the best one: the square of the bound on a channel for each pixel.
    let slack: Float
    let glyphs: GlyphSet

    init(_ quality: EncodeQuality, glyphs: GlyphSet) {
        lambda = max(1 / 16, Float(quality.lambda))
        let bound = Float(quality.maximumChannelError)
        slack = bound * bound * Float(2 * glyphs.rows)
        self.glyphs = glyphs
    }

    /// The colour to set for `wanted`: half way to the next cell's where that is so near that it will do for both. Sharing saves
    /// about 16 bytes and costs half the squared distance for each of some pixels.
    @inline(__always) func aim(_ wanted: UInt32, next: UInt32) -> UInt32 {
        let distance = Float(squaredDistance(wanted, next)) * Float(glyphs.rows) / 2
        guard distance <= 16 * lambda, next >> 24 == 1 else { return wanted }
        return (wanted & next) &+ ((wanted ^ next) & 0x00FE_FEFE) >> 1
    }

    /// The best of: leaving the cell; the pen as it is; one colour set, either one, on either side; both; a space, with or
    /// without a new background.
    @inline(__always) func choose(_ cell: GlyphSituation) -> GlyphChoice {
        let glyph = Float(glyphs.byteCount) * lambda
        let pixels = cell.pixels
        let far = pixels.weight * 1e9
        let fore = cell.foreground >> 24 == 1 ? pixels.distances(to: cell.foreground) : far
        let back = cell.background >> 24 == 1 ? pixels.distances(to: cell.background) : far
        let first = pixels.distances(to: cell.first), second = pixels.distances(to: cell.second)
        let best = Self.error(first, second)
        var search = GlyphSearch(best: .infinity, limit: best + slack)
        search.offer(0, cell.leaving, cost: cell.moveBytes * lambda)
        search.offer(1, Self.error(fore, back), cost: glyph)
        let firstBytes = Float(DecimalTable.cost(cell.first)), secondBytes = Float(DecimalTable.cost(cell.second))
        let around = glyph + 2 * lambda
        if glyphs.isSolid {
            search.offer(3, Self.error(second, back), cost: around + secondBytes * lambda)
            search.offer(4, Self.error(fore, first), cost: around + firstBytes * lambda)
        }
        search.offer(2, Self.error(first, back), cost: around + firstBytes * lambda)
        search.offer(5, Self.error(fore, second), cost: around + secondBytes * lambda)
        search.offer(6, best, cost: around + (firstBytes + secondBytes) * lambda)
        search.offer(7, back.total, cost: lambda)
        search.offer(8, pixels.distances(to: cell.mean).total, cost: (3 + Float(DecimalTable.cost(cell.mean))) * lambda)
        var choice = GlyphChoice(foreground: cell.foreground, background: cell.background, error: search.error)
        switch search.way {
        case 0: choice.leaves = true
        case 1: choice.mask = mask(fore, back)
        case 2: (choice.mask, choice.foreground) = (mask(first, back), cell.first)
        case 3: (choice.mask, choice.foreground) = (mask(second, back), cell.second)
        case 4: (choice.mask, choice.background) = (mask(fore, first), cell.first)
        case 5: (choice.mask, choice.background) = (mask(fore, second), cell.second)
        case 7: break
        case 8: choice.background = cell.mean
        default: (choice.mask, choice.foreground, choice.background) = (mask(first, second), cell.first, cell.second)
        }
        return choice
    }

    /// The error of showing each pixel in the nearer of two colours; infinite where that would be the first for all of them, a full
    /// block, for which a space stands.
    @inline(__always) private static func error(_ foreground: SIMD8<Float>, _ background: SIMD8<Float>) -> Float {
        let error = foreground.least(background).total
        return error == foreground.total ? .infinity : error
    }

    @inline(__always) private func mask(_ foreground: SIMD8<Float>, _ background: SIMD8<Float>) -> UInt32 {
        (foreground .< background).bits
    }
}

/// The way of least cost so far.
private struct GlyphSearch {
    var best: Float
    let limit: Float
    var way = 6
    var error: Float = .infinity

    init(best: Float, limit: Float) {
        self.best = best
        self.limit = limit
    }

    @inline(__always) mutating func offer(_ way: Int, _ error: Float, cost: Float) {
        guard error + cost < best, error <= limit else { return }
        self.best = error + cost
        self.way = way
        self.error = error
    }
}
