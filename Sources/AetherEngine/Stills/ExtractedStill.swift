public import AetherCore

/// One still of a source, taken out of it without playing.
public struct ExtractedStill: Sendable, Equatable {
    /// Upright, with square pixels.
    public let image: RasterImage
    /// The time of the frame, on the source axis.
    public let time: MediaTime

    /// A still.
    public init(image: RasterImage, time: MediaTime) {
        self.image = image
        self.time = time
    }

    /// Memory that it takes.
    var byteCount: Int { image.pixels.count * 4 + 128 }
}

/// The outline of an extractor's source once it is open.
public struct SourceOutline: Sendable, Equatable {
    /// The first time stamp, which is shown as 0:00.
    public let startTime: MediaTime
    /// The length; nil where the source does not state it.
    public let duration: TimeSpan?
    /// Pixels as stored; nil where only a decoded still tells.
    public let size: PixelSize?
}
