import CLanes

/// The tables by which the rows of an image choose their pens. Lent unsafely: nothing is hotter in sixel.
///
/// Colours are whole numbers there, in eighths of a step from the middle grey (`SixelPalette.eighths`): products of 16 bits, of which a core
/// adds up eight at a time.
struct PenTables {
    /// 256 shades.
    let shades: UnsafePointer<SIMD4<Float>>
    /// See `SixelPalette.points`.
    let points: UnsafePointer<SIMD4<Int16>>
    /// See `SixelPalette.eighths`.
    let eighths: UnsafePointer<SIMD4<Int16>>
    let count: Int
    let nearest: UnsafeMutablePointer<UInt8>
    /// The factor of the rule in each chunk of columns.
    let masking: UnsafeMutablePointer<Float>

    /// Noise hides what is wrong with it. Where half of the pixels differ by 14 in each channel from the one to their left (2 % of
    /// a video, and nowhere for long), pens change less readily.
    private static let roughness: Float = 600

    /// Finds the chunks of a row that are noise.
    func mask(_ hidden: Float, source: UnsafePointer<UInt32>, width: Int) {
        for chunk in 0..<(width + PenRow.chunk - 1) / PenRow.chunk {
            let start = chunk * PenRow.chunk, end = min(width, start + PenRow.chunk)
            var colour = SixelPalette.colour(source[start]), rough = 0
            for x in start + 1..<max(start + 1, end) {
                let next = SixelPalette.colour(source[x]), step = next - colour
                if (step * step).sum() > Self.roughness { rough += 1 }
                colour = next
            }
            masking[chunk] = rough >= PenRow.chunk / 2 ? hidden : 1
        }
    }

    /// The nearest pen to a pixel.
    @inline(__always) func pen(for pixel: UInt32) -> UInt8 {
        let key = NearestPens.key(pixel), pen = nearest[key]
        return pen == SixelPalette.none ? find(key) : pen
    }

    @inline(never) private func find(_ key: Int) -> UInt8 {
        nearest[key] = NearestPens.find(key: key, pens: shades, count: count)
        return nearest[key]
    }

    /// Four times the squared distance of each of four pens from a colour, less the square of the colour: (s − t)² − t² = s² − 2 s·t.
    @inline(__always) func costs(_ pens: SIMD4<UInt8>, _ colour: SIMD4<Int16>) -> SIMD4<Int32> {
        let target = SIMD8(lowHalf: colour, highHalf: colour)
        let low = Self.pairs(SIMD8(lowHalf: points[Int(pens.x)], highHalf: points[Int(pens.y)]), target)
        let high = Self.pairs(SIMD8(lowHalf: points[Int(pens.z)], highHalf: points[Int(pens.w)]), target)
        return clanes_sums(low, high)
    }

    /// The sums of products of neighbours: one instruction (pmaddwd).
    @inline(__always) static func pairs(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
        clanes_pairs(a, b)
    }
}
