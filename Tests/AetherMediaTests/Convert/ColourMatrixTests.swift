import Testing

@testable import AetherMedia

/// Every matrix and range against arithmetic in double precision.
@Suite struct ColourMatrixTests {
    static let kinds: [(String, ColourMatrix.Kind)] = [
        ("601", .luma(red: 0.299, blue: 0.114)), ("709", .luma(red: 0.2126, blue: 0.0722)),
        ("2020", .luma(red: 0.2627, blue: 0.0593)), ("240M", .luma(red: 0.212, blue: 0.087)),
        ("FCC", .luma(red: 0.30, blue: 0.11)), ("YCgCo", .yCgCo), ("RGB", .rgb), ("GBR", .gbr),
    ]

    /// By the equations of H.273, from codes.
    private static func exact(_ kind: ColourMatrix.Kind, _ c: SIMD3<Double>, _ isFull: Bool, _ depth: Int) -> SIMD3<Double> {
        let top = Double((1 << depth) - 1), step = Double(1 << (depth - 8)), half = Double(1 << (depth - 1))
        func luma(_ v: Double) -> Double { isFull ? v / top : (v - 16 * step) / (219 * step) }
        func chroma(_ v: Double) -> Double { isFull ? (v - half) / top : (v - half) / (224 * step) }
        let (y, u, v) = (luma(c.x), chroma(c.y), chroma(c.z))
        switch kind {
        case .luma(let kr, let kb):
            let r = y + 2 * (1 - kr) * v, b = y + 2 * (1 - kb) * u
            return SIMD3(r, (y - kr * r - kb * b) / (1 - kr - kb), b)
        case .yCgCo:
            // Equations 68 to 70: the differences are of codes, with luma's scale.
            let scale = isFull ? 1 : 224.0 / 219
            return SIMD3(y - (u - v) * scale, y + u * scale, y - (u + v) * scale)
        case .rgb: return SIMD3(luma(c.x), luma(c.y), luma(c.z))
        default: return SIMD3(luma(c.z), luma(c.x), luma(c.y))
        }
    }

    @Test(arguments: kinds.map(\.0), [8, 10, 12])
    func isWithinOneLevelOfExactArithmetic(_ name: String, _ depth: Int) throws {
        let kind = try #require(Self.kinds.first { $0.0 == name }).1
        for isFull in [false, true] {
            let matrix = ColourMatrix(kind, isFullRange: isFull, depth: depth)
            var noise = Noise(state: 11)
            var codes: [SIMD3<Double>] = []
            let top = Double((1 << depth) - 1)
            for r in [0.0, 0.5, 1] { for g in [0.0, 0.5, 1] { for b in [0.0, 0.5, 1] { codes.append(SIMD3(r, g, b) * top) } } }
            for _ in 0..<20000 {
                codes.append(
                    SIMD3(
                        Double(noise.next() % (1 << depth)), Double(noise.next() % (1 << depth)),
                        Double(noise.next() % (1 << depth))))
            }
            codes = codes.map { $0.rounded(.down) }
            let planes = (0..<3).map { plane in codes.map { UInt16($0[plane]) << (16 - UInt16(depth)) } }
            var pixels = [UInt32](repeating: 0, count: codes.count)
            matrix.convert(planes[0], planes[1], planes[2], count: codes.count, into: &pixels)
            var worst = 0.0
            for (code, pixel) in zip(codes, pixels) {
                let want = Self.exact(kind, code, isFull, depth).clamped(lowerBound: .zero, upperBound: .one) * 255
                let off = want - colour(pixel) * 255
                worst = max(worst, abs(off.x), abs(off.y), abs(off.z))
            }
            // Half a level is rounding, a tenth the fixed point.
            #expect(worst <= 0.65, "\(name) \(isFull ? "full" : "limited") \(depth): \(worst)")
        }
    }

    @Test func primariesOf2020BecomeThoseOf709AsTheStandardSays() {
        // BT.2087-0, M2.
        let matrix = ColourPrimaries.bt2020.conversion(to: .bt709)
        let want = Matrix3([1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187])
        for (row, wanted) in [(matrix.x, want.x), (matrix.y, want.y), (matrix.z, want.z)] {
            for column in 0..<3 { #expect(abs(row[column] - wanted[column]) < 1e-4) }
        }
    }

    @Test func whiteStaysWhiteInAllPrimaries() {
        let all: [ColourPrimaries] = [
            .bt2020, .smpte170M, .bt470BG, .bt470M, .film, .xyz, .dciP3, .displayP3, .ebu3213,
        ]
        for primaries in all {
            let white = primaries.conversion(to: .bt709) * SIMD3(1, 1, 1)
            #expect(abs(white.x - 1) < 1e-9 && abs(white.y - 1) < 1e-9 && abs(white.z - 1) < 1e-9)
        }
    }
}
