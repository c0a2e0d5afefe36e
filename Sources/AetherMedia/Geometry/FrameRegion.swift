/// A part of a frame, in its pixels.
public struct FrameRegion: Sendable, Equatable {
    /// The top left corner and the size, in pixels.
    public var x, y, width, height: Int

    /// A part; what lies outside the frame is left out when it is used.
    public init(x: Int, y: Int, width: Int, height: Int) { (self.x, self.y, self.width, self.height) = (x, y, width, height) }
}
