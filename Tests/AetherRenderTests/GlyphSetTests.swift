import AetherTestSupport
import Testing

@testable import AetherRender

/// The tables against the characters' names.
@Suite struct GlyphSetTests {
    @Test(arguments: GlyphSet.allCases)
    func everyGlyphShowsItsMask(set: GlyphSet) {
        #expect(set.scalars.count == 1 << (2 * set.rows))
        #expect(Set(set.scalars).count == set.scalars.count)
        for (mask, scalar) in set.scalars.enumerated() {
            #expect(parts(of: scalar, rows: set.rows) == UInt32(mask), "U+\(String(scalar, radix: 16))")
            #expect(set.mask(of: scalar) == UInt32(mask))
        }
    }

    @Test func otherScalarsHaveNoMask() {
        for set in GlyphSet.allCases {
            let own = Set(set.scalars)
            let others: [UInt32] = [0, 0x41, 0x2591, 0x25A0, 0x2588 + 0x800, 0x1CDE6, 0x1FB3C, 0x27FF, 0x2900, .max]
            for scalar in others + GlyphSet.allCases.flatMap(\.scalars) where !own.contains(scalar) {
                #expect(set.mask(of: scalar) == nil)
            }
        }
    }

    @Test func theBlocksEndWhereTheStandardSays() {
        #expect(GlyphSet.sextant.scalars.max() == 0x1FB3B)
        #expect(GlyphSet.octant.scalars.filter { (0x1CD00...0x1CDE5).contains($0) }.count == 230)
        // BLOCK OCTANT-3, -1235, -2345678.
        #expect(GlyphSet.octant.mask(of: 0x1CD00) == 0b100)
        #expect(GlyphSet.octant.mask(of: 0x1CD0F) == 0b10111)
        #expect(GlyphSet.octant.mask(of: 0x1CDE5) == 0b1111_1110)
    }

    /// A glyph's mask as its name says, nil where it is not made of such parts.
    private func parts(of scalar: UInt32, rows: Int) -> UInt32? {
        if let dots = BlockGlyphs.dots(of: scalar) { return dots }
        guard let fine = BlockGlyphs.parts(of: scalar) else { return nil }
        var mask: UInt32 = 0
        let height = 12 / rows
        for part in 0..<2 * rows {
            let twelfths = (0..<height).map { fine >> UInt32((part / 2 * height + $0) * 2 + part % 2) & 1 }
            guard Set(twelfths).count == 1 else { return nil }
            mask |= twelfths[0] << UInt32(part)
        }
        return mask
    }
}
