/// For every colour (5 bits a channel) the two pens between which it is dithered, found when it is first asked for.
///
/// Two pens and not the three or four around a colour, because every further pen in a column of six pixels costs a byte there,
/// and one of two pens may be painted over by the other.
struct PenPairs: Sendable {
    /// The pens of each colour, the darker one in the low byte; `unknown` where nobody has asked yet. Both are the same where
    /// the nearest pen alone does.
    private(set) var entries = [UInt16](repeating: Self.unknown, count: 32768)
    static let unknown: UInt16 = 0xFFFF
    /// What the squared distance of the two pens weighs against the error of their mean: the noise that they make.
    private static let noise: Float = 1
    /// Pens looked at: the nearest eight contain the best pair of almost every colour.
    private static let nearby = 8

    /// Forgets the pairs: there are other pens.
    mutating func removeAll() {
        entries.withUnsafeMutableBufferPointer { $0.update(repeating: Self.unknown) }
    }

    /// Lends the table for reading and filling.
    mutating func withEntries<Result>(_ body: (UnsafeMutablePointer<UInt16>) -> Result) -> Result {
        entries.withUnsafeMutableBufferPointer { table in
            guard let base = table.baseAddress else { preconditionFailure("an empty table of pairs") }
            return body(base)
        }
    }

    /// Finds the pair of the colours with these five bits a channel.
    static func find(key: Int, pens: UnsafePointer<SIMD4<Float>>, count: Int) -> UInt16 {
        let colour = SIMD4<Float>(Float(key >> 10), Float(key >> 5 & 31), Float(key & 31), 0) * 8 + SIMD4(4, 4, 4, 0)
        var nearest = (SIMD8<Float>(repeating: .infinity), SIMD8<Int32>())
        var found = 0
        for pen in 0..<count {
            let offset = pens[pen] - colour
            let distance = (offset * offset).sum()
            var place = found
            if found < nearby { found += 1 } else if distance < nearest.0[nearby - 1] { place = nearby - 1 } else { continue }
            while place > 0, nearest.0[place - 1] > distance {
                nearest.0[place] = nearest.0[place - 1]
                nearest.1[place] = nearest.1[place - 1]
                place -= 1
            }
            nearest.0[place] = distance
            nearest.1[place] = Int32(truncatingIfNeeded: pen)
        }
        if found == 0 { return 0 }
        var best = nearest.0[0], first = Int(nearest.1[0]), second = first
        for i in 0..<found {
            for j in i + 1..<max(i + 1, found) {
                let a = Int(nearest.1[i]), b = Int(nearest.1[j])
                let axis = pens[b] - pens[a], length = (axis * axis).sum()
                let share = ((colour - pens[a]) * axis).sum() / length
                // Nearer than a sixty-fourth to one of them, no pattern would show it.
                if !(share > 1 / 64 && share < 63 / 64) { continue }
                let miss = pens[a] + axis * share - colour
                let cost = (miss * miss).sum() + noise * share * (1 - share) * length
                if cost < best { (best, first, second) = (cost, a, b) }
            }
        }
        if luma(pens[first]) > luma(pens[second]) { swap(&first, &second) }
        return UInt16(truncatingIfNeeded: first | second << 8)
    }

    private static func luma(_ colour: SIMD4<Float>) -> Float { (colour * SIMD4(54, 183, 19, 0)).sum() }
}
