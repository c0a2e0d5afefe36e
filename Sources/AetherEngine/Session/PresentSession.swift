import Synchronization

/// The session that plays a source now: the first one, then those that repeat it. Does not keep it. Any thread.
final class PresentSession: Sendable {
    private struct Reference: Sendable {
        weak var session: PlaybackSession?
    }
    private let reference = Mutex(Reference())

    /// nil once all of them have ended.
    var session: PlaybackSession? {
        get { reference.withLock { $0.session } }
        set { reference.withLock { $0.session = newValue } }
    }
}
