import AetherCore

/// Counts the colours of an image, coarsely in every frame to notice a cut, finely when pens are to be chosen.
struct SceneHistogram: Sendable {
    /// 4 bits a channel.
    private var coarse = [Int32](repeating: 0, count: 4096)
    /// The coarse counts of the frame that the pens were chosen for.
    private var reference = [Int32](repeating: 0, count: 4096)
    private var samples: Int32 = 0
    /// 5 bits a channel: sums of red, green, blue, and the number of pixels.
    private(set) var bins = [SIMD4<Float>](repeating: SIMD4(), count: 32768)

    /// Share of the pixels that must have gone to other colours for a frame to be of another scene. Cuts in videos are above 0.6,
    /// pans of one scene below 0.4 for seconds.
    static let cut: Float = 0.55

    /// Counts one pixel of sixteen and returns the share 0…1 of pixels whose colour the reference did not have.
    mutating func distance(of image: borrowing RasterImage) -> Float {
        let width = image.width, height = image.height
        let step = max(1, min(4, min(width, height) / 16))
        var far: Int32 = 0
        var total: Int32 = 0
        coarse.withUnsafeMutableBufferPointer { coarse in
            coarse.update(repeating: 0)
            image.pixels.withUnsafeBufferPointer { pixels in
                for y in stride(from: 0, to: height, by: step) {
                    for x in stride(from: y / step % 2 * (step / 2), to: width, by: step) {
                        let pixel = pixels[y &* width &+ x]
                        let key = (pixel & 0xF0) << 4 | (pixel >> 8 & 0xF0) | (pixel >> 20 & 0xF)
                        coarse[Int(key)] &+= 1
                        total &+= 1
                    }
                }
            }
            reference.withUnsafeBufferPointer { reference in
                for index in 0..<4096 { far &+= max(0, coarse[index] &- reference[index]) }
            }
        }
        samples = total
        return Float(far) / Float(max(1, total))
    }

    /// Counts finely, and makes this frame the reference of the next distances.
    mutating func adopt(_ image: borrowing RasterImage) {
        swap(&coarse, &reference)
        let width = image.width, height = image.height
        let step = width * height > 65536 ? 2 : 1
        bins.withUnsafeMutableBufferPointer { bins in
            bins.update(repeating: SIMD4())
            image.pixels.withUnsafeBufferPointer { pixels in
                for y in stride(from: 0, to: height, by: step) {
                    for x in stride(from: y / step % 2 * (step / 2), to: width, by: step) {
                        let pixel = pixels[y &* width &+ x]
                        let key = (pixel & 0xF8) << 7 | (pixel >> 6 & 0x3E0) | (pixel >> 19 & 0x1F)
                        bins[Int(key)] += SIMD4(Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), 1)
                    }
                }
            }
        }
    }
}
