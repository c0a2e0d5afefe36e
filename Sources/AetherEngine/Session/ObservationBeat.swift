import AetherCore
import Synchronization

/// Calls once after a span of time, however often it is asked meanwhile. Any thread; never blocks.
final class ObservationBeat: Sendable {
    /// Calls a function after a span.
    typealias Later = @Sendable (TimeSpan, @escaping @Sendable () -> Void) -> Void

    private let span: TimeSpan
    private let later: Later
    private let isWaiting = Mutex(false)

    /// By default after a span of the system's clock.
    init(every span: TimeSpan, later: @escaping Later = ObservationBeat.sleep) { (self.span, self.later) = (span, later) }

    /// Calls `body` when the span is over, unless it is under way already.
    func next(_ body: @escaping @Sendable () -> Void) {
        let isFirst = isWaiting.withLock { isWaiting in
            defer { isWaiting = true }
            return !isWaiting
        }
        guard isFirst else { return }
        later(span) { [self] in
            isWaiting.withLock { $0 = false }
            body()
        }
    }

    @Sendable private static func sleep(_ span: TimeSpan, _ body: @escaping @Sendable () -> Void) {
        Task {
            do {
                try await Task.sleep(for: .nanoseconds(span.nanoseconds))
                body()
            } catch {
                // Only a task that was cancelled wakes early, and nobody has this one.
                return
            }
        }
    }
}
