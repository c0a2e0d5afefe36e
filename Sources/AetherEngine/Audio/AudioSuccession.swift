import AetherCore
import AetherMedia

/// Which stage the audio thread goes on with when its own session is over. One thread and one device carry the audio of both, so that
/// nothing lies between the last sample of the one and the first of the other. Any thread.
final class AudioSuccession: Sendable {
    private enum Place: Sendable {
        case open
        case offered(AudioStage)
        /// The thread has gone on, or has ended.
        case closed
    }
    private let place = Monitor(Place.open)

    /// Puts a stage next in line, in the place of another; false when the thread has gone already: then it needs one of its own.
    func offer(_ stage: AudioStage) -> Bool {
        let (isTaken, former) = place.update { place -> (Bool, AudioStage?) in
            switch place {
            case .closed: return (false, nil)
            case .open:
                place = .offered(stage)
                return (true, nil)
            case .offered(let former):
                place = .offered(stage)
                return (true, former)
            }
        }
        former?.seat.leave(threadEnds: false)
        return isTaken
    }

    /// The session that is next in line.
    var next: AudioStage? {
        place.read { if case .offered(let stage) = $0 { stage } else { nil } }
    }

    /// The thread leaves its session: what it goes on with; nil where it ends.
    func take() -> AudioStage? {
        place.update { place in
            defer { place = .closed }
            if case .offered(let stage) = place { return stage }
            return nil
        }
    }
}

/// A session's place in the audio thread: open until the thread has left the session. Any thread.
final class AudioSeat: Sendable {
    private enum Stay { case here, left, ended }
    private let stay = Monitor(Stay.here)
    private let thread = Monitor<WorkerThread?>(nil)
    private let left: @Sendable () -> Void

    /// `left` is called once, when the thread has left.
    init(left: @escaping @Sendable () -> Void = {}) { self.left = left }

    /// Which thread it is.
    func take(_ thread: WorkerThread?) { self.thread.update { $0 = thread } }

    var worker: WorkerThread? { thread.read { $0 } }

    /// The thread leaves, or will never come.
    func leave(threadEnds: Bool) {
        let isFirst = stay.update { stay -> Bool in
            guard stay == .here else { return false }
            stay = threadEnds ? .ended : .left
            return true
        }
        if isFirst { left() }
    }

    /// Blocks until the thread has left, and where it ended here until it is gone. Not for a task.
    func join() {
        let stay: Stay? = stay.wait { $0 == .here ? nil : $0 }
        if stay == .ended { worker?.join() }
    }
}
