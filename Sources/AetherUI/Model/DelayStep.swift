import AetherCore

/// One press of a key that delays audio or subtitles.
struct DelayStep {
    /// The way that a press goes; negative is earlier.
    let seconds: Double
    /// The furthest either way, in seconds.
    let limit: Double

    /// To the next multiple of the step, so that ten back and ten forward end at 0.
    func from(_ delay: TimeSpan) -> TimeSpan {
        let step = abs(seconds)
        let present = (delay.seconds / step).rounded()
        return .seconds(min(max((present + (seconds < 0 ? -1 : 1)) * step, -limit), limit))
    }

    /// "in time", "0.3 s later".
    static func text(_ delay: TimeSpan) -> String {
        guard delay != .zero else { return translated("in time") }
        let amount = Figures.decimal(abs(delay.seconds), places: 1);
        return delay > .zero ? translated("\(amount) s later") : translated("\(amount) s earlier")
    }
}
