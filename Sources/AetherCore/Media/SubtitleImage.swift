/// A subtitle that is a picture. Kept with its palette, a quarter of the bytes of its pixels.
public struct SubtitleImage: Sendable, Hashable {
    public let width, height: Int
    /// width × height entries of the palette, top row first.
    public let indices: [UInt8]
    /// Premultiplied pixels as in `RasterImage`.
    public let palette: [UInt32]
    /// The top left corner on the canvas, in its pixels.
    public let x, y: Int
    /// What the position refers to: the size of the picture that the subtitle was drawn for.
    public let canvasSize: PixelSize
    /// Shown also to those who want no subtitles: a sign, a foreign language.
    public let isForced: Bool

    /// A picture. Traps where the indices are not width × height; entries beyond the palette are transparent.
    public init(
        width: Int, height: Int, indices: [UInt8], palette: [UInt32], x: Int, y: Int, canvasSize: PixelSize, isForced: Bool
    ) {
        precondition(width >= 0 && height >= 0 && indices.count == width * height, "index count does not match the size")
        self.width = width
        self.height = height
        self.indices = indices
        self.palette = palette
        self.x = x
        self.y = y
        self.canvasSize = canvasSize
        self.isForced = isForced
    }

    /// The pixels: premultiplied, as `RasterImage` packs them.
    public var image: RasterImage {
        let table = (0..<256).map { $0 < palette.count ? palette[$0] : 0 }
        return RasterImage(width: width, height: height, pixels: indices.map { table[Int($0)] })
    }
}
