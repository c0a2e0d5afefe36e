public import AetherCore
import Synchronization

/// The player's time base: what is heard now, for every part that asks.
///
/// One line (`ClockAnchor`) of one epoch, replaced as a whole. The audio thread replaces it about fifty times a second from what
/// the device reports (through `PlayheadFilter`, so that the line never jumps while playing); where there is no audio it is set
/// once and follows the monotonic clock. Effects:
/// - rate: the line's slope, from the first sample heard at the new rate;
/// - pause and rebuffering: slope 0 at the point last heard;
/// - seek: no time at all until the first audio or video of the new epoch lands;
/// - end of audio: the line goes on at the nominal rate, for the frames that remain;
/// - end of media: slope 0 at the end of the last frame or sample;
/// - underrun or lost device: slope 0 at the last sample heard, until audio or the monotonic clock takes over from there.
public final class RenderSynchronizer: Sendable {
    private struct State {
        var epoch = Epoch()
        var anchor: ClockAnchor?
    }
    private let state = Mutex(State())
    private let changed: @Sendable () -> Void

    /// A clock without a time. `changed` is called after every change that moves due times by more than a millisecond, on the thread
    /// that made it.
    public init(changed: @escaping @Sendable () -> Void = {}) { self.changed = changed }

    /// The one method that moves the clock. Ignored when a newer epoch has begun.
    public func anchor(_ anchor: ClockAnchor?, epoch: Epoch) {
        let moved = state.withLock { state -> Bool in
            guard epoch >= state.epoch else { return false }
            let moved = epoch != state.epoch || Self.isDiscontinuous(from: state.anchor, to: anchor)
            state = State(epoch: epoch, anchor: anchor)
            return moved
        }
        if moved { changed() }
    }

    /// The present line of an epoch; nil before it landed or when another epoch is current.
    public func anchor(epoch: Epoch) -> ClockAnchor? {
        state.withLock { $0.epoch == epoch ? $0.anchor : nil }
    }

    /// The media time that is heard at a host time; nil before the epoch has landed.
    public func time(at host: HostTime) -> MediaTime? { state.withLock { $0.anchor }?.time(at: host) }

    private static func isDiscontinuous(from old: ClockAnchor?, to new: ClockAnchor?) -> Bool {
        guard let old, let new else { return old != new }
        // Slewing changes the slope by up to 5 %; only starting, stopping and new speeds concern a sleeper.
        let rate = old.rate(at: new.host)
        if (rate == 0) != (new.rate == 0) || abs(rate - new.rate) > 0.05 * max(rate, new.rate) { return true }
        // A speed that is to come is no news twice.
        if let bend = new.bend,
            (old.time(at: bend.host + .seconds(1)) - new.time(at: bend.host + .seconds(1))).magnitude > .milliseconds(50)
        {
            return true
        }
        return (old.time(at: new.host) - new.media).magnitude > .milliseconds(1)
    }
}
