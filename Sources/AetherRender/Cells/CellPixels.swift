import AetherCore

/// The pixels of one cell, at most eight, as three vectors: lane 2·row + column. Lanes past `count` are 0 and have no weight.
struct CellPixels {
    var red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>
    /// 1 for lanes in use, 0 past them.
    let weight: SIMD8<Float>
    /// Lanes in use: 4, 6 or 8.
    let count: Int

    /// Weights of a number of lanes.
    static func weights(_ count: Int) -> SIMD8<Float> {
        var weight = SIMD8<Float>(repeating: 0)
        for lane in 0..<min(8, count) { weight[lane] = 1 }
        return weight
    }

    /// Pixels 0xAABBGGRR (or any order: the first channel lies lowest).
    @inline(__always) init(_ pixels: SIMD8<UInt32>, weight: SIMD8<Float>, count: Int) {
        red = Self.floats(pixels & 255)
        green = Self.floats(pixels &>> 8 & 255)
        blue = Self.floats(pixels &>> 16 & 255)
        self.weight = weight
        self.count = count
    }

    /// 0…255 as Float: as the low mantissa bits of 2²³. The conversion of the standard library goes lane by lane.
    @inline(__always) private static func floats(_ values: SIMD8<UInt32>) -> SIMD8<Float> {
        unsafeBitCast(values | 0x4B00_0000, to: SIMD8<Float>.self) - 8_388_608
    }

    /// Each lane's squared distance to a colour; 0 in lanes past `count`.
    @inline(__always) func distances(red r: Float, green g: Float, blue b: Float) -> SIMD8<Float> {
        let x = red - r, y = green - g, z = blue - b
        return (x * x + y * y + z * z) * weight
    }

    /// Each lane's squared distance to a colour 0x??RRGGBB.
    @inline(__always) func distances(to colour: UInt32) -> SIMD8<Float> {
        distances(
            red: Float(Int32(truncatingIfNeeded: colour >> 16 & 255)), green: Float(Int32(truncatingIfNeeded: colour >> 8 & 255)),
            blue: Float(Int32(truncatingIfNeeded: colour & 255)))
    }

    /// The mean as 0x00RRGGBB.
    var mean: UInt32 {
        let share = 1 / Float(count)
        return Self.packed(red.total * share, green.total * share, blue.total * share)
    }

    /// Channels rounded and packed as 0x00RRGGBB.
    @inline(__always) static func packed(_ red: Float, _ green: Float, _ blue: Float) -> UInt32 {
        UInt32(truncatingIfNeeded: Int32(red + 0.5)) << 16 | UInt32(truncatingIfNeeded: Int32(green + 0.5)) << 8
            | UInt32(truncatingIfNeeded: Int32(blue + 0.5))
    }
}

extension SIMD8<Float> {
    /// The sum of the lanes, in halves: the standard library's goes from lane to lane.
    @inline(__always) var total: Float {
        let four = lowHalf + highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }

    /// The lesser of each two lanes.
    @inline(__always) func least(_ other: SIMD8<Float>) -> SIMD8<Float> { other.replacing(with: self, where: self .< other) }
}

extension SIMDMask<SIMD8<Int32>> {
    /// Bit n is lane n.
    @inline(__always) var bits: UInt32 {
        let lanes = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128).replacing(with: 0, where: .!self)
        let four = lanes.lowHalf | lanes.highHalf
        let two = four.lowHalf | four.highHalf
        return two.x | two.y
    }
}
