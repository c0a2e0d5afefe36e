import AetherCore
import CFFmpeg

/// From three planes of 16-bit samples (a code of depth d stands as code << (16 - d)) to 8-bit R, G, B, in fixed point.
struct ColourMatrix: Equatable {
    /// The ways from a frame's three components to red, green and blue.
    enum Kind: Equatable {
        /// Luma weights of red and blue (ITU-T H.273, MatrixCoefficients).
        case luma(red: Double, blue: Double)
        case yCgCo
        /// The components are red, green, blue in this order.
        case rgb
        /// The components are green, blue, red: matrix coefficients 0 in a Y′CbCr format.
        case gbr
        /// Luma is made of light, not of codes (BT.2020's constant luminance, and H.273's of any primaries): red and blue come out of the
        /// matrix, green of light.
        case constantLuminance(red: Double, blue: Double)
        /// Intensity and two axes of colour (BT.2100). The matrix gives the codes of three kinds of cones.
        case iCtCp(isHLG: Bool)

        /// True where the output is the codes of red, green and blue.
        var givesRGB: Bool {
            switch self {
            case .constantLuminance, .iCtCp: false
            default: true
            }
        }
    }

    /// 12 fraction bits: |2.2| × 65535 × 4096 summed over three stays below 2^31.
    private static let fractionBits: Int32 = 12
    private var rows: (Row, Row, Row)
    private let lanes: MatrixLanes?

    private struct Row: Equatable {
        var c0, c1, c2, constant: Int32

        var words: MatrixLanes.Row { MatrixLanes.Row(factors: [c0, c1, c2], constant: constant) }
    }

    static func == (a: ColourMatrix, b: ColourMatrix) -> Bool {
        a.rows.0 == b.rows.0 && a.rows.1 == b.rows.1 && a.rows.2 == b.rows.2
    }

    /// The matrix of a kind for codes of `depth` bits in full or limited range.
    init(_ kind: Kind, isFullRange: Bool, depth: Int) {
        let (matrix, offset) = ColourMatrix.decoding(kind, isFullRange: isFullRange, depth: depth)
        func row(_ k: SIMD3<Double>, _ offset: Double) -> Row {
            // To 255 × 256 in fixed point, and half a level for rounding.
            let one = Double(1 << ColourMatrix.fractionBits) * 255 * 256
            let c = k * one / 65536
            let constant = offset * one + 128 * Double(1 << ColourMatrix.fractionBits)
            return Row(
                c0: Int32(c.x.rounded()), c1: Int32(c.y.rounded()), c2: Int32(c.z.rounded()), constant: Int32(constant.rounded()))
        }
        rows = (row(matrix.x, offset.x), row(matrix.y, offset.y), row(matrix.z, offset.z))
        lanes = MatrixLanes(rows.0.words, rows.1.words, rows.2.words)
    }

    /// From components as shares of 65536 to codes of 0...1: a matrix, and what is added behind it.
    static func decoding(_ kind: Kind, isFullRange: Bool, depth: Int) -> (matrix: Matrix3, offset: SIMD3<Double>) {
        // Full range ends at 2^d - 1, limited range scales with 2^(d - 8).
        let unit = isFullRange ? Double(((1 << depth) - 1) << (16 - depth)) / 255 : 256
        let lumaScale = (isFullRange ? 1 : 255.0 / 219) * 65536 / 255 / unit
        let chromaScale = (isFullRange ? 1 : 255.0 / 224) * 65536 / 255 / unit
        let black = isFullRange ? 0.0 : 1.0 / 16
        let middle = 0.5
        var zero = SIMD3(black, middle, middle)
        var scale = SIMD3(lumaScale, chromaScale, chromaScale)
        let coefficients: Matrix3
        switch kind {
        case .luma(let red, let blue):
            let green = 1 - red - blue
            coefficients = Matrix3(
                [1, 0, 2 * (1 - red)], [1, -2 * (1 - blue) * blue / green, -2 * (1 - red) * red / green], [1, 2 * (1 - blue), 0])
        case .yCgCo:
            // H.273, equations 68 to 70: differences of codes, which have luma's range.
            coefficients = Matrix3([1, -1, 1], [1, 1, 0], [1, -1, -1])
            scale = SIMD3(repeating: lumaScale)
        case .constantLuminance: coefficients = Matrix3([0, 0, 1], [1, 0, 0], [0, 1, 0])
        case .iCtCp(let isHLG):
            let (a, b, c, d) =
                isHLG
                ? (0.01571858, 0.20958107, 1.02127108, -0.60527449) : (0.00860904, 0.11102963, 0.56003134, -0.32062717)
            coefficients = Matrix3([1, a, b], [1, -a, -b], [1, c, d])
        case .rgb, .gbr:
            coefficients = kind == .rgb ? .identity : Matrix3([0, 0, 1], [1, 0, 0], [0, 1, 0])
            zero = SIMD3(repeating: black)
            scale = SIMD3(repeating: lumaScale)
        }
        let matrix = coefficients * Matrix3(diagonal: scale)
        return (matrix, -(matrix * zero))
    }

    /// Converts `count` pixels.
    func convert(
        _ p0: UnsafePointer<UInt16>, _ p1: UnsafePointer<UInt16>, _ p2: UnsafePointer<UInt16>, count: Int,
        into output: UnsafeMutablePointer<UInt32>
    ) {
        let (r, g, b) = rows
        let done = lanes?.convert(p0, p1, p2, count: count, into: output) ?? 0
        for i in done..<count {
            let x = Int32(p0[i]), y = Int32(p1[i]), z = Int32(p2[i])
            let red = ColourMatrix.level(r, x, y, z), green = ColourMatrix.level(g, x, y, z),
                blue = ColourMatrix.level(b, x, y, z)
            output[i] = 0xFF00_0000 | blue &<< 16 | green &<< 8 | red
        }
    }

    @inline(__always) private static func level(_ row: Row, _ x: Int32, _ y: Int32, _ z: Int32) -> UInt32 {
        let sum = row.c0 &* x &+ row.c1 &* y &+ row.c2 &* z &+ row.constant
        return UInt32(truncatingIfNeeded: max(0, min(255, sum &>> (fractionBits &+ 8))))
    }
}

extension ColourMatrix.Kind {
    /// By the frame's own word; where it is silent, images of 720 lines and more are taken for BT.709, others for BT.601.
    init(colourSpace: AVColorSpace, primaries: AVColorPrimaries, transfer: TransferCurve, height: Int) {
        let bt709 = ColourMatrix.Kind.luma(red: 0.2126, blue: 0.0722)
        let bt601 = ColourMatrix.Kind.luma(red: 0.299, blue: 0.114)
        let bt2020 = ColourMatrix.Kind.luma(red: 0.2627, blue: 0.0593)
        switch colourSpace {
        case AVCOL_SPC_RGB: self = .gbr
        case AVCOL_SPC_BT709: self = bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: self = bt601
        case AVCOL_SPC_FCC: self = .luma(red: 0.30, blue: 0.11)
        case AVCOL_SPC_SMPTE240M: self = .luma(red: 0.212, blue: 0.087)
        case AVCOL_SPC_YCGCO: self = .yCgCo
        case AVCOL_SPC_BT2020_NCL: self = bt2020
        case AVCOL_SPC_BT2020_CL: self = .constantLuminance(red: 0.2627, blue: 0.0593)
        case AVCOL_SPC_ICTCP: self = .iCtCp(isHLG: transfer == .hlg)
        case AVCOL_SPC_CHROMA_DERIVED_NCL, AVCOL_SPC_CHROMA_DERIVED_CL:
            // The luma weights that primaries have by themselves (H.273, equations for MatrixCoefficients 12 and 13).
            let luminance = (ColourPrimaries(primaries) ?? .bt709).toXYZ.y
            self =
                colourSpace == AVCOL_SPC_CHROMA_DERIVED_CL
                ? .constantLuminance(red: luminance.x, blue: luminance.z) : .luma(red: luminance.x, blue: luminance.z)
        default: self = transfer.isHighDynamicRange || primaries == AVCOL_PRI_BT2020 ? bt2020 : height >= 720 ? bt709 : bt601
        }
    }
}
