/// A box of at most three samples: in 16 bytes and without a loop. A frame of 1280×720 made of one of 1920×1080 spends most of its
/// time here: 2.8 million boxes, of two samples each in the planes of brightness.
struct BoxTap: Equatable {
    /// The first sample; the two behind it may be read whatever their weights are.
    let first: Int32
    /// Shares of the samples in units of 1 / 65536; together 65536.
    let weights: (UInt32, UInt32, UInt32)

    static func == (a: BoxTap, b: BoxTap) -> Bool { a.first == b.first && a.weights == b.weights }

    /// The spans as taps; nil where one is too wide.
    static func taps(_ spans: [BoxSpan]) -> [BoxTap]? {
        guard spans.allSatisfy({ $0.count <= 3 }) else { return nil }
        return spans.map { span in
            func share(_ part: Float) -> UInt32 { UInt32((part * 65536).rounded()) }
            let head = share(span.headShare), whole: UInt32 = 65536
            let weights: (UInt32, UInt32, UInt32) =
                switch span.count {
                case 1: (whole, 0, 0)
                case 2: (head, whole - head, 0)
                default: (head, share(span.innerShare), whole - head - share(span.innerShare))
                }
            return BoxTap(first: Int32(span.first), weights: weights)
        }
    }

    /// Reduces sums of columns, of 16 or 32 bits: each output is the mean × `factor`, rounded, at most 65535. `arePairs` says that no
    /// tap has a third sample. Integers take half as long here as floating point (3.0 instead of 6.3 ms for a frame of 1280×720).
    @inline(__always)
    static func reduce<Sum: FixedWidthInteger & UnsignedInteger>(
        _ sums: UnsafePointer<Sum>, _ taps: UnsafeBufferPointer<BoxTap>, arePairs: Bool, factor: Float,
        _ output: UnsafeMutablePointer<UInt16>
    ) {
        // A mean has 16 more bits than a sum. Those of 32-bit sums are dropped for a finer factor; products stay below 2^63, for
        // what fits 16 bits in the end leaves the factor no more than 85 there, and 171 with sums of 16 bits.
        let isNarrow = Sum.bitWidth == 16
        let dropped: UInt64 = isNarrow ? 0 : 16, shift: UInt64 = isNarrow ? 32 : 24
        let scale = UInt64((Double(factor) * (isNarrow ? 65536 : 16_777_216)).rounded()), half = UInt64(1) << (shift - 1)
        @inline(__always) func scaled(_ mean: UInt64) -> UInt16 {
            UInt16(truncatingIfNeeded: min(65535, ((mean &>> dropped) &* scale &+ half) &>> shift))
        }
        guard var tap = taps.baseAddress else { return }
        if arePairs {
            for x in 0..<taps.count {
                let at = sums + Int(tap.pointee.first), weights = tap.pointee.weights
                output[x] = scaled(UInt64(at[0]) &* UInt64(weights.0) &+ UInt64(at[1]) &* UInt64(weights.1))
                tap += 1
            }
        } else {
            for x in 0..<taps.count {
                let at = sums + Int(tap.pointee.first), weights = tap.pointee.weights
                let pair = UInt64(at[0]) &* UInt64(weights.0) &+ UInt64(at[1]) &* UInt64(weights.1)
                output[x] = scaled(pair &+ UInt64(at[2]) &* UInt64(weights.2))
                tap += 1
            }
        }
    }
}
