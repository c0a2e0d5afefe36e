import AetherCore

extension RasterImage {
    /// The image, or every nth pixel of it where it is larger than that: where a window has become smaller than what was asked for.
    func thinned(to size: PixelSize) -> RasterImage {
        guard width > size.width || height > size.height else { return self }
        var smaller = RasterImage(width: size.width, height: size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { smaller[x, y] = self[x * width / size.width, y * height / size.height] }
        }
        return smaller
    }
}
