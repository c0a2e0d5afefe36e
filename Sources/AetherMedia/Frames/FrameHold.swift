import CFFmpeg

/// Keeps the memory of a frame, which others read meanwhile. Any thread may let it go.
public final class FrameHold {
    private let pointer: UnsafeMutablePointer<AVFrame>

    /// A further holder of a frame's memory; nil where there is no memory for it.
    public init?(_ frame: borrowing DecodedFrame) {
        guard let copy = av_frame_clone(frame.pointer) else { return nil }
        pointer = copy
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&owned)
    }
}
