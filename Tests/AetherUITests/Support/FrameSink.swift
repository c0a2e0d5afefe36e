import AetherCore
import AetherEngine

/// A surface that keeps the last picture it was given.
final class FrameSink: VideoSink {
    let demand: RasterDemand
    private let last = Monitor<VideoFrame?>(nil)

    init(_ demand: RasterDemand) { self.demand = demand }

    var picture: VideoFrame? { last.read { $0 } }
    var lead: TimeSpan { .zero }
    var lastShown: ShownFrame? {
        picture.map { ShownFrame(pts: $0.pts, epoch: $0.epoch, shownAt: $0.due, due: $0.due) }
    }
    var statistics: SinkStatistics { SinkStatistics() }
    func show(_ frame: VideoFrame) { last.update { $0 = frame } }
    func flush(_ epoch: Epoch) {}
    func clear() {}
}
