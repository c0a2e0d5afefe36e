import CFFmpeg
import Synchronization

/// The memory that a decoder in a box decodes into, which its player may change for another. Any thread.
public final class FrameRoom: Sendable {
    private let current = Mutex<FrameStore?>(nil)

    /// None yet.
    public init() {}

    /// The present memory; nil where there is none. What lies in an earlier one stays there.
    public var store: FrameStore? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// A place for so many bytes of a frame; nil where there is none for so many.
    func place(_ bytes: Int) -> FrameStore.Place? { store?.take(bytes, copied: false) }

    /// Such a place as libavutil's buffer, whose last holder gives it back.
    func buffer(_ bytes: Int) -> UnsafeMutablePointer<AVBufferRef>? {
        guard let place = place(bytes), let start = place.memory.baseAddress else { return nil }
        let held = Unmanaged.passRetained(place)
        let buffer = av_buffer_create(
            start.assumingMemoryBound(to: UInt8.self), bytes,
            { held, _ in if let held { Unmanaged<FrameStore.Place>.fromOpaque(held).release() } }, held.toOpaque(), 0)
        if buffer == nil { held.release() }
        return buffer
    }
}
