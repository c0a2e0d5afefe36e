import AetherEngine

extension PlaybackPhase {
    /// The source has ended or failed.
    var isOver: Bool {
        switch self {
        case .ended, .error: true
        default: false
        }
    }
}
