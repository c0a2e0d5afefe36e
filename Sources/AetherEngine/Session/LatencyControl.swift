import AetherCore

/// Keeps the distance at which a broadcast is played from its end, by playing a little faster or slower, with the pitch kept: so that neither
/// what was lost at the start nor a clock of the origin that goes wrong adds up. Pure.
struct LatencyControl: Sendable, Equatable {
    /// Rates below the threshold of hearing.
    static let rates = 0.95...1.05
    /// Each stall lets it keep so much further back, up to `mostAllowance`; half a minute without one takes back a tenth of a second.
    private static let stallAllowance = TimeSpan.milliseconds(500), mostAllowance = TimeSpan.seconds(4)
    private static let decay = TimeSpan.milliseconds(100), decayInterval = TimeSpan.seconds(30)
    /// Less than this, or than half of a step of the edge, is left alone.
    private static let band = TimeSpan.milliseconds(500)
    /// A position further off by more than this and a step was chosen by a person.
    private static let reach = TimeSpan.seconds(3)
    /// An error is made good in so many seconds, as far as the rates allow it.
    private static let span = 20.0
    /// The weight of a new reading: four readings back counts a third.
    private static let weight = 0.25

    /// To be multiplied with the person's own.
    private(set) var rate = 1.0
    /// How much further back than wished it plays, smoothed, in seconds.
    private(set) var error: Double?
    /// How much further back it keeps after stalls.
    private(set) var allowance = TimeSpan.zero
    private var quietSince: HostTime?

    /// The edge has just moved on by a step; the clock stands so far behind it. Half a step behind is right: then the edge has just moved, and
    /// comes near until it moves again.
    mutating func note(behind: TimeSpan, step: TimeSpan, now: HostTime, rates: ClosedRange<Double> = Self.rates) {
        takeBack(now)
        let reading = (behind - step.scaled(by: 0.5) - allowance).seconds
        guard reading < (Self.reach + step).seconds else { return rest() }
        let smooth = error.map { $0 + Self.weight * (reading - $0) } ?? reading
        error = smooth
        let band = max(Self.band, step.scaled(by: 0.5)).seconds
        let isCorrecting = rate != 1
        // Once begun it goes on until little is left; beyond zero it has done its work.
        let isWrong = isCorrecting ? abs(smooth) > band / 4 && (smooth > 0) == (rate > 1) : abs(smooth) > band
        guard isWrong else { return rate = 1 }
        let bounded = min(max(1 + smooth / Self.span, rates.lowerBound), rates.upperBound)
        // Steps of a hundredth: each change of the rate makes the time stretching begin anew.
        rate = smooth > 0 ? max(1.01, (bounded * 100).rounded() / 100) : min(0.99, (bounded * 100).rounded() / 100)
    }

    /// There was nothing to play.
    mutating func stalled() {
        allowance = min(allowance + Self.stallAllowance, Self.mostAllowance)
        quietSince = nil
        rest()
    }

    /// Plays at the person's rate until the next reading.
    mutating func rest() { (rate, error) = (1, nil) }

    private mutating func takeBack(_ now: HostTime) {
        guard allowance > .zero else { return quietSince = nil }
        guard let since = quietSince else { return quietSince = now }
        guard now - since >= Self.decayInterval else { return }
        (allowance, quietSince) = (max(.zero, allowance - Self.decay), now)
    }
}
