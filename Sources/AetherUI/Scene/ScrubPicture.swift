public import AetherCore

/// A picture of the place that a hand looks at.
public struct ScrubPicture: Sendable, Equatable {
    /// The thumbnail.
    public let image: RasterImage
    /// Rises with each: pictures are told apart by it, not pixel by pixel.
    public let number: Int

    /// A picture.
    public init(image: RasterImage, number: Int) {
        self.image = image
        self.number = number
    }

    /// Thumbnails are told apart by their numbers, not pixel by pixel.
    public static func == (a: ScrubPicture, b: ScrubPicture) -> Bool { a.number == b.number }
}
