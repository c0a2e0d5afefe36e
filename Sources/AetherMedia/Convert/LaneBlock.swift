import CLanes

/// Eight rows of eight 16-bit samples, one row a vector: what turns rows into columns and back, in three rounds of interleaving.
struct LaneBlock {
    typealias Lanes = SIMD8<UInt16>

    var r0, r1, r2, r3, r4, r5, r6, r7: Lanes

    /// Rows become columns.
    @inline(__always) func transposed() -> LaneBlock {
        let a0 = Self.low(r0, r4), a1 = Self.high(r0, r4), b0 = Self.low(r1, r5), b1 = Self.high(r1, r5)
        let c0 = Self.low(r2, r6), c1 = Self.high(r2, r6), d0 = Self.low(r3, r7), d1 = Self.high(r3, r7)
        let e0 = Self.low(a0, c0), e1 = Self.high(a0, c0), f0 = Self.low(b0, d0), f1 = Self.high(b0, d0)
        let g0 = Self.low(a1, c1), g1 = Self.high(a1, c1), h0 = Self.low(b1, d1), h1 = Self.high(b1, d1)
        return LaneBlock(
            r0: Self.low(e0, f0), r1: Self.high(e0, f0), r2: Self.low(e1, f1), r3: Self.high(e1, f1), r4: Self.low(g0, h0),
            r5: Self.high(g0, h0), r6: Self.low(g1, h1), r7: Self.high(g1, h1))
    }

    /// The first halves of two vectors, sample by sample in turn.
    @inline(__always) static func low(_ a: Lanes, _ b: Lanes) -> Lanes {
        clanes_low(a, b)
    }

    /// The second halves.
    @inline(__always) static func high(_ a: Lanes, _ b: Lanes) -> Lanes {
        clanes_high(a, b)
    }

    /// Eight samples from any address.
    @inline(__always) static func load(_ samples: UnsafePointer<UInt16>) -> Lanes {
        UnsafeRawPointer(samples).loadUnaligned(as: Lanes.self)
    }

    /// Writes eight samples to any address.
    @inline(__always) static func store(_ lanes: Lanes, _ samples: UnsafeMutablePointer<UInt16>) {
        UnsafeMutableRawPointer(samples).storeBytes(of: lanes, as: Lanes.self)
    }

    /// The upper halves of the products.
    @inline(__always) static func share(_ a: Lanes, _ b: Lanes) -> Lanes {
        clanes_share_unsigned(a, b)
    }
}
