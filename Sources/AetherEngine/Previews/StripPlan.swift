public import AetherCore

/// The points of a sparse strip's stills, in the order of taking. Pure.
struct StripPlan: Sendable, Equatable {
    let start: MediaTime
    let spacing: TimeSpan
    /// From coarse to fine, so that a strip that is not finished covers all of the file.
    let points: [MediaTime]

    /// A hundred stills are one for each of the cells that a bar has; closer than 5 s scenes repeat themselves.
    private static let most = 100
    private static let closest = TimeSpan.seconds(5)

    init(start: MediaTime, duration: TimeSpan) {
        self.start = start
        let count = min(Self.most, max(1, Int(duration.seconds / Self.closest.seconds)))
        spacing = duration.scaled(by: 1 / Double(count))
        var order: [Int] = []
        var isTaken = [Bool](repeating: false, count: count)
        var stride = 128
        while stride >= 1 {
            for index in Swift.stride(from: 0, to: count, by: stride) where !isTaken[index] {
                isTaken[index] = true
                order.append(index)
            }
            stride /= 2
        }
        points = order.map { start + duration.scaled(by: (Double($0) + 0.5) / Double(count)) }
    }
}

/// The permission to fill the strip: only while the player has time. Pure.
public struct FillPolicy: Sendable {
    private var drops: Int?
    private var calmFrom: HostTime?
    /// So long nothing may have gone wrong.
    static let calm = TimeSpan.seconds(3)
    /// So much of a stream must be held before a still of it is fetched: one that a person looks for, one of the strip.
    private static let leastAhead = TimeSpan.seconds(5), strippedAhead = TimeSpan.seconds(20)

    /// A policy that has seen nothing.
    public init() {}

    /// Takes the player's state in and says whether a still may be decoded now.
    public mutating func note(_ snapshot: EngineSnapshot, at now: HostTime) -> Bool {
        let dropped = snapshot.telemetry?.droppedFrameCount ?? 0
        let isQuiet =
            switch snapshot.phase {
            case .playing:
                dropped <= drops ?? dropped && (snapshot.telemetry?.cpuLoad ?? 0) < 1.6
                    && Self.holds(Self.strippedAhead, snapshot)
            case .paused, .ended: true
            case .idle, .loading, .seeking, .rebuffering, .stalled, .error: false
            }
        drops = dropped
        guard isQuiet else {
            calmFrom = nil
            return false
        }
        if calmFrom == nil { calmFrom = now }
        return calmFrom.map { now - $0 >= Self.calm } ?? false
    }

    /// Whether a still may be fetched from the servers of a stream now: not while what is played comes short.
    static func mayFetch(_ snapshot: EngineSnapshot) -> Bool { snapshot.phase != .playing || holds(leastAhead, snapshot) }

    /// So much is held ahead, or all that there is. A file has no variants, and gives what it has at once.
    private static func holds(_ span: TimeSpan, _ snapshot: EngineSnapshot) -> Bool {
        guard !snapshot.variants.isEmpty else { return true }
        guard let held = snapshot.bufferedPosition else { return false }
        let isComplete = snapshot.duration.map { held >= snapshot.startTime + $0 - TimeSpan.seconds(1) } ?? false
        return isComplete || held - snapshot.position >= span
    }
}
