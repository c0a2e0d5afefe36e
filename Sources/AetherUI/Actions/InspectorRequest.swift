public import AetherEngine

/// A wish of the Debug face.
public enum InspectorRequest: Sendable, Equatable {
    /// Look into the file that plays.
    case open
    /// Read its samples, where no table lists them.
    case samples
    /// Bytes of it, to be shown in hexadecimal; of a stream those of a row of segments, counted from its own start.
    case bytes(offset: Int64, count: Int, segment: Int? = nil)
    /// Decode a frame of it, and those around it.
    case frame(FrameRequest)
    /// Nothing is wanted any more.
    case close
}

/// A wish for a frame, and how it is to be drawn.
public struct FrameRequest: Sendable, Equatable {
    /// The frame, and what is looked at.
    public var wish: FrameWish
    /// Motion vectors are drawn over it.
    public var drawsVectors = false
    /// The quantisers are drawn over it.
    public var drawsMap = false

    /// A wish for the frame alone.
    public init(_ wish: FrameWish) { self.wish = wish }
}
