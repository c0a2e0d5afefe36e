import AetherCore

/// The delay of audio behind its time stamps, for the clock. Pure.
///
/// The audio is never touched: the clock (and so the video) lies ahead of what is heard by this much. A new delay is reached by
/// letting the clock run up to 10 % faster or slower for a while, 100 ms in a second: no gap in the audio, no step of the
/// clock. A new epoch begins at the new delay.
struct AudioLag: Sendable, Equatable {
    /// The largest delay that a person may ask for, each way.
    static let limit = TimeSpan.seconds(10)
    /// Changes of more than this are not slewed but sought: video would be off for too long.
    static let longestSlew = TimeSpan.seconds(1)
    /// A glide that went past its target by less ends there; and so does one that went further than a thread is late by: the player was stopped.
    private static let tolerance = TimeSpan.milliseconds(1)
    private static let longestExcess = TimeSpan.milliseconds(100)
    /// Seconds of change in a second.
    private static let slew = 0.1

    /// The delay that was asked for.
    private(set) var target: TimeSpan
    /// The delay in force: the clock's time less that of the audio heard.
    private(set) var current: TimeSpan
    private var since: HostTime?

    init(_ delay: TimeSpan = .zero) {
        target = AudioLag.clamped(delay)
        current = target
    }

    static func clamped(_ delay: TimeSpan) -> TimeSpan { max(TimeSpan.zero - limit, min(delay, limit)) }

    /// Asks for another delay, to be reached from a moment on.
    mutating func set(_ delay: TimeSpan, at now: HostTime) {
        advance(to: now, isRunning: since != nil)
        target = AudioLag.clamped(delay)
    }

    /// A new epoch: nothing has to be slewed.
    mutating func settle() {
        current = target
        since = nil
    }

    /// Goes on to a moment, from which on the clock runs or stands; while it stands, the delay does too.
    mutating func advance(to now: HostTime, isRunning: Bool) {
        current = value(at: now)
        since = isRunning ? now : nil
    }

    /// The delay in force at a moment, from the last one on.
    func value(at now: HostTime) -> TimeSpan {
        guard let since, current != target else { return current }
        let step = (now - since).scaled(by: AudioLag.slew)
        let moved = current < target ? current + step : current - step
        let excess = current < target ? moved - target : target - moved
        // Who looks too late finds the clock beyond the target, and glides back.
        return excess > Self.longestExcess || excess > .zero && excess <= Self.tolerance ? target : moved
    }

    /// The addition to the clock's speed now.
    var slope: Double { current == target ? 0 : current < target ? AudioLag.slew : -AudioLag.slew }

    /// The time at which the target is reached, as of the last `advance`.
    var settlesAt: HostTime? {
        guard let since, current != target else { return nil }
        return since + (target - current).magnitude.scaled(by: 1 / AudioLag.slew)
    }

    /// The clock's line for a line of what is heard.
    func clock(_ heard: ClockAnchor) -> ClockAnchor {
        var line = ClockAnchor(media: heard.media + current, host: heard.host, rate: heard.rate == 0 ? 0 : heard.rate + slope)
        line.bend = heard.bend.map { ClockAnchor.Bend(host: $0.host, rate: $0.rate + slope) }
        return line
    }
}
