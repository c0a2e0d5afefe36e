public import AetherCore

/// The pixels that subtitles put onto a frame: a premultiplied patch and where its top left corner lies, in the frame's pixels.
public struct SubtitleLayer: Sendable, Equatable {
    /// The top left corner, in the frame's pixels.
    public let x, y: Int
    /// Premultiplied, with alpha.
    public let image: RasterImage

    /// A patch.
    public init(x: Int, y: Int, image: RasterImage) {
        self.x = x
        self.y = y
        self.image = image
    }

    /// Puts the patch onto an opaque frame, clipped to it. About 1 ms for a patch of 1200×200.
    public func blend(onto frame: inout RasterImage) {
        let left = max(0, x), right = min(frame.width, x + image.width)
        let top = max(0, y), bottom = min(frame.height, y + image.height)
        guard left < right, top < bottom else { return }
        let (width, patchWidth) = (frame.width, image.width)
        image.pixels.withUnsafeBufferPointer { patch in
            frame.pixels.withUnsafeMutableBufferPointer { pixels in
                for row in top..<bottom {
                    var source = (row - y) * patchWidth + left - x
                    for index in (row * width + left)..<(row * width + right) {
                        let over = patch[source]
                        source += 1
                        if over >> 24 == 0 { continue }
                        pixels[index] = Self.over(over, pixels[index])
                    }
                }
            }
        }
    }

    /// Premultiplied over opaque; two channels at a time, the division by 255 as (v + 1 + (v >> 8)) >> 8.
    @inline(__always) static func over(_ front: UInt32, _ back: UInt32) -> UInt32 {
        let keep = 255 &- (front >> 24)
        if keep == 0 { return front }
        func scaled(_ pair: UInt32) -> UInt32 {
            let value = pair &* keep &+ 0x0080_0080
            return (value &+ (value >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF
        }
        return front &+ (scaled(back & 0x00FF_00FF) | scaled(back >> 8 & 0x00FF_00FF) << 8)
    }
}
