public import AetherCore
import CFFmpeg

/// libswscale as the worker of a box has it: what it makes of a frame goes into memory that both sides see. Lives on one thread.
public struct PlaneScaler: ~Copyable {
    private var stage = SwscaleStage()

    /// A scaler without tables; they are made with the first frame.
    public init() {}

    /// Scales a frame; the planes lie in `memory` as the order says. Blocks for the work. Throws `.unsupported` for formats that libswscale refuses,
    /// and where the memory is too small.
    public mutating func scale(
        _ frame: borrowing DecodedFrame, _ order: ScaleOrder, into memory: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        let pointer = UnsafePointer(frame.pointer)
        // It finds out whether there is an image at all.
        _ = try FrameLayout(pointer)
        _ = try stage.scale(pointer, order, into: memory)
    }
}
