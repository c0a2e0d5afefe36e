import Synchronization

/// The 50th, 95th and 99th percentile of a duration, in milliseconds.
public struct Percentiles: Sendable, Equatable {
    /// Milliseconds.
    public var p50, p95, p99: Double

    /// Percentiles in milliseconds.
    public init(p50: Double, p95: Double, p99: Double) {
        self.p50 = p50
        self.p95 = p95
        self.p99 = p99
    }
}

/// The last 256 durations of one stage: about ten seconds of video, enough for a p99 and small enough to sort once a second.
public final class LatencyWindow: Sendable {
    private struct Ring {
        var values = [Int64](repeating: 0, count: 256)
        var count = 0
    }
    private let ring = Mutex(Ring())

    /// An empty window.
    public init() {}

    /// Records one duration. Any thread; takes an uncontended lock.
    public func record(_ span: TimeSpan) {
        ring.withLock {
            $0.values[$0.count % $0.values.count] = span.nanoseconds
            $0.count += 1
        }
    }

    /// Percentiles of what the window holds, or nil when nothing was recorded.
    public var percentiles: Percentiles? {
        let sorted = ring.withLock { Array($0.values.prefix(min($0.count, $0.values.count))) }.sorted()
        guard !sorted.isEmpty else { return nil }
        func at(_ fraction: Double) -> Double {
            Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]) / 1e6
        }
        return Percentiles(p50: at(0.5), p95: at(0.95), p99: at(0.99))
    }

    /// Forgets everything.
    public func reset() { ring.withLock { $0.count = 0 } }
}
