/// Memory that a box writes a frame into, and that is given back when the last holder of the frame lets go.
public protocol FrameSlot: AnyObject, Sendable {
    /// The whole of it.
    var memory: UnsafeMutableRawBufferPointer { get }
}
