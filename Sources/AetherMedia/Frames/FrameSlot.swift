/// Memory that a box writes a frame into, and that is given back when the last holder of the frame lets go.
public protocol FrameSlot: AnyObject, Sendable {
    /// The whole of it.
    var memory: UnsafeMutableRawBufferPointer { get }

    /// So many of its bytes are about to be read: they may be mapped at once. Does not block.
    func willRead(_ count: Int)
}

extension FrameSlot {
    /// Nothing is to be done.
    public func willRead(_ count: Int) {}
}
