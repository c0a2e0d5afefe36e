/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
    /// Pixels.
    public var width, height: Int

    /// A size; may be empty.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// An image in sRGB, one `UInt32` a pixel with the bytes R, G, B, A in memory order (little endian: 0xAABBGGRR), rows tight.
/// Alpha is 255 wherever the image is opaque.
public struct RasterImage: Sendable, Equatable {
    /// Pixels.
    public let width, height: Int
    /// width × height pixels, top row first.
    public var pixels: [UInt32]

    /// An image of the given pixels. Traps when their number is not width × height.
    public init(width: Int, height: Int, pixels: [UInt32]) {
        precondition(width >= 0 && height >= 0 && pixels.count == width * height, "pixel count does not match the size")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// An image of one colour.
    public init(width: Int, height: Int, fill: UInt32 = 0xFF00_0000) {
        self.init(width: width, height: height, pixels: [UInt32](repeating: fill, count: width * height))
    }

    /// A part of it, as far as it lies inside; nil where nothing does.
    public func part(x: Int, y: Int, width: Int, height: Int) -> RasterImage? {
        guard x >= 0, y >= 0, x < self.width, y < self.height, width > 0, height > 0 else { return nil }
        let columns = x..<x + min(width, self.width - x), rows = y..<y + min(height, self.height - y)
        var pixels: [UInt32] = []
        pixels.reserveCapacity(columns.count * rows.count)
        for row in rows {
            pixels += self.pixels[(row * self.width + columns.lowerBound)..<(row * self.width + columns.upperBound)]
        }
        return RasterImage(width: columns.count, height: rows.count, pixels: pixels)
    }

    /// The size.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// Packs a colour.
    @inlinable public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
        0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
    }

    /// The pixel at a place. Traps outside.
    public subscript(x: Int, y: Int) -> UInt32 {
        get { pixels[y * width + x] }
        set { pixels[y * width + x] = newValue }
    }
}
