public import AetherCore

/// A surface that shows nothing and hashes every frame: proves a pipeline without a terminal.
public final class HashVideoSink: VideoSink {
    private let record: SinkRecord
    private let box: PixelSize?
    private let onFrame: @Sendable (MediaTime, UInt64) -> Void

    /// `box` is the raster to fit into, nil for the stream's own size. `onFrame` gets each frame's time and hash, on the `pace` thread.
    public init(
        box: PixelSize? = nil, time: any TimeSource = SystemTime(), onFrame: @escaping @Sendable (MediaTime, UInt64) -> Void
    ) {
        self.box = box
        self.onFrame = onFrame
        record = SinkRecord(renderer: "hash", time: time)
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

    /// Hashes the pixels and hands the hash on, on the caller's thread. Blocks for as long as the hash takes.
    public func show(_ frame: VideoFrame) {
        // First: a caller that is told of a frame and steps on from it must find it as the one that is shown.
        record.note(frame)
        onFrame(frame.pts, Self.hash(frame.image))
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
