public import AetherCore

/// A surface that takes frames and forgets them: the floor of every measurement, and audio without video.
public final class NullVideoSink: VideoSink {
    private let record: SinkRecord
    private let box: PixelSize?

    /// `box` is the raster to fit into, nil for the stream's own size.
    public init(box: PixelSize? = nil, time: any TimeSource = SystemTime()) {
        self.box = box
        record = SinkRecord(renderer: "null", time: time)
    }

    /// The box that the sink was made with, in square pixels.
    public var demand: RasterDemand { RasterDemand(box: box, pixelAspect: 1) }
    /// Zero: a frame is shown as soon as it is handed over.
    public var lead: TimeSpan { .zero }
    /// Does nothing: no frame waits here.
    public func flush(_ epoch: Epoch) {}
    /// Does nothing: there is no screen.
    public func clear() {}
    /// The last frame that was handed over.
    public var lastShown: ShownFrame? { record.lastShown }
    /// The number of frames; no cost of drawing.
    public var statistics: SinkStatistics { record.statistics }
    /// Takes note of the frame and drops its pixels. Never blocks.
    public func show(_ frame: VideoFrame) { record.note(frame) }
}
