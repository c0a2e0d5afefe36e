import Synchronization

/// Those who want to hear what becomes of seeks: each has a stream of its own. Any thread; never blocks.
final class SeekAudience: Sendable {
    private struct State {
        var count = 0
        var listeners: [Int: AsyncStream<SeekEvent>.Continuation] = [:]
    }
    /// Who does not listen misses the oldest: twice as many as keys repeat in a second.
    private static let limit = 64
    private let state = Mutex(State())

    /// Another listener's stream, from now on.
    func listen() -> AsyncStream<SeekEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: SeekEvent.self, bufferingPolicy: .bufferingNewest(Self.limit))
        let number = state.withLock { state in
            state.count += 1
            state.listeners[state.count] = continuation
            return state.count
        }
        continuation.onTermination = { [weak self] _ in self?.leave(number) }
        return stream
    }

    func tell(_ event: SeekEvent) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
    }

    /// Ends every stream.
    func finish() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        // Outside the lock: each calls `leave`.
        for listener in listeners { listener.finish() }
    }

    private func leave(_ number: Int) { _ = state.withLock { $0.listeners.removeValue(forKey: number) } }
}
