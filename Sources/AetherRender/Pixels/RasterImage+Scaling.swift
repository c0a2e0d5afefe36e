public import AetherCore

extension RasterImage {
    /// The image at another size, by the mean of the area that each new pixel covers; where it grows, pixels repeat.
    public func scaled(to size: PixelSize) -> RasterImage {
        guard size != self.size, size.width > 0, size.height > 0, width > 0, height > 0 else { return self }
        var scaler = AreaScaler()
        var pixels: [UInt32] = []
        scaler.scale(self.pixels, width: width, height: height, into: &pixels, targetWidth: size.width, targetHeight: size.height)
        return RasterImage(width: size.width, height: size.height, pixels: pixels)
    }
}
