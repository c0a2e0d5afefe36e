import AetherCore
import Synchronization

/// One server's failures, shared by all its readers: several requests that one outage hits are one failure, and no reader asks before the time at
/// which the server wants to be asked again. Each reader has a patience of its own. Pure.
struct OriginLadder: Sendable {
    private var readers: [Int: RetryLadder] = [:]
    /// Failures in a row, of whichever reader.
    private var rung = 0
    private var failedAt: HostTime?
    private var pauseEnd: HostTime?
    /// The server's own wish to be left alone.
    private var wish: (fault: NetworkFault, end: HostTime)?

    /// How often in a row a reader's requests have failed.
    func attempts(of reader: Int) -> Int { readers[reader]?.attempt ?? 0 }

    /// Bytes came: what failed before is forgotten.
    mutating func progress(of reader: Int) {
        readers[reader] = nil
        (rung, failedAt, pauseEnd, wish) = (0, nil, nil, nil)
    }

    /// A reader asks no more.
    mutating func leave(_ reader: Int) { readers[reader] = nil }

    /// The machine slept: what failed before says nothing about now.
    mutating func wake() { self = OriginLadder() }

    /// When a reader may make its first request, or one for another place. Throws the fault of a server that wants to be left alone for longer
    /// than the reader waits.
    func start(_ patience: RetryLadder.Patience, now: HostTime) throws(NetworkFault) -> HostTime {
        guard let wish, wish.end > now else { return now }
        if wish.end - now > patience.span { throw wish.fault }
        return wish.end
    }

    /// When a reader's request is made again after a failure; nil: not at all. `asked`: when the failed one was made. `jitter` 0 ..< 1.
    mutating func next(
        after fault: NetworkFault, of reader: Int, asked: HostTime, _ patience: RetryLadder.Patience, now: HostTime,
        jitter: Double
    ) -> HostTime? {
        let isKnown = failedAt.map { asked < $0 } ?? false
        if let rest = fault.retryAfter, wish.map({ $0.end < now + rest }) ?? true { wish = (fault, now + rest) }
        var ladder = readers[reader] ?? RetryLadder()
        guard let own = ladder.next(after: fault, patience, rung: isKnown ? rung - 1 : rung, now: now, jitter: jitter) else {
            readers[reader] = nil
            // No reader waits any more: the next one has seen no failure.
            if readers.isEmpty { (rung, failedAt, pauseEnd) = (0, nil, nil) }
            return nil
        }
        readers[reader] = ladder
        if isKnown, let pauseEnd { return max(now, pauseEnd) }
        rung += 1
        (failedAt, pauseEnd) = (now, own)
        return own
    }
}

/// A server's ladder, where its readers find it.
final class OriginRecord: Sendable {
    let ladder = Mutex(OriginLadder())
    let brake = Mutex(RateBrake())
    /// Of all servers.
    let ranges: RangeRecord
    private let nextReader = Atomic(1)
    private let digest = Atomic(false)

    init(ranges: RangeRecord = RangeRecord()) { self.ranges = ranges }

    /// The server wants names and passwords proved by a digest.
    var usesDigest: Bool {
        get { digest.load(ordering: .relaxed) }
        set { digest.store(newValue, ordering: .relaxed) }
    }

    /// A number for a reader.
    func enter() -> Int { nextReader.wrappingAdd(1, ordering: .relaxed).oldValue }
}
