import AetherCore
import Synchronization

/// The record of the frames that a sink without a screen was given: the last one, and how many there were. Any thread.
final class SinkRecord: Sendable {
    private struct State {
        var shown: ShownFrame?
        var statistics = SinkStatistics()
    }
    private let state = Mutex(State())
    private let time: any TimeSource

    /// Nothing shown yet; `renderer` is the sink's name in the statistics.
    init(renderer: String, time: any TimeSource) {
        self.time = time
        state.withLock { $0.statistics.renderer = renderer }
    }

    var lastShown: ShownFrame? { state.withLock { $0.shown } }
    var statistics: SinkStatistics { state.withLock { $0.statistics } }

    /// Counts a frame as shown now.
    func note(_ frame: VideoFrame) {
        let now = time.now()
        state.withLock {
            $0.shown = ShownFrame(pts: frame.pts, epoch: frame.epoch, shownAt: now, due: frame.due)
            $0.statistics.framesShown += 1
        }
    }
}
