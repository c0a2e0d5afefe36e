import AetherCore
import AetherMedia

/// The state that the control task publishes for `AetherEngine.snapshot()`, besides what is measured at the moment of asking.
struct PublishedState: Sendable {
    var snapshot = EngineSnapshot()
    var session: PlaybackSession?
    /// The source is open, or cannot be.
    var openOutcome: Result<EngineSnapshot, MediaError>?
    /// Counts loads, so that words about an earlier one are recognised.
    var load = 0
    /// The news that was not taken yet.
    var news: [PlaybackNews] = []
    /// The devices that audio could be sent to, by the last answer; nil before the first.
    var audioDevices: [AudioDeviceHint]?
}
