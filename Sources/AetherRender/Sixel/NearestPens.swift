/// The nearest pen of every colour (5 bits a channel), found when it is first asked for.
struct NearestPens: Sendable {
    private var entries = [UInt8](repeating: SixelPalette.none, count: 32768)

    /// Forgets them: there are other pens.
    mutating func removeAll() {
        entries.withUnsafeMutableBufferPointer { $0.update(repeating: SixelPalette.none) }
    }

    /// Lends the table for reading and filling; `SixelPalette.none` where no pixel has asked yet.
    mutating func withEntries<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        entries.withUnsafeMutableBufferPointer { table in
            guard let base = table.baseAddress else { preconditionFailure("an empty table of pens") }
            return body(base)
        }
    }

    /// The index of a colour 0xAABBGGRR.
    @inline(__always) static func key(_ pixel: UInt32) -> Int {
        Int(truncatingIfNeeded: (pixel & 0xF8) << 7 | (pixel >> 6 & 0x3E0) | (pixel >> 19 & 0x1F))
    }

    /// Finds the nearest pen to the middle of the colours with these five bits a channel.
    static func find(key: Int, pens: UnsafePointer<SIMD4<Float>>, count: Int) -> UInt8 {
        let colour = SIMD4<Float>(Float(key >> 10), Float(key >> 5 & 31), Float(key & 31), 0) * 8 + SIMD4(4, 4, 4, 0)
        var best = Float.infinity
        var nearest = 0
        for pen in 0..<count {
            let offset = pens[pen] - colour
            let distance = (offset * offset).sum()
            if distance < best { (best, nearest) = (distance, pen) }
        }
        return UInt8(truncatingIfNeeded: nearest)
    }
}
