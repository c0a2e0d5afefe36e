import AetherCore

/// A bitmap of text as a reader of text wants it: dark on light, with a margin, letters at least 20 pixels high.
struct GreyBitmap: Sendable, Equatable {
    let width, height: Int
    let pixels: [UInt8]

    /// 4 megapixels: more is no line of subtitles.
    private static let limit = 4 << 20
    private static let margin = 10

    /// nil for what is too large or empty.
    init?(_ subtitle: SubtitleImage) {
        let image = subtitle.image
        // Discs' subtitles are drawn for 576 lines, with letters of 20.
        let scale = subtitle.canvasSize.height < 720 ? 2 : 1
        guard image.width > 0, image.height > 0, image.width <= 8192, image.height <= 8192 else { return nil }
        let width = image.width * scale + 2 * Self.margin, height = image.height * scale + 2 * Self.margin
        guard width * height <= Self.limit else { return nil }
        var pixels = [UInt8](repeating: 255, count: width * height)
        for y in 0..<image.height * scale {
            for x in 0..<image.width * scale {
                let pixel = image.pixels[y / scale * image.width + x / scale]
                // Premultiplied over black: the letters are bright, their outline is as dark as what lies around.
                let luma = ((pixel & 255) * 54 + (pixel >> 8 & 255) * 183 + (pixel >> 16 & 255) * 19) >> 8
                pixels[(y + Self.margin) * width + x + Self.margin] = 255 - UInt8(min(255, luma))
            }
        }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// The bytes of a portable grey map.
    var pgm: [UInt8] { Array("P5\n\(width) \(height)\n255\n".utf8) + pixels }
}
