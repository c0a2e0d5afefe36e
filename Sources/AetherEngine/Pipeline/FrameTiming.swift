import AetherCore

/// Gives every decoded frame a beginning and an end, whatever the container says. Pure.
///
/// A frame without a time stamp follows the one before by the cadence; one that is not later than the one before (a broken
/// file) is moved behind it, so that time never stands or runs back inside an epoch.
struct FrameTiming {
    /// 25 frames a second, until something better is known.
    private static let fallback = TimeSpan.milliseconds(40)
    private let declared: TimeSpan?
    private var previous: MediaTime?
    private var lastStep: TimeSpan?
    /// Frames whose time had to be made up.
    private(set) var repaired = 0

    /// `frameRate` is the container's, nil or absurd when unknown.
    init(frameRate: Double?) {
        declared = frameRate.flatMap { $0 > 0.1 && $0 < 1000 ? .seconds(1 / $0) : nil }
    }

    /// Forgets the past: a seek.
    mutating func reset() {
        previous = nil
        lastStep = nil
    }

    /// The frame's place. `origin` is used for a first frame without a time stamp.
    mutating func place(pts: MediaTime?, duration: TimeSpan?, origin: MediaTime) -> (pts: MediaTime, end: MediaTime) {
        let step = sane(duration) ?? declared ?? lastStep ?? Self.fallback
        let start: MediaTime
        switch (pts, previous) {
        case (let pts?, let previous?) where pts > previous:
            start = pts
            lastStep = sane(pts - previous) ?? lastStep
        case (let pts?, nil):
            start = pts
        case (_, let previous?):
            repaired += 1
            start = previous + step
        case (nil, nil):
            repaired += 1
            start = origin
        }
        previous = start
        return (start, start + step)
    }

    /// Durations of files are guesses: nothing under a millisecond or over ten seconds is believed.
    private func sane(_ span: TimeSpan?) -> TimeSpan? {
        span.flatMap { $0 >= .milliseconds(1) && $0 <= .seconds(10) ? $0 : nil }
    }
}
