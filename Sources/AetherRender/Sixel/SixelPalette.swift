/// The pens of one scene: at most 255, so that one value of a byte is left for “no pen of ours” (`none`).
struct SixelPalette: Sendable {
    /// Stands in planes of pens where what the terminal shows is not known.
    static let none: UInt8 = 255

    /// Red, green and blue of each pen in 0…100, as sixel has them.
    private(set) var percents: [SIMD4<UInt8>] = []
    /// The colour that a terminal shows for each register, 0…255 a channel; always 256 entries, those that are no pens far from every colour.
    private(set) var shades = [SIMD4<Float>](repeating: Self.nowhere, count: 256)

    /// Each shade in eighths of a step from the middle grey, 128, and 8.
    private(set) var eighths = [SIMD4<Int16>](repeating: SIMD4(), count: 256)

    /// −r, −g, −b of each shade, from the middle grey, and half the square: the products with a colour as in `eighths` add up to four times
    /// the squared distance, less a square that all shades share.
    private(set) var points = [SIMD4<Int16>](repeating: SIMD4(), count: 256)

    /// Further away than any two colours are from each other, and small enough for its square to be exact.
    private static let nowhere = SIMD4<Float>(4096, 4096, 4096, 0)

    /// The number of pens.
    var count: Int { percents.count }

    /// Takes `colours` (0…255 a channel) for pens; those that sixel cannot tell apart become one.
    mutating func set(_ colours: [SIMD4<Float>]) {
        percents.removeAll(keepingCapacity: true)
        for colour in colours.prefix(255) {
            let percent = Self.percent(colour)
            if !percents.contains(percent) { percents.append(percent) }
        }
        for index in shades.indices { put(index < percents.count ? Self.shade(percents[index]) : Self.nowhere, at: index) }
    }

    /// Puts colours in the place of the pens that are used least, or behind the others while there are fewer than `limit`.
    /// Returns the pens that were replaced.
    mutating func replace(with colours: [SIMD4<Float>], usage: [Int], limit: Int) -> [Int] {
        var replaced: [Int] = []
        var rest = Array(percents.indices).sorted { usage[$0] > usage[$1] }
        for colour in colours {
            let percent = Self.percent(colour)
            if percents.contains(percent) { continue }
            var pen = percents.count
            if pen < min(limit, 255) {
                percents.append(percent)
            } else {
                guard let least = rest.popLast() else { break }
                pen = least
                percents[pen] = percent
                replaced.append(pen)
            }
            put(Self.shade(percent), at: pen)
        }
        return replaced
    }

    private mutating func put(_ shade: SIMD4<Float>, at pen: Int) {
        shades[pen] = shade
        guard shade != Self.nowhere else { return }
        let grey = SIMD4<Int16>(truncatingIfNeeded: SIMD4<Int32>(shade)) &- SIMD4(128, 128, 128, 0)
        let wide = SIMD4<Int32>(truncatingIfNeeded: grey)
        eighths[pen] = grey &* 8
        eighths[pen].w = 8
        points[pen] = 0 &- grey
        points[pen].w = Int16(truncatingIfNeeded: (wide &* wide).wrappedSum() / 2)
    }

    /// Whether a pen lies within a squared distance.
    func hasPen(near colour: SIMD4<Float>, within distance: Float) -> Bool {
        for pen in 0..<count {
            let offset = shades[pen] - colour
            if (offset * offset).sum() <= distance { return true }
        }
        return false
    }

    /// The nearest colour that sixel has.
    private static func percent(_ colour: SIMD4<Float>) -> SIMD4<UInt8> {
        let rounded = (colour / 2.55).rounded(.toNearestOrAwayFromZero).clamped(
            lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(100, 100, 100, 0))
        return SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(rounded))
    }

    /// Red, green and blue of a pixel 0xAABBGGRR.
    @inline(__always) static func colour(_ pixel: UInt32) -> SIMD4<Float> {
        let bytes = unsafeBitCast(pixel & 0xFF_FFFF, to: SIMD4<UInt8>.self)
        return SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: bytes))
    }

    /// The shade that xterm and foot make of percents: rounded to the nearest of 0…255.
    private static func shade(_ percent: SIMD4<UInt8>) -> SIMD4<Float> {
        let wide = SIMD4<Int32>(truncatingIfNeeded: percent)
        return SIMD4<Float>((wide &* 255 &+ 50) / 100)
    }
}
