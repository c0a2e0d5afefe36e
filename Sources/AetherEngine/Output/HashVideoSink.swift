public import AetherCore
import Synchronization

/// A surface that shows nothing and hashes every frame: proves a pipeline without a terminal.
public final class HashVideoSink: VideoSink {
    private struct State {
        var shown: ShownFrame?
        var statistics = SinkStatistics()
    }
    private let state = Mutex(State())
    private let box: PixelSize?
    private let time: any TimeSource
    private let onFrame: @Sendable (MediaTime, UInt64) -> Void

    /// `box` is the raster to fit into, nil for the stream's own size. `onFrame` gets each frame's time and hash, on the `pace` thread.
    public init(box: PixelSize? = nil, time: any TimeSource = SystemTime(), onFrame: @escaping @Sendable (MediaTime, UInt64) -> Void) {
        self.box = box
        self.time = time
        self.onFrame = onFrame
        state.withLock { $0.statistics.renderer = "hash" }
    }

    public var demand: RasterDemand { RasterDemand(box: box, pixelAspect: 1) }
    public var lead: TimeSpan { .zero }
    public func flush(_ epoch: Epoch) {}
    public func clear() {}
    public var lastShown: ShownFrame? { state.withLock { $0.shown } }
    public var statistics: SinkStatistics { state.withLock { $0.statistics } }

    public func show(_ frame: VideoFrame) {
        onFrame(frame.pts, Self.hash(frame.image))
        let now = time.now()
        state.withLock {
            $0.shown = ShownFrame(pts: frame.pts, epoch: frame.epoch, shownAt: now, due: frame.due)
            $0.statistics.framesShown += 1
        }
    }

    /// FNV-1a over the size and the pixels (Fowler, Noll, Vo; 64 bit), one pixel a step.
    public static func hash(_ image: RasterImage) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ value: UInt32) { hash = (hash ^ UInt64(value)) &* 0x100_0000_01b3 }
        add(UInt32(truncatingIfNeeded: image.width))
        add(UInt32(truncatingIfNeeded: image.height))
        image.pixels.withUnsafeBufferPointer { for pixel in $0 { add(pixel) } }
        return hash
    }
}
