public import AetherCore
import Synchronization

/// A surface that takes frames and forgets them: the floor of every measurement, and sound without a picture.
public final class NullVideoSink: VideoSink {
    private struct State {
        var shown: ShownFrame?
        var statistics = SinkStatistics()
    }
    private let state = Mutex(State())
    private let box: PixelSize?
    private let time: any TimeSource

    /// `box` is the raster to fit into, nil for the stream's own size.
    public init(box: PixelSize? = nil, time: any TimeSource = SystemTime()) {
        self.box = box
        self.time = time
        state.withLock { $0.statistics.renderer = "null" }
    }

    public var demand: RasterDemand { RasterDemand(box: box, pixelAspect: 1) }
    public var lead: TimeSpan { .zero }
    public func flush(_ epoch: Epoch) {}
    public func clear() {}
    public var lastShown: ShownFrame? { state.withLock { $0.shown } }
    public var statistics: SinkStatistics { state.withLock { $0.statistics } }

    public func show(_ frame: VideoFrame) {
        let now = time.now()
        state.withLock {
            $0.shown = ShownFrame(pts: frame.pts, epoch: frame.epoch, shownAt: now, due: frame.due)
            $0.statistics.framesShown += 1
        }
    }
}
