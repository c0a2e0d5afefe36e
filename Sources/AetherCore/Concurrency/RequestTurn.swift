import Synchronization

/// One wish while it is at work: its number, and whether its answer is still wanted.
public final class RequestTurn: Sendable {
    private struct State {
        var isDropped = false
        var interruption: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    /// Counts the wishes of one `Requests`, from 1.
    public let number: Int

    init(number: Int) { self.number = number }

    /// False once a newer wish has taken this one's place. Any thread; never blocks.
    public var isWanted: Bool { state.withLock { !$0.isDropped } }

    /// Names what breaks the work off. It is called once, at most, from the thread that drops the wish; at once where that has happened. It must not
    /// block.
    public func onDrop(_ interruption: @escaping @Sendable () -> Void) {
        let isDropped = state.withLock { state in
            if !state.isDropped { state.interruption = interruption }
            return state.isDropped
        }
        if isDropped { interruption() }
    }

    /// Breaks the work off. Not under a lock: the interruption is the worker's own.
    func drop() {
        let interruption = state.withLock { state -> (@Sendable () -> Void)? in
            state.isDropped = true
            defer { state.interruption = nil }
            return state.interruption
        }
        interruption?()
    }
}
