import AetherCore
import CFFmpeg

/// From three planes of 16-bit samples (a code of depth d stands as code << (16 - d)) to 8-bit R, G, B, in fixed point.
struct ColourMatrix: Equatable {
    /// How a picture's three components make red, green and blue.
    enum Kind: Equatable {
        /// Luma weights of red and blue (ITU-T H.273, MatrixCoefficients).
        case luma(red: Double, blue: Double)
        case yCgCo
        /// The components are red, green, blue in this order.
        case rgb
        /// The components are green, blue, red: matrix coefficients 0 in a Y′CbCr format.
        case gbr
    }

    /// 12 fraction bits: |2.2| × 65535 × 4096 summed over three stays below 2^31.
    private static let fractionBits: Int32 = 12
    private var rows: (Row, Row, Row)

    private struct Row: Equatable {
        var c0, c1, c2, constant: Int32
    }

    static func == (a: ColourMatrix, b: ColourMatrix) -> Bool {
        a.rows.0 == b.rows.0 && a.rows.1 == b.rows.1 && a.rows.2 == b.rows.2
    }

    /// The matrix of a kind for codes of `depth` bits in full or limited range.
    init(_ kind: Kind, isFullRange: Bool, depth: Int) {
        // Full range ends at 2^d - 1, limited range scales with 2^(d - 8).
        let unit = isFullRange ? Double(((1 << depth) - 1) << (16 - depth)) / 255 : 256
        let lumaScale = (isFullRange ? 1 : 255.0 / 219) * 256 / unit
        let chromaScale = (isFullRange ? 1 : 255.0 / 224) * 256 / unit
        let black = isFullRange ? 0.0 : 16 * 256
        let middle = 32768.0
        let coefficients: [(Double, Double, Double)]
        var zero = (black, middle, middle)
        var scale = (lumaScale, chromaScale, chromaScale)
        switch kind {
        case .luma(let red, let blue):
            let green = 1 - red - blue
            coefficients = [
                (1, 0, 2 * (1 - red)),
                (1, -2 * (1 - blue) * blue / green, -2 * (1 - red) * red / green),
                (1, 2 * (1 - blue), 0),
            ]
        case .yCgCo: coefficients = [(1, -1, 1), (1, 1, 0), (1, -1, -1)]
        case .rgb, .gbr:
            coefficients = kind == .rgb ? [(1, 0, 0), (0, 1, 0), (0, 0, 1)] : [(0, 0, 1), (1, 0, 0), (0, 1, 0)]
            zero = (black, black, black)
            scale = (lumaScale, lumaScale, lumaScale)
        }
        func row(_ c: (Double, Double, Double)) -> Row {
            let one = Double(1 << ColourMatrix.fractionBits)
            let k = (c.0 * scale.0, c.1 * scale.1, c.2 * scale.2)
            let constant = -(k.0 * zero.0 + k.1 * zero.1 + k.2 * zero.2) * one + 128 * one
            return Row(
                c0: Int32((k.0 * one).rounded()), c1: Int32((k.1 * one).rounded()), c2: Int32((k.2 * one).rounded()),
                constant: Int32(constant.rounded()))
        }
        rows = (row(coefficients[0]), row(coefficients[1]), row(coefficients[2]))
    }

    /// Converts `count` pixels; `alpha`, where given, blends over black (16-bit, 65280 and above are opaque).
    func convert(
        _ p0: UnsafePointer<UInt16>, _ p1: UnsafePointer<UInt16>, _ p2: UnsafePointer<UInt16>, alpha: UnsafePointer<UInt16>?,
        count: Int, into output: UnsafeMutablePointer<UInt32>
    ) {
        let (r, g, b) = rows
        for i in 0..<count {
            let x = Int32(p0[i]), y = Int32(p1[i]), z = Int32(p2[i])
            let red = ColourMatrix.level(r, x, y, z), green = ColourMatrix.level(g, x, y, z),
                blue = ColourMatrix.level(b, x, y, z)
            output[i] = 0xFF00_0000 | blue &<< 16 | green &<< 8 | red
        }
        guard let alpha else { return }
        for i in 0..<count { output[i] = ColourMatrix.overBlack(output[i], alpha: UInt32(alpha[i] >> 8)) }
    }

    @inline(__always) private static func level(_ row: Row, _ x: Int32, _ y: Int32, _ z: Int32) -> UInt32 {
        let sum = row.c0 &* x &+ row.c1 &* y &+ row.c2 &* z &+ row.constant
        return UInt32(truncatingIfNeeded: max(0, min(255, sum &>> (fractionBits &+ 8))))
    }

    /// An opaque colour dimmed by its coverage.
    @inline(__always) static func overBlack(_ pixel: UInt32, alpha: UInt32) -> UInt32 {
        let red = ((pixel & 255) * alpha + 127) / 255
        let green = ((pixel >> 8 & 255) * alpha + 127) / 255
        let blue = ((pixel >> 16 & 255) * alpha + 127) / 255
        return 0xFF00_0000 | blue << 16 | green << 8 | red
    }
}

extension ColourMatrix.Kind {
    /// By the frame's own word; where it is silent, pictures of 720 lines and more are taken for BT.709, others for BT.601.
    /// Constant-luminance and ICtCp pictures get their container's Y′CbCr sibling: right greys, colours nearly.
    init(colourSpace: AVColorSpace, primaries: AVColorPrimaries, height: Int) {
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
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL, AVCOL_SPC_ICTCP: self = bt2020
        case AVCOL_SPC_CHROMA_DERIVED_NCL, AVCOL_SPC_CHROMA_DERIVED_CL:
            self = primaries == AVCOL_PRI_BT2020 ? bt2020 : primaries == AVCOL_PRI_BT709 ? bt709 : bt601
        default: self = height >= 720 ? bt709 : bt601
        }
    }
}
