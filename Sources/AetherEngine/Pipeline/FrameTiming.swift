import AetherCore

/// Gives every decoded frame a beginning and an end, whatever the container says. Pure.
///
/// A frame without a time stamp follows the one before by the cadence; one that is not later than the one before (a broken
/// file) is moved behind it, so that time does not stand or run back inside an epoch. Only where frames jumped forward by more than
/// ten seconds and are back before ten seconds have passed, those were damaged: time goes on where it was, and the queue corrects
/// what still waits (`PipelineState.append`).
struct FrameTiming {
    /// 25 frames a second, until something better is known.
    private static let fallback = TimeSpan.milliseconds(40)
    /// Between two frames lies less, except where the source jumps.
    static let longestStep = TimeSpan.seconds(10)
    private let declared: TimeSpan?
    private var previous: MediaTime?
    private var lastStep: TimeSpan?
    /// Where time was before it jumped forward, and where it came to then; forgotten when it stays there.
    private var jump: (from: MediaTime, to: MediaTime)?
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
        jump = nil
    }

    /// The frame's place. `origin` is used for a first frame without a time stamp.
    mutating func place(pts: MediaTime?, duration: TimeSpan?, origin: MediaTime) -> (pts: MediaTime, end: MediaTime) {
        let step = sane(duration) ?? declared ?? lastStep ?? Self.fallback
        let start: MediaTime
        switch (pts, previous) {
        case (let pts?, let previous?) where pts > previous:
            start = pts
            lastStep = sane(pts - previous) ?? lastStep
            noteJump(to: pts, after: previous)
        case (let pts?, nil):
            start = pts
        case (let pts?, _?) where isBack(pts):
            repaired += 1
            start = pts
            jump = nil
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

    private mutating func noteJump(to pts: MediaTime, after previous: MediaTime) {
        if pts - previous > Self.longestStep {
            jump = (jump?.from ?? previous, pts)
        } else if let jump, pts - jump.to > Self.longestStep {
            self.jump = nil
        }
    }

    private func isBack(_ pts: MediaTime) -> Bool {
        jump.map { pts > $0.from && pts - $0.from <= Self.longestStep } ?? false
    }

    /// Durations of files are guesses: nothing under a millisecond or over ten seconds is believed.
    private func sane(_ span: TimeSpan?) -> TimeSpan? {
        span.flatMap { $0 >= .milliseconds(1) && $0 <= .seconds(10) ? $0 : nil }
    }
}
