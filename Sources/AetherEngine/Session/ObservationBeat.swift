import AetherCore
import Synchronization

/// Calls once after a span of time, however often it is asked meanwhile. Any thread; never blocks.
final class ObservationBeat: Sendable {
    private let span: TimeSpan
    private let wait: @Sendable (TimeSpan) async -> Void
    private let isWaiting = Mutex(false)

    /// `wait` takes the span; by default that of the system's clock.
    init(every span: TimeSpan, wait: @escaping @Sendable (TimeSpan) async -> Void = ObservationBeat.sleep) {
        (self.span, self.wait) = (span, wait)
    }

    /// Calls `body` when the span is over, unless it is under way already.
    func next(_ body: @escaping @Sendable () -> Void) {
        let isFirst = isWaiting.withLock { isWaiting in
            defer { isWaiting = true }
            return !isWaiting
        }
        guard isFirst else { return }
        Task { [self] in
            await wait(span)
            isWaiting.withLock { $0 = false }
            body()
        }
    }

    private static func sleep(_ span: TimeSpan) async {
        do {
            try await Task.sleep(for: .nanoseconds(span.nanoseconds))
        } catch {
            // Only a task that was cancelled wakes early, and nobody has this one.
            return
        }
    }
}
