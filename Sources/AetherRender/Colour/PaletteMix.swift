import AetherCore

/// For each colour the two entries of the palette that mix to it best, in quarters. Pairs are found on demand and kept for each of
/// 32³ colours (64 KB).
struct PaletteMix: Sendable {
    private let entries: Range<Int>
    /// By entry.
    let colours: [SIMD4<Float>]
    /// The entries of a pair, one a byte.
    private var pairs: [UInt16]
    /// Two different entries in falling order never have this value: pairs are kept in rising order.
    private static let missing: UInt16 = 0x00FF
    /// The error that the difference of two colours side by side adds, in squares: shades and patterns can be seen. By eye; blurred
    /// PSNR falls by 0.05 dB for it.
    private static let grain: Float = 0.01
    /// Entries near a colour of which pairs are tried.
    private static let candidates = 32

    /// Mixes of some entries of the palette.
    init(entries: Range<Int>) {
        self.entries = entries
        colours = Xterm256.palette.map { SIMD4(Float($0 >> 16 & 255), Float($0 >> 8 & 255), Float($0 & 255), 0) }
        pairs = [UInt16](repeating: Self.missing, count: 32 * 32 * 32)
    }

    /// The pair for a colour 0…255 a channel.
    mutating func pair(_ wanted: SIMD4<Float>) -> (first: Int, second: Int) {
        let key = (Int(wanted.x) >> 3) << 10 | (Int(wanted.y) >> 3) << 5 | Int(wanted.z) >> 3
        if pairs[key] == Self.missing {
            func middle(_ bits: Int) -> Float { Float(bits << 3 | bits >> 2) }
            pairs[key] = search(SIMD4(middle(key >> 10), middle(key >> 5 & 31), middle(key & 31), 0))
        }
        return (Int(pairs[key] >> 8), Int(pairs[key] & 255))
    }

    /// The glyph that shows one, two or three quarters of the foreground: ░▒▓.
    static func shade(_ quarters: Float) -> UInt32 { quarters == 1 ? 0x2591 : quarters == 2 ? 0x2592 : 0x2593 }

    /// The quarters of `first` in the mix of a pair that is nearest to a colour, and the squared error of the mix with what its
    /// grain adds.
    @inline(__always) func quarters(_ wanted: SIMD4<Float>, _ first: Int, _ second: Int) -> (count: Float, error: Float) {
        Self.quarters(wanted, colours[first], colours[second])
    }

    @inline(__always) private static func quarters(
        _ wanted: SIMD4<Float>, _ first: SIMD4<Float>, _ second: SIMD4<Float>
    ) -> (count: Float, error: Float) {
        let way = first - second, from = wanted - second
        let length = (way * way).sum()
        guard length > 0 else { return (0, (from * from).sum()) }
        let quarters = (min(max((from * way).sum() / length, 0), 1) * 4).rounded()
        let share = quarters / 4
        let miss = from - way * share
        return (quarters, (miss * miss).sum() + grain * share * (1 - share) * length)
    }

    private func search(_ wanted: SIMD4<Float>) -> UInt16 {
        var near: [(entry: Int, distance: Float)] = []
        near.reserveCapacity(Self.candidates + 1)
        for entry in entries {
            let miss = colours[entry] - wanted
            let distance = (miss * miss).sum()
            if near.count == Self.candidates, let last = near.last, distance >= last.distance { continue }
            let place = near.firstIndex { $0.distance > distance } ?? near.count
            near.insert((entry, distance), at: place)
            if near.count > Self.candidates { near.removeLast() }
        }
        var best = (Float.infinity, UInt16(0))
        for (index, a) in near.enumerated() {
            for b in near[index...] {
                let error = Self.quarters(wanted, colours[a.entry], colours[b.entry]).error
                let pair = UInt16(min(a.entry, b.entry)) << 8 | UInt16(max(a.entry, b.entry))
                if error < best.0, pair != Self.missing { best = (error, pair) }
            }
        }
        return best.1
    }
}

/// Shows two pixels of a cell with 240 colours: as half blocks of two entries, or as a shade (░▒▓) that mixes two entries over the
/// whole cell, whichever is nearer. On video the blurred frame is 6 dB better than with the nearest entries, and nothing is
/// dithered from cell to cell: a still frame stays still and grain seldom changes a cell.
struct ShadeMix: Sendable {
    private var mix = PaletteMix(entries: 16..<256)

    /// The cell of two pixels 0xAABBGGRR.
    mutating func cell(_ top: UInt32, _ bottom: UInt32) -> Cell {
        let upper = Self.channels(top), lower = Self.channels(bottom)
        let first = Int(Self.nearest(top)), second = Int(Self.nearest(bottom))
        let missUpper = mix.colours[first] - upper, missLower = mix.colours[second] - lower
        let apart = (missUpper * missUpper).sum() + (missLower * missLower).sum()
        let mean = (upper + lower) * 0.5, half = (upper - lower) * 0.5
        let pair = mix.pair(mean)
        let (quarters, error) = mix.quarters(mean, pair.first, pair.second)
        // Both pixels shown as the mean's mix: its error twice, and what each is off the mean.
        guard 2 * (error + (half * half).sum()) < apart else {
            return Self.cell(0x2580, UInt8(truncatingIfNeeded: first), UInt8(truncatingIfNeeded: second))
        }
        switch quarters {
        case 0: return Self.cell(0x2580, UInt8(truncatingIfNeeded: pair.second), UInt8(truncatingIfNeeded: pair.second))
        case 4: return Self.cell(0x2580, UInt8(truncatingIfNeeded: pair.first), UInt8(truncatingIfNeeded: pair.first))
        default:
            let glyph = PaletteMix.shade(quarters)
            return Self.cell(glyph, UInt8(truncatingIfNeeded: pair.first), UInt8(truncatingIfNeeded: pair.second))
        }
    }

    private static func cell(_ glyph: UInt32, _ foreground: UInt8, _ background: UInt8) -> Cell {
        Cell(glyph: glyph, foreground: .indexed(foreground), background: .indexed(background), style: CellStyle(rawValue: 0x8000))
    }

    private static func channels(_ pixel: UInt32) -> SIMD4<Float> {
        SIMD4(Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), 0)
    }

    private static func nearest(_ pixel: UInt32) -> UInt8 {
        Xterm256.nearest(
            red: UInt8(truncatingIfNeeded: pixel), green: UInt8(truncatingIfNeeded: pixel >> 8),
            blue: UInt8(truncatingIfNeeded: pixel >> 16))
    }
}
