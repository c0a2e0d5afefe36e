public import AetherCore

/// A place apart in which libswscale works. Any thread.
public protocol ScalingBox: DecodingPlace {
    /// A process for one scaler, which is started with the first frame. nil where this process may do the work itself. May block until it is known
    /// whether the box works.
    func openScaler() -> (any BoxedScaling)?
}

/// A scaler in a box, for one thread.
public protocol BoxedScaling: AnyObject {
    /// The planes of a frame, as the order says; they are there until the next call. Blocks. Throws as `PlaneScaler`, and
    /// `.decodeFailed` where the worker broke at this frame.
    func planes(of frame: borrowing DecodedFrame, _ order: ScaleOrder) throws(MediaError) -> UnsafeRawBufferPointer
}
