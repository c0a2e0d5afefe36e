public import AetherCore

/// Decides when a decoded frame is handed to the surface. Pure: time is an argument.
///
/// A frame is late only when its end has passed. It is never dropped when it is the first after a flush, when none waits behind it (the
/// newest there is, and perhaps the last of the file, at which it stands), or when nothing was shown for 100 ms: a slow machine shows
/// ten frames a second rather than none.
public struct FramePacer: Sendable {
    /// The decision on the frame at the head of the queue.
    public enum Decision: Sendable, Equatable {
        /// Hand the frame over now; it is to be visible at this time.
        case show(due: HostTime)
        /// Look again at this time.
        case wait(until: HostTime)
        /// The clock stands and the frame is not due: wait for a change.
        case hold
        /// The end of the frame has passed.
        case drop
    }

    /// The longest time a frame may stand while frames are dropped.
    public static let longestStandstill = TimeSpan.milliseconds(100)

    private var epoch = Epoch()
    private var hasShown = false
    private var lastShown = HostTime(nanoseconds: 0)
    /// It took longer for the last frame than one may stand: frames that can be had in that time are to be waited for, even by the newest.
    private(set) var isSurfaceSlow = false

    /// A pacer that has shown nothing.
    public init() {}

    /// Decides for the frame at the head. `isNewest`: none waits behind it; `clock` is nil before the epoch has landed; `lead` is how much
    /// earlier than due the surface wants a frame; `untimed` shows everything at once.
    public mutating func decide(
        pts: MediaTime, end: MediaTime, epoch: Epoch, isNewest: Bool, clock: ClockAnchor?, lead: TimeSpan, now: HostTime,
        untimed: Bool = false
    ) -> Decision {
        if epoch != self.epoch {
            self.epoch = epoch
            hasShown = false
        }
        if untimed || !hasShown { return show(due: now, now: now) }
        guard let clock else { return .hold }
        guard let due = clock.host(of: pts) else {
            // The clock stands: only what should already be on screen may appear.
            return pts <= clock.media ? show(due: now, now: now) : .hold
        }
        if due - lead > now { return .wait(until: due - lead) }
        if !isNewest, let over = clock.host(of: end), over < now, now - lastShown < Self.longestStandstill { return .drop }
        return show(due: due, now: now)
    }

    /// The surface has taken the frame that it was given last. Where that took longer than a frame may stand, the late ones behind it are
    /// dropped for half of that time at least: video would fall behind without end.
    public mutating func finished(at now: HostTime) {
        isSurfaceSlow = now - lastShown >= Self.longestStandstill
        if isSurfaceSlow { lastShown = now - Self.longestStandstill.scaled(by: 0.5) }
    }

    private mutating func show(due: HostTime, now: HostTime) -> Decision {
        hasShown = true
        lastShown = now
        return .show(due: due)
    }
}
