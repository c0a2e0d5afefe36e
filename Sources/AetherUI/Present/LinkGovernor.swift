import AetherCore
import AetherRender
import AetherTerminal

/// Keeps the image on time on any link: says when a frame may be drawn, how many bytes it may have, and how much detail is
/// asked of the engine.
///
/// The far buffers of ssh and networks take whatever is written and show it late, so what counts is what has been answered for.
/// The queue on the way is kept shorter than one frame's time. Pure: time is an argument.
struct LinkGovernor: Equatable {
    /// The answer to whether a frame may be drawn now.
    enum Permit: Equatable {
        case draw
        /// Wait for an answer of the terminal, or for this moment.
        case wait(until: HostTime?)
    }

    private(set) var ladder: DetailLadder
    private var ceiling: RateCeiling?
    /// Time from frame to frame.
    private(set) var interval = TimeSpan.milliseconds(42)
    private var lastDue: HostTime?
    private var lastDrawnDue: HostTime?
    /// The time at which the last dropped frame is the one that stands; nil where none was dropped.
    private(set) var standsAt: HostTime?
    private var lastBudget: Int?
    private var slowStart = LinkGovernor.firstFrame
    /// Whether the link takes far more than is sent.
    private(set) var isAmple = false
    private var ampleSince: HostTime?
    /// The bytes of a full frame of pixels.
    private var fullPixelBytes = 0

    /// A frame on a link that nothing is known of: 64 KB take 0.26 s at 250 KB/s. Doubles with every frame that is answered for.
    static let firstFrame = 65_536
    /// Share of the link that frames may use: the rest is for keys, answers, and for catching up.
    private static let share = 0.95
    /// Frame times that a frame may have to wait for the ones ahead of it.
    private static let longestWait = 0.75
    /// Share of a frame's time in which a link must take a full frame to be called ample. Twice that loses the name again. What is
    /// measured of a fast link is mostly how soon two busy processes get a core: an eighth was lost every other second.
    private static let ampleShare = 0.25
    private static let ampleAfter = TimeSpan.milliseconds(500)
    /// A link that takes more than this in a frame's time is no limit: no renderer sends as much.
    private static let boundless = 6_000_000.0

    /// A governor at the top of the ladder; `maximumRate` in bytes a second.
    init(_ means: DetailLadder.Means, maximumRate: Int? = nil) {
        ladder = DetailLadder(means)
        ceiling = maximumRate.map { RateCeiling(rate: Double($0)) }
    }

    /// Whether a frame may be drawn now.
    mutating func permit(_ meter: LinkMeter, at now: HostTime) -> Permit {
        if var bucket = ceiling {
            defer { ceiling = bucket }
            if bucket.budget(interval: interval, at: now) == 0 { return .wait(until: bucket.nextFrame(after: now)) }
        }
        guard meter.questionsOpen > 0 else { return .draw }
        guard meter.drainRate != nil else {
            return meter.questionsOpen < 2 ? .draw : .wait(until: meter.nextExpiry)
        }
        // A frame that was reckoned to be through and was not answered for is late, and it is unknown how late: a link that stalls must not
        // be filled with images meanwhile. Two frames more than its round trip holds may be open.
        let trips = (meter.roundTrip ?? .zero).seconds / frameTime.seconds
        guard Double(meter.questionsOpen) <= trips + 2 else { return .wait(until: meter.nextExpiry) }
        let backlog = meter.backlog(at: now), limit = frameTime.scaled(by: Self.longestWait)
        if backlog <= limit { return .draw }
        return .wait(until: [now + (backlog - limit), meter.nextExpiry].compactMap { $0 }.min())
    }

    /// Bytes that the next frame may have; nil for no limit.
    mutating func budget(_ meter: LinkMeter, at now: HostTime) -> Int? {
        let interval = frameTime
        var budget: Int?
        if let rate = meter.drainRate {
            // Frames are handed over a little early, so a quarter of a frame's time of waiting is no sign of anything; beyond it half
            // of the excess is taken off, so that the queue settles there and does not swing.
            let wait = meter.backlog(at: now).seconds / interval.seconds
            let share = min(Self.share, max(0.3, 1 - 0.5 * max(0, wait - 0.25)))
            let room = rate * interval.seconds * share
            budget = room > Self.boundless ? nil : Int(max(2048, room))
        } else if meter.asks {
            budget = slowStart
            slowStart = min(slowStart * 2, 1 << 24)
        }
        if var bucket = ceiling {
            let allowed = bucket.budget(interval: interval, at: now)
            ceiling = bucket
            budget = min(budget ?? .max, max(256, allowed))
        }
        lastBudget = budget
        return budget
    }

    /// Looks whether frames of `fullBytes` would go through the link unnoticed: so for half a second, it is ample, until it takes half of
    /// that.
    mutating func weigh(fullBytes: Int, _ meter: LinkMeter, at now: HostTime) {
        if !ladder.rung.isCells { fullPixelBytes = fullBytes }
        let share = Double(fullBytes) / max(1, (meter.drainRate ?? 0) * frameTime.seconds)
        guard ceiling == nil, share <= (isAmple ? 2 : 1) * Self.ampleShare else {
            isAmple = false
            ampleSince = nil
            return
        }
        let since = ampleSince ?? now
        ampleSince = since
        if now - since >= Self.ampleAfter { isAmple = true }
    }

    /// A new frame has come; returns whether it is to be drawn. One that is not is drawn after all at `standsAt`, unless another is taken
    /// before: a paused video sends no other.
    mutating func takes(due: HostTime, at now: HostTime) -> Bool {
        standsAt = nil
        if let lastDue {
            let gap = due - lastDue
            // Pauses, seeks and bursts say nothing about the frame rate.
            if gap > .milliseconds(4), gap < .milliseconds(250) {
                interval = interval + (gap - interval).scaled(by: 0.125)
            }
        }
        lastDue = due
        let stride = ladder.rung.stride
        if stride > 1, let lastDrawnDue {
            let gap = due - lastDrawnDue
            if gap > .zero, gap < interval.scaled(by: Double(stride) - 0.5) {
                standsAt = now + frameTime
                return false
            }
        }
        lastDrawnDue = due
        return true
    }

    /// The frame that was left out is drawn, or not wanted any more.
    mutating func settle() { standsAt = nil }

    /// A frame was handed to the writer; returns whether the rung changed.
    mutating func sent(_ statistics: EncodeStats, pixels: Int, cost: TimeSpan, at now: HostTime) -> Bool {
        ceiling?.spend(statistics.byteCount, at: now)
        return ladder.note(outcome(statistics, pixels: pixels, cost: cost), at: now)
    }

    /// The duration of a frame, with the frames that are dropped.
    private var frameTime: TimeSpan { interval.scaled(by: Double(ladder.rung.stride)) }

    private func outcome(_ statistics: EncodeStats, pixels: Int, cost: TimeSpan) -> DetailLadder.Outcome {
        if cost > frameTime.scaled(by: 0.9) { return .strained }
        // Cells that go well say nothing of pixels: back to those only where half of what they want fits.
        let isCheap =
            cost < frameTime.scaled(by: 0.45)
            && !(ladder.rung.isCells && ladder.rung.stride == 1 && (lastBudget ?? .max) < fullPixelBytes / 2)
        guard let lastBudget, statistics.byteCount > lastBudget / 2 else { return isCheap ? .easy : .fitting }
        // Mean square of a channel: 150 is 26 dB, where a smaller frame looks better than a torn one; 40 is 32 dB.
        let error = Double(statistics.squaredError) / Double(max(1, pixels * 3))
        // Pixels are steered to three quarters of their budget, cells fill theirs.
        if error > 150, statistics.byteCount > lastBudget * 3 / 5 { return .strained }
        return error < 40 && isCheap ? .easy : .fitting
    }
}
