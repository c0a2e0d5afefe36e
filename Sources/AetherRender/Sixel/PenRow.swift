import CLanes

/// Chooses the pens of one row of pixels, chunk by chunk from left to right.
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
    /// The errors of the row above, and those of this row, in eighths. One more on either side, always 0.
    let errorsAbove: UnsafePointer<SIMD4<Int16>>
    let errors: UnsafeMutablePointer<SIMD4<Int16>>
    /// Of a chunk, in eighths: the colours that it has, and behind them those that it aims at; `room` in all.
    let colours: UnsafeMutablePointer<SIMD4<Int16>>
    private let rule: PenRule

    private var left: UInt8
    private var gains = Gains()
    /// The squares of what is wrong so far.
    private var total = SIMD4<Int32>()

    /// Columns that are judged together.
    static let chunk = 16
    /// The room for the colours of a chunk, its aims, what a last odd pixel writes too far, and two shares.
    static let room = 2 * chunk + 4
    /// The bound of an error; larger errors are cut off: three errors must fit into 16 bits.
    private static let bound: Int16 = 9200

    init(
        width: Int, source: UnsafePointer<UInt32>, above: UnsafePointer<UInt8>, shown: UnsafePointer<UInt8>,
        wanted: UnsafeMutablePointer<UInt8>, errorsAbove: UnsafePointer<SIMD4<Int16>>,
        errors: UnsafeMutablePointer<SIMD4<Int16>>, colours: UnsafeMutablePointer<SIMD4<Int16>>, rule: PenRule, isTop: Bool,
        left: UInt8
    ) {
        (self.width, self.source, self.above, self.shown) = (width, source, above, shown)
        (self.wanted, self.errorsAbove, self.errors, self.colours) = (wanted, errorsAbove, errors, colours)
        var rule = rule
        if isTop { rule.down = 0 }
        self.rule = rule
        self.left = left
        UnsafeMutableRawPointer(colours + 2 * Self.chunk + 2)
            .storeBytes(of: SIMD8(repeating: rule.carry.rawValue), as: SIMD8<Int16>.self)
    }

    /// The squared error of the row.
    var error: Float { Float(total.wrappedSum()) }

    /// Begins a chunk. False where there is nothing to choose: its pens are taken then.
    @inline(__always) mutating func begin(_ chunk: Int, _ tables: PenTables) -> Bool {
        let start = chunk * Self.chunk, end = min(width, start + Self.chunk)
        aim(start..<end)
        if isFlat(start..<end, tables) {
            for x in start..<end { take(left, x, tables) }
            return false
        }
        gains = Gains(rule, tables.masking[chunk])
        return true
    }

    /// Chooses the pens of the rest of the chunk, from its `start` on.
    mutating func finish(_ start: Int, _ tables: PenTables) {
        for x in start..<min(width, start + Self.chunk) { choose(x, tables) }
    }

    /// Chooses the pen of a pixel.
    @inline(__always) mutating func choose(_ x: Int, _ tables: PenTables) {
        let pen = tables.pen(for: source[x])
        let up = Self.known(above[x], or: pen), before = shown[x], now = Self.known(before, or: pen)
        let stay = before == SixelPalette.none ? 0 : gains.stay
        left = best(pen, left, up, now, stay, colours[Self.chunk + x & (Self.chunk - 1)], tables)
        take(left, x, tables)
    }

    @inline(__always) private static func known(_ pen: UInt8, or other: UInt8) -> UInt8 {
        pen == SixelPalette.none ? other : pen
    }

    /// Takes a pen for a pixel.
    @inline(__always) private mutating func take(_ pen: UInt8, _ x: Int, _ tables: PenTables) {
        wanted[x] = pen
        let shade = tables.eighths[Int(pen)], place = x & (Self.chunk - 1)
        errors[x + 1] = colours[Self.chunk + place] &- shade
        let miss = SIMD8(lowHalf: colours[place] &- shade, highHalf: SIMD4())
        total &+= PenTables.pairs(miss, miss) &>> 6
    }

    /// Whether a whole chunk has one colour, and the nearest pen to it is at the left, above, and shown: there is nothing to choose.
    /// Half of a drawn image, which takes half the time so.
    @inline(__always) private func isFlat(_ columns: Range<Int>, _ tables: PenTables) -> Bool {
        let x = columns.lowerBound, pattern = UInt64(left) &* 0x0101_0101_0101_0101
        guard columns.count == Self.chunk, word(above, x) == pattern, word(above, x + 8) == pattern,
            tables.nearest[NearestPens.key(source[x])] == left
        else { return false }
        if word(shown, x) != pattern || word(shown, x + 8) != pattern { return false }
        var difference: UInt32 = 0
        for column in columns { difference |= source[column] ^ source[x] }
        return difference == 0
    }

    @inline(__always) private func word(_ bytes: UnsafePointer<UInt8>, _ index: Int) -> UInt64 {
        UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    /// The colour of each pixel and a share of the three errors above it: with one alone, errors would run down in columns.
    @inline(__always) private func aim(_ columns: Range<Int>) {
        if columns.count < Self.chunk { return aimShort(columns) }
        let own = UnsafeMutableRawPointer(colours), pixels = UnsafeRawPointer(source + columns.lowerBound)
        let above = UnsafeRawPointer(errorsAbove + columns.lowerBound)
        // Two pixels at a time.
        for pair in 0..<Self.chunk / 2 {
            let at = pair &* 16
            let sum =
                above.loadUnaligned(fromByteOffset: at, as: SIMD8<Int16>.self)
                &+ above.loadUnaligned(fromByteOffset: at &+ 8, as: SIMD8<Int16>.self)
                &+ above.loadUnaligned(fromByteOffset: at &+ 16, as: SIMD8<Int16>.self)
            aim(pixels.loadUnaligned(fromByteOffset: pair &* 8, as: SIMD8<UInt8>.self), sum, own + at)
        }
    }

    /// The last columns of a row that is no multiple of a chunk.
    @inline(never) private func aimShort(_ columns: Range<Int>) {
        for x in columns {
            let sum = errorsAbove[x] &+ errorsAbove[x + 1] &+ errorsAbove[x + 2]
            var bytes = SIMD8<UInt8>()
            bytes.lowHalf = unsafeBitCast(source[x], to: SIMD4<UInt8>.self)
            // The value that is written behind the pixel is replaced by the next one, or never read.
            aim(bytes, SIMD8(lowHalf: sum, highHalf: SIMD4()), UnsafeMutableRawPointer(colours + (x - columns.lowerBound)))
        }
    }

    /// Two pixels in eighths, and what they aim at, a chunk behind.
    @inline(__always) private func aim(_ bytes: SIMD8<UInt8>, _ sum: SIMD8<Int16>, _ place: UnsafeMutableRawPointer) {
        let known = bytes & SIMD8(255, 255, 255, 0, 255, 255, 255, 0) | SIMD8(0, 0, 0, 129, 0, 0, 0, 129)
        let colour = (clanes_widen(known) &<< 3) &- 1024
        // Read from memory each time: what stands still is widened to 32 bits before the loop, and a product takes ten times as long.
        let share = UnsafeRawPointer(colours + 2 * Self.chunk + 2).loadUnaligned(as: SIMD8<Int16>.self)
        let aim = (colour &+ clanes_share(sum, share))
            .clamped(lowerBound: SIMD8(repeating: -Self.bound), upperBound: SIMD8(repeating: Self.bound))
        place.storeBytes(of: colour, as: SIMD8<Int16>.self)
        place.storeBytes(of: aim, toByteOffset: Self.chunk * 8, as: SIMD8<Int16>.self)
    }

    /// The gains of a rule in the units of `cost`.
    private struct Gains {
        var along = 0, down = 0, stay = 0

        init() {}

        @inline(__always) init(_ rule: PenRule, _ factor: Float) {
            along = Int(rule.along * factor) << 10
            down = Int(rule.down * factor) << 10
            stay = Int(rule.stay * factor) << 10
        }
    }

    /// The best of four pens: the nearest to the colour, the left, the upper, the shown one.
    ///
    /// A pen that is two of them counts as the better one: as the left one with all that it gains, else as the upper one. So three
    /// questions of equality do. Nothing here is a branch, for which pen wins cannot be predicted: a wrong guess takes 15 cycles.
    @inline(__always) private func best(
        _ pen: UInt8, _ left: UInt8, _ up: UInt8, _ now: UInt8, _ stay: Int, _ target: SIMD4<Int16>,
        _ tables: PenTables
    ) -> UInt8 {
        let costs = tables.costs(SIMD4(pen, now, up, left), target)
        let upGain = gains.down &+ Self.gain(stay, up, now)
        let leftGain = gains.along &+ Self.gain(gains.down, left, up) &+ Self.gain(stay, left, now)
        // The costs lie above the pens themselves, so that the least one says which pen it is.
        let first = Self.rank(costs.x, pen), second = Self.rank(costs.y, now) &- stay
        let third = Self.rank(costs.z, up) &- upGain, fourth = Self.rank(costs.w, left) &- leftGain
        return UInt8(truncatingIfNeeded: min(min(first, second), min(third, fourth)))
    }

    @inline(__always) private static func rank(_ cost: Int32, _ pen: UInt8) -> Int { Int(cost) << 8 | Int(pen) }

    /// A gain where two pens are the same one, else 0.
    @inline(__always) private static func gain(_ gain: Int, _ a: UInt8, _ b: UInt8) -> Int {
        (Int(a ^ b) &- 1) >> 63 & gain
    }
}
