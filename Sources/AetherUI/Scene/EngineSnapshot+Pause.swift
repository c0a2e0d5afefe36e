import AetherEngine

extension EngineSnapshot {
    /// A source stands because the person has paused it.
    var isPaused: Bool {
        switch phase {
        case .paused: true
        case .loading, .seeking: !wantsToPlay
        case .idle, .playing, .rebuffering, .stalled, .ended, .error: false
        }
    }
}
