public import AetherCore
public import Observation

/// The place in the source, for observers: while media plays they hear of it ten times a second at most, else after each change. Apart from
/// the engine's state, so that a menu is not drawn anew with each of these. Any thread; never blocks.
public final class PlaybackClock: Sendable, Observable {
    private let registrar = ObservationRegistrar()
    private let beat: ObservationBeat
    private let source: SnapshotSource

    init(_ source: SnapshotSource, beat: ObservationBeat = ObservationBeat(every: .milliseconds(100))) {
        (self.source, self.beat) = (source, beat)
    }

    /// Something has changed: observers look again.
    func renew() { registrar.withMutation(of: self, keyPath: \.sourceTime) {} }

    private var now: EngineSnapshot {
        registrar.access(self, keyPath: \.sourceTime)
        let snapshot = source.current
        if snapshot.phase == .playing { beat.next { [weak self] in self?.renew() } }
        return snapshot
    }

    /// The position in seconds since the beginning of the source.
    public var currentTime: Double { elapsed(now) }
    /// The position in seconds on the axis of the source, which need not begin at zero.
    public var sourceTime: Double { now.position.seconds }
    /// The share of the duration, 0 … 1; 0 where that is unknown.
    public var progress: Double {
        let now = now
        guard let duration = now.duration?.seconds, duration > 0 else { return 0 }
        return min(1, max(0, elapsed(now) / duration))
    }
    /// How far the media is in memory, in seconds on the axis of the source.
    public var bufferedPosition: Double { (now.bufferedPosition ?? now.position).seconds }
    /// Where a broadcast is by now, in seconds on the axis of the source.
    public var liveEdgeTime: Double { now.liveEdgeTime }
    /// Seconds behind that; 0 of what is complete.
    public var behindLiveSeconds: Double { now.behindLiveSeconds }
    /// The part of a broadcast that can be gone to; nil of what is complete.
    public var seekableLiveRange: ClosedRange<MediaTime>? { now.seekableLiveRange }
    /// The parts of the source that are held here.
    public var residentRanges: [ClosedRange<MediaTime>] { now.residentRanges }
    /// A broadcast is played where it is by now.
    public var isAtLiveEdge: Bool { now.isAtLiveEdge }

    private func elapsed(_ snapshot: EngineSnapshot) -> Double { (snapshot.position - snapshot.startTime).seconds }
}
