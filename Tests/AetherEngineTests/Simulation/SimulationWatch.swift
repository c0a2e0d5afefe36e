import AetherCore
import AetherMedia

@testable import AetherEngine

extension SimulatedPlay {
    /// The invariants of every moment of playing.
    struct Watch {
        private var epoch = Epoch()
        private var heard: MediaTime?
        private var line: ClockAnchor?
        private var pendingSince: HostTime?
        private var movedAt: HostTime
        private var place: MediaTime?
        private var isStepping = false
        /// The source is over, by its end or by its faults.
        private(set) var isOver = false

        /// Longer than any fault lasts, one behind the other.
        static let patience = TimeSpan.seconds(60)

        init(now: HostTime) { movedAt = now }

        /// Frames are stepped through from now on.
        mutating func noteStep() { isStepping = true }

        /// Looks at a session and returns what is wrong.
        mutating func look(
            _ session: PlaybackSession, _ snapshot: EngineSnapshot, now: HostTime, isGone: Bool
        ) -> [String] {
            var faults: [String] = []
            let (bytes, kept, limit, frames) = session.pipeline.state.read {
                ($0.byteCount, $0.packets.cache.keptBytes, $0.packets.cache.limit, $0.frames.count)
            }
            // The packet that goes over the limit is held, too.
            if bytes + kept > limit + (1 << 20) { faults.append("\(bytes) + \(kept) bytes are held of \(limit)") }
            if frames > FrameQueue.limit + 1 { faults.append("\(frames) frames wait") }
            faults += clock(session, snapshot, now)
            if snapshot.seekTarget == nil { pendingSince = nil } else { pendingSince = pendingSince ?? now }
            if let since = pendingSince, now - since > Self.patience { faults.append("a seek hangs since \(since.nanoseconds)") }
            switch snapshot.phase {
            case .playing, .rebuffering, .stalled, .seeking, .loading:
                let position = session.synchronizer.time(at: now)
                if position != place || isGone { (place, movedAt) = (position, now) }
                if now - movedAt > Self.patience { faults.append("it stands since \(movedAt.nanoseconds): \(snapshot.phase)") }
                isOver = false
            case .error: isOver = true
            case .idle, .paused, .ended: movedAt = now
            }
            if !faults.isEmpty { isOver = true }
            return faults
        }

        /// The clock never goes back within an epoch, but to the end of the source, and to the frame of a single step.
        private mutating func clock(
            _ session: PlaybackSession, _ snapshot: EngineSnapshot, _ now: HostTime
        ) -> [String] {
            guard let line = session.synchronizer.anchor(epoch: snapshot.epoch) else {
                heard = nil
                return []
            }
            let time = line.time(at: now)
            // Playing on behind steps begins with a seek.
            if snapshot.epoch != epoch { isStepping = false }
            defer { (epoch, heard, self.line) = (snapshot.epoch, time, line) }
            guard snapshot.epoch == epoch, let heard, heard - time > .milliseconds(1) else { return [] }
            // A single step puts it at the frame that is shown.
            if isStepping { return [] }
            // The threads hear of the end of the source after it: then the clock is put there.
            if line.rate == 0, let end = Self.end(of: session.info), (line.media - end).magnitude < .milliseconds(100) {
                return []
            }
            let lines = "\(describe(self.line)), then \(describe(line))"
            return ["the clock goes back by \((heard - time).seconds) s at \(now.nanoseconds): \(lines)"]
        }

        private static func end(of info: SourceInfo?) -> MediaTime? {
            guard let info, let duration = info.duration else { return nil }
            return info.startTime + duration
        }

        private func describe(_ line: ClockAnchor?) -> String {
            line.map { "\($0.media.seconds) at \($0.host.nanoseconds / 1_000_000) ms by \($0.rate)" } ?? "none"
        }
    }
}
