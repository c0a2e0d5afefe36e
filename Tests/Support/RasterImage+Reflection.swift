public import AetherCore

/// The short form in which a failed expectation prints an image: its size, and not a million pixels, which took minutes.
extension RasterImage: CustomReflectable {
    /// The size alone.
    public var customMirror: Mirror { Mirror(self, children: ["size": "\(width)x\(height)"]) }
}

extension RasterImage: CustomStringConvertible {
    /// The size alone.
    public var description: String { "picture of \(width)x\(height)" }
}
