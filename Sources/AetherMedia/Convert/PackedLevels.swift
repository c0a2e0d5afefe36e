import CFFmpeg

/// The levels of red, green and blue as libswscale hands them out in 8 bits: it leaves limited range as it is, and the whitest of formats of
/// few bits is a little grey, of five and six bits where it scales.
struct PackedLevels {
    /// Of red, green and blue, 256 each.
    private let levels: [UInt8]

    /// nil where codes are levels already.
    init?(_ layout: FrameLayout, isScaled: Bool) {
        let tops = PackedLevels.tops(layout.format, isScaled)
        guard !layout.isFullRange || tops != SIMD3(255, 255, 255) else { return nil }
        let (black, range) = layout.isFullRange ? (0.0, 255.0) : (16.0, 219.0)
        levels = (0..<768).map { index in
            let code = Double(index & 255) * 255 / tops[index >> 8]
            return UInt8(min(max((code - black) * 255 / range, 0), 255).rounded())
        }
    }

    /// The code that libswscale gives white.
    private static func tops(_ format: AVPixelFormat, _ isScaled: Bool) -> SIMD3<Double> {
        switch format {
        case AV_PIX_FMT_RGB444LE, AV_PIX_FMT_RGB444BE, AV_PIX_FMT_BGR444LE, AV_PIX_FMT_BGR444BE: SIMD3(repeating: 240)
        case AV_PIX_FMT_RGB8, AV_PIX_FMT_BGR8: SIMD3(252, 252, 255)
        case AV_PIX_FMT_RGB555LE, AV_PIX_FMT_RGB555BE, AV_PIX_FMT_BGR555LE, AV_PIX_FMT_BGR555BE:
            SIMD3(repeating: isScaled ? 248 : 255)
        case AV_PIX_FMT_RGB565LE, AV_PIX_FMT_RGB565BE, AV_PIX_FMT_BGR565LE, AV_PIX_FMT_BGR565BE:
            isScaled ? SIMD3(248, 252, 248) : SIMD3(repeating: 255)
        default: SIMD3(repeating: 255)
        }
    }

    /// One pixel; its alpha stays.
    @inline(__always) func level(_ pixel: UInt32) -> UInt32 {
        let red = levels[Int(pixel & 255)], green = levels[256 + Int(pixel >> 8 & 255)],
            blue = levels[512 + Int(pixel >> 16 & 255)]
        return pixel & 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
    }
}
