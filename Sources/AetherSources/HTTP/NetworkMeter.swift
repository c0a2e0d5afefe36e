public import AetherCore
import Synchronization

/// Counts the transfers of all readers of one source, and tells how they are getting on. Any thread; never blocks.
public final class NetworkMeter: Sendable {
    /// A change that a person may want to see.
    public enum News: Sendable, Equatable {
        /// A request has come so far.
        case step(ConnectionStep)
        /// The server is asked again after a failure; nil: bytes come again, or it was given up.
        case reconnecting(ReconnectAttempt?)
    }

    private struct State {
        var figures = NetworkFigures()
        var link = LinkSampler()
        var log = RequestLog()
        /// By the readers that wait.
        var attempts: [Int: ReconnectAttempt] = [:]
        var nextReader = 0

        /// The one that has waited longest says it for all.
        var attempt: ReconnectAttempt? { attempts.values.max { $0.number < $1.number } }
    }

    private let state = Mutex(State())
    /// Counted with each piece of 16 KB, and so without the lock.
    private let bytes = Atomic<Int64>(0)
    private let changed: @Sendable (News) -> Void

    /// `changed` is called from readers' threads and the thread `net`; it must not block.
    public init(changed: @escaping @Sendable (News) -> Void = { _ in }) { self.changed = changed }

    /// The counts by now.
    public var figures: NetworkFigures {
        var figures = state.withLock { $0.figures }
        figures.bytes = bytes.load(ordering: .relaxed)
        return figures
    }

    /// The last 64 requests, the oldest first.
    public var requests: [NetworkRequest] { state.withLock { $0.log.requests } }

    /// A request is made.
    func began(_ transfer: Int, _ name: String, offset: Int64?, now: HostTime) {
        state.withLock {
            $0.figures.requests += 1
            $0.log.begin(transfer, name, offset: offset, now: now)
        }
    }

    /// Its answer begins.
    func answered(_ transfer: Int, status: Int, connections: Int, after span: TimeSpan?, now: HostTime) {
        state.withLock {
            $0.figures.connections += connections
            $0.figures.firstByte = span ?? $0.figures.firstByte
            $0.log.answer(transfer, status: status, now: now)
        }
    }

    /// Nobody waits for the rest of it.
    func dropped(_ transfer: Int, now: HostTime) { state.withLock { $0.log.end(transfer, isDropped: true, now: now) } }

    /// A number for a reader that is counted here.
    func enter() -> Int {
        state.withLock {
            $0.nextReader += 1
            return $0.nextReader
        }
    }

    /// Counts something.
    func count(_ change: (inout NetworkFigures) -> Void) { state.withLock { change(&$0.figures) } }

    /// The samples of the link since the last call.
    public func takeLinkSamples() -> [LinkSample] { state.withLock { $0.link.take() } }

    /// Counts bytes of a body.
    func received(_ count: Int) { bytes.wrappingAdd(Int64(count), ordering: .relaxed) }

    /// Measures the link by bytes that came at one stroke, the last of them now.
    func arrived(_ arrival: HTTPReading.Arrival, of transfer: Int, now: HostTime) {
        state.withLock { state in
            state.link.received(arrival.first, of: transfer, now: arrival.since)
            state.log.receive(transfer, arrival.first + arrival.rest)
            if arrival.rest > 0 { state.link.received(arrival.rest, of: transfer, now: now) }
        }
    }

    /// A transfer waits for its reader.
    func paused(_ transfer: Int) { state.withLock { $0.link.paused(transfer) } }

    /// A transfer has ended.
    func ended(_ transfer: Int, _ end: TransferEnd, now: HostTime) {
        let trouble = if case .failed(let fault) = end { fault.sentence } else { "" }
        state.withLock {
            $0.link.ended(transfer)
            $0.log.end(transfer, trouble: trouble, now: now)
        }
    }

    /// A request has come so far.
    func reached(_ step: ConnectionStep) { changed(.step(step)) }

    /// A reader waits for its server, or does so no longer.
    func set(_ attempt: ReconnectAttempt?, of reader: Int) {
        let news: News? = state.withLock { state in
            let before = state.attempt
            if let attempt, state.attempts[reader] != attempt { state.figures.retries += 1 }
            state.attempts[reader] = attempt
            return state.attempt == before ? nil : .reconnecting(state.attempt)
        }
        if let news { changed(news) }
    }
}
