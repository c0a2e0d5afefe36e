import AetherCore
import AetherSources
import Synchronization

extension PlaybackSession {
    /// The figures of reading web servers; nil for a source that asks none.
    var networkFigures: NetworkFigures? {
        let figures = meter.figures
        return figures.requests > 0 ? figures : nil
    }

    /// How far the buffer is filled, where playing waits for it.
    func bufferFill(_ phase: PlaybackPhase, now: HostTime) -> BufferFill? {
        switch phase {
        case .rebuffering, .stalled:
            let (span, needed, epoch) = pipeline.state.read {
                ($0.forwardBuffer ?? .zero, $0.intent.buffer.reserve, $0.intent.epoch)
            }
            return filling.withLock { $0.note(span, of: needed, epoch: epoch, now: now) }
        case .idle, .loading, .playing, .paused, .seeking, .ended, .error:
            filling.withLock { $0.reset() }
            return nil
        }
    }
}
