import AetherCore

/// The wishes of the rest of the pipeline for audio, all of them at one moment.
struct AudioIntent: Sendable {
    let isStopped: Bool
    let epoch: Epoch
    let stream: StreamID?
    let clockRuns: Bool
    let settings: PlaybackSettings
    let device: String?
    let revision: Int
    let landing: MediaTime?

    /// Taken out of the pipeline's state.
    init(_ state: PipelineState) {
        (isStopped, epoch, stream, clockRuns) = (state.isStopped, state.epoch, state.activeAudio, state.clockRuns)
        (settings, device) = (state.settings, state.audioDevice)
        (revision, landing) = (state.soundRevision, state.landing)
    }
}
