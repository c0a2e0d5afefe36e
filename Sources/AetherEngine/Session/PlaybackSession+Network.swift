import AetherCore
import AetherSources
import Synchronization

extension PlaybackSession {
    /// The figures of reading web servers; nil for a source that asks none.
    var networkFigures: NetworkFigures? {
        let figures = meter.figures
        return figures.requests > 0 ? figures : nil
    }

    /// Chooses the quality of a stream by the session's queues, counts and transfers.
    static func adapter(
        _ options: LoadOptions, _ pipeline: Pipeline, _ counters: SessionCounters, _ meter: NetworkMeter, sink: any VideoSink,
        time: any TimeSource
    ) -> StreamAdapter {
        StreamAdapter(
            options.adaptation.within(rateLimit: options.http.rateLimit), wishes: options.variantChoice,
            decoding: StreamAdapter.decodingBudget(options.decoderThreads), time: time,
            view: {
                pipeline.state.read { $0.view }.with(
                    sink, dropped: counters.droppedLateDecode.current, shown: counters.framesHandedOver.current)
            },
            samples: { (meter.takeLinkSamples(), meter.figures.firstByte) })
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
