import AetherCore

extension RasterImage {
    /// The image, or every nth pixel of it where it is larger than that: where a window has become smaller than what was asked for.
    func thinned(to size: PixelSize) -> RasterImage {
        width > size.width || height > size.height ? sampled(to: size) : self
    }

    /// The image in another size, by the nearest pixel; both sides of it are at least 1, or nothing of it is left.
    func sampled(to size: PixelSize) -> RasterImage {
        guard size != self.size, width > 0, height > 0 else { return self }
        var other = RasterImage(width: size.width, height: size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { other[x, y] = self[x * width / size.width, y * height / size.height] }
        }
        return other
    }
}
