/// Lays what a frame does not cover over one colour of the surface.
enum AlphaBlend {
    /// Blends each pixel by its own alpha byte.
    static func over(_ background: UInt32, _ pixel: UInt32) -> UInt32 { over(background, pixel, alpha: pixel >> 24) }

    /// Blends a colour that covers `alpha` of 255.
    @inline(__always) static func over(_ background: UInt32, _ pixel: UInt32, alpha: UInt32) -> UInt32 {
        if alpha >= 255 { return 0xFF00_0000 | pixel }
        func mix(_ shift: UInt32) -> UInt32 {
            (((pixel >> shift & 255) * alpha + (background >> shift & 255) * (255 - alpha) + 127) / 255) << shift
        }
        return 0xFF00_0000 | mix(0) | mix(8) | mix(16)
    }

    /// Blends a converted frame by a plane of 16-bit alpha (a code of depth d stands as code << (16 - d)).
    static func apply(
        _ alpha: UnsafePointer<UInt16>, over background: UInt32, count: Int, to pixels: UnsafeMutablePointer<UInt32>
    ) {
        for i in 0..<count { pixels[i] = over(background, pixels[i], alpha: UInt32(alpha[i] >> 8)) }
    }
}
