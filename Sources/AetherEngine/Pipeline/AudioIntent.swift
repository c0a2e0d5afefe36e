import AetherCore

/// The wishes of the rest of the pipeline for audio, all of them at one moment.
struct AudioIntent: Sendable {
    let isStopped: Bool
    let epoch: Epoch
    let stream: StreamID?
    let clockRuns: Bool
    let rate, volume: Double
    let isMuted: Bool
    let equalizer: EqualizerCurve
    let delay: TimeSpan
    let device: String?
    let revision: Int
    let landing: MediaTime?

    /// Taken out of the pipeline's state.
    init(_ state: PipelineState) {
        (isStopped, epoch, stream, clockRuns) = (state.isStopped, state.epoch, state.activeAudio, state.clockRuns)
        (rate, volume, isMuted, equalizer) = (state.rate, state.volume, state.isMuted, state.equalizer)
        (delay, device, revision, landing) = (state.soundDelay, state.audioDevice, state.soundRevision, state.landing)
    }
}
