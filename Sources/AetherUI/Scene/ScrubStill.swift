public import AetherCore

/// A still of the place that is looked at.
public struct ScrubStill: Sendable, Equatable {
    /// The thumbnail.
    public let image: RasterImage
    /// Rises with each: stills are told apart by it, not pixel by pixel.
    public let number: Int

    /// A still.
    public init(image: RasterImage, number: Int) {
        self.image = image
        self.number = number
    }

    /// Thumbnails are told apart by their numbers, not pixel by pixel.
    public static func == (a: ScrubStill, b: ScrubStill) -> Bool { a.number == b.number }
}
