import CLanes

/// `ColourMatrix` for eight pixels at a time, with the same results to the bit. Samples less 32768 and factors are signed 16-bit words,
/// whose products any processor makes eight at a time; 32-bit ones of SSE2 take three times as long (2.2 ms for 1280×720, this 0.8).
struct MatrixLanes {
    /// Three factors and what is added.
    struct Row {
        let factors: [Int32]
        let constant: Int32
    }

    /// Nine factors, each in all lanes, and three constants. Read from memory for each pixel: what the compiler knows to stand still it
    /// widens to 32 bits before the loop, and the short products are lost.
    private let factors: [SIMD8<Int16>]
    private let constants: [Int32]
    /// 12 bits of fraction and 8 below a level of 8 bits.
    private static let shift: Int32 = 20

    /// nil where a factor does not fit 16 bits.
    init?(_ rows: Row...) {
        let all = rows.flatMap(\.factors)
        guard all.allSatisfy({ Int32(Int16(truncatingIfNeeded: $0)) == $0 }) else { return nil }
        factors = all.map { SIMD8(repeating: Int16(truncatingIfNeeded: $0)) }
        constants = rows.map { row in
            row.factors.reduce(row.constant) { $0 &+ $1 &* 32768 }
        }
    }

    /// Converts as many pixels as fill vectors, and says how many that were.
    func convert(
        _ p0: UnsafePointer<UInt16>, _ p1: UnsafePointer<UInt16>, _ p2: UnsafePointer<UInt16>, count: Int,
        into output: UnsafeMutablePointer<UInt32>
    ) -> Int {
        factors.withUnsafeBufferPointer { factors in
            constants.withUnsafeBufferPointer { constants in
                guard let factors = factors.baseAddress, let constants = constants.baseAddress else { return 0 }
                var i = 0
                while i &+ 8 <= count {
                    let x = Self.signed(p0 + i), y = Self.signed(p1 + i), z = Self.signed(p2 + i)
                    let red = Self.level(x, y, z, factors, constants), green = Self.level(x, y, z, factors + 3, constants + 1),
                        blue = Self.level(x, y, z, factors + 6, constants + 2)
                    let redGreen = red | green &<< 8, blueOpaque = blue | SIMD8(repeating: 0xFF00)
                    let place = UnsafeMutableRawPointer(output + i)
                    place.storeBytes(of: LaneBlock.low(redGreen, blueOpaque), as: SIMD8<UInt16>.self)
                    place.storeBytes(of: LaneBlock.high(redGreen, blueOpaque), toByteOffset: 16, as: SIMD8<UInt16>.self)
                    i &+= 8
                }
                return i
            }
        }
    }

    @inline(__always) private static func signed(_ samples: UnsafePointer<UInt16>) -> SIMD8<Int16> {
        unsafeBitCast(LaneBlock.load(samples) ^ SIMD8(repeating: 0x8000), to: SIMD8<Int16>.self)
    }

    @inline(__always) private static func level(
        _ x: SIMD8<Int16>, _ y: SIMD8<Int16>, _ z: SIMD8<Int16>, _ factors: UnsafePointer<SIMD8<Int16>>,
        _ constant: UnsafePointer<Int32>
    ) -> SIMD8<UInt16> {
        let level = clanes_row(x, y, z, factors, constant.pointee, shift)
        // Below 0 to 0, above 255 to 255: levels are within 12 bits, so that the sign of 255 − level says which.
        let (sign, most) = (SIMD8<Int16>(repeating: 15), SIMD8<Int16>(repeating: 255))
        let low = level & ~(level &>> sign)
        return unsafeBitCast((low | ((most &- low) &>> sign)) & most, to: SIMD8<UInt16>.self)
    }
}
