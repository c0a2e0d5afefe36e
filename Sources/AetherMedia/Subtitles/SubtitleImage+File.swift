public import AetherCore
public import AetherFormats
import CFFmpeg

extension SubtitleImage {
    /// Sides of the canvas and distances from its corner are no larger.
    private static let sideLimit = 65_536.0

    /// An image file (PNG, JPEG or WebP) with its place in the frame, cut to what is not transparent. Blocks for the work: 2 ms for 640×64. nil for one that
    /// cannot be read, or of which nothing is seen.
    public init?(file: [UInt8], at box: TTMLImage.Box, isForced: Bool) {
        // An image that cannot be decoded is not shown; its neighbours are.
        guard let pixels = try? StillImage.pixels(file, limit: SubtitleBounds.pixelLimit) else { return nil }
        let reduced = Palette(pixels.pixels)
        let seen = pixels.pixels.indices.filter { pixels.pixels[$0] >> 24 != 0 }
        guard let top = seen.first.map({ $0 / pixels.width }), let bottom = seen.last.map({ $0 / pixels.width }),
            let left = seen.lazy.map({ $0 % pixels.width }).min(), let right = seen.lazy.map({ $0 % pixels.width }).max()
        else { return nil }
        var indices: [UInt8] = []
        indices.reserveCapacity((right - left + 1) * (bottom - top + 1))
        for y in top...bottom { indices += reduced.indices[(y * pixels.width + left)...(y * pixels.width + right)] }
        // The image fills its box; one without a size counts in the pixels of 1080 lines.
        let width = Self.side(pixels.width, fills: box.width, else: 1920)
        let height = Self.side(pixels.height, fills: box.height, else: 1080)
        self.init(
            width: right - left + 1, height: bottom - top + 1, indices: indices, palette: reduced.colours,
            x: Self.place(box.x, of: width) + left, y: Self.place(box.y, of: height) + top,
            canvasSize: PixelSize(width: width, height: height), isForced: isForced)
    }

    /// The pixels of a frame of which so many take a share.
    private static func side(_ pixels: Int, fills share: Double?, else usual: Int) -> Int {
        guard let share, share.isFinite, share > 0 else { return usual }
        return max(1, Int(min(Double(pixels) / share, sideLimit).rounded()))
    }

    private static func place(_ share: Double, of side: Int) -> Int {
        share.isFinite ? Int(min(max(share * Double(side), -sideLimit), sideLimit).rounded()) : 0
    }
}

/// Pixels as entries of a table of 256 colours: as many bits of each are kept as leave no more.
private struct Palette {
    private(set) var colours: [UInt32] = []
    private(set) var indices: [UInt8] = []

    /// Of pixels as libavcodec gives them, not premultiplied.
    init(_ pixels: [UInt32]) {
        for bits in 0...7 where indices.count < pixels.count {
            let kept = UInt32(0xFF << bits & 0xFF) &* 0x0101_0101
            var table: [UInt32: UInt8] = [:]
            (colours, indices) = ([], [])
            indices.reserveCapacity(pixels.count)
            for pixel in pixels {
                // All that is transparent is one.
                let key = pixel >> 24 == 0 ? 0 : pixel & kept | 0x0100_0000
                if let known = table[key] {
                    indices.append(known)
                    continue
                }
                guard colours.count < 256 else { break }
                table[key] = UInt8(colours.count)
                indices.append(UInt8(colours.count))
                colours.append(SubtitleImage.premultiplied(rgba: pixel))
            }
        }
    }
}

extension SubtitleImage {
    /// 0xAABBGGRR premultiplied by its alpha.
    fileprivate static func premultiplied(rgba pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        func part(_ shift: UInt32) -> UInt32 { (((pixel >> shift & 255) * alpha + 127) / 255) << shift }
        return alpha << 24 | part(16) | part(8) | part(0)
    }
}
