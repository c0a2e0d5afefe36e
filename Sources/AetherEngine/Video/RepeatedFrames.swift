import AetherCore

/// The frames that a stream has twice, where it goes on in another quality with packets of a time that the decoder was given in the former one: each is
/// shown once.
struct RepeatedFrames {
    /// The newest frame that was handed on.
    private var newestOut: MediaTime?
    /// The newest packet that the decoder was given in this quality.
    private var newestSent: MediaTime?
    /// Frames up to here were handed on in the former quality: those of the new one are only decoded.
    private var coveredUntil: MediaTime?
    /// While the former decoder is emptied: its frames from here on are left out, since some of their packets were not given to it.
    private var comesAgainFrom: MediaTime?

    mutating func noteSent(_ pts: MediaTime) { newestSent = max(newestSent ?? pts, pts) }
    mutating func noteOut(_ pts: MediaTime) { newestOut = max(newestOut ?? pts, pts) }

    /// The time from which on the packets of another quality, the first of which is at `pts`, are repeated; nil where they follow on.
    func start(of pts: MediaTime?) -> MediaTime? {
        guard let pts, let newestSent, pts <= newestSent else { return nil }
        return pts
    }

    /// The decoder of the former quality is emptied, up to `endEmptying`.
    mutating func beginEmptying(from start: MediaTime?) { comesAgainFrom = start }
    mutating func endEmptying() { comesAgainFrom = nil }

    /// Packets of another quality follow, repeated from `start` on; nil: they follow on.
    mutating func change(from start: MediaTime?) {
        coveredUntil = start == nil ? nil : newestOut
        newestSent = nil
    }

    /// Whether a frame that came out of the decoder was, or will be, shown in the other quality.
    mutating func isRepeated(_ pts: MediaTime?) -> Bool {
        guard let pts else { return false }
        if let comesAgainFrom, pts >= comesAgainFrom - .milliseconds(1) { return true }
        guard let coveredUntil else { return false }
        if pts <= coveredUntil + .milliseconds(1) { return true }
        self.coveredUntil = nil
        return false
    }

    /// Whether a packet's frame is only decoded for those behind it.
    func covers(_ pts: MediaTime?) -> Bool {
        guard let coveredUntil, let pts else { return false }
        return pts <= coveredUntil
    }
}
