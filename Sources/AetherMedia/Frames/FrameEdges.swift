/// Rows and columns of a stored frame that are not shown.
public struct FrameEdges: Sendable, Equatable {
    /// Pixels as stored.
    public var left, top, right, bottom: Int

    /// None, unless said otherwise.
    public init(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }
}
