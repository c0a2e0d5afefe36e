public import AetherCore

/// A surface that takes frames and forgets them: the floor of every measurement, and sound without a picture.
public final class NullVideoSink: VideoSink {
    private let record: SinkRecord
    private let box: PixelSize?

    /// `box` is the raster to fit into, nil for the stream's own size.
    public init(box: PixelSize? = nil, time: any TimeSource = SystemTime()) {
        self.box = box
        record = SinkRecord(renderer: "null", time: time)
    }

    public var demand: RasterDemand { RasterDemand(box: box, pixelAspect: 1) }
    public var lead: TimeSpan { .zero }
    public func flush(_ epoch: Epoch) {}
    public func clear() {}
    public var lastShown: ShownFrame? { record.lastShown }
    public var statistics: SinkStatistics { record.statistics }
    public func show(_ frame: VideoFrame) { record.note(frame) }
}
