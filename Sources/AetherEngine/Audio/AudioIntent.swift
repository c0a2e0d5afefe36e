import AetherCore

/// The wishes of the rest of the pipeline for audio, all of them at one moment.
struct AudioIntent: Sendable {
    let isStopped: Bool
    let epoch: Epoch
    let stream: StreamID?
    let clockRuns: Bool
    let settings: PlaybackSettings
    /// The rate at which media time passes.
    let rate: Double
    let device: String?
    let revision: Int
    let landing: MediaTime?

    /// Taken out of the pipeline's state.
    init(_ state: PipelineState) {
        let intent = state.intent
        (isStopped, epoch, stream, clockRuns) = (intent.isStopped, intent.epoch, intent.activeAudio, intent.clockRuns)
        (settings, rate, device) = (intent.settings, intent.rate, intent.audioDevice)
        (revision, landing) = (intent.audioRevision, state.output.landing)
    }
}

/// The part of the intent that audio is decoded for. With another one, what was decoded is of no use.
struct AudioGeneration: Sendable {
    let epoch: Epoch
    let stream: StreamID?
    let revision: Int

    /// Something else is wanted by now, or nothing more.
    func isOutdated(by intent: PlaybackIntent) -> Bool {
        intent.isStopped || intent.epoch != epoch || intent.activeAudio != stream || intent.audioRevision != revision
    }
}
