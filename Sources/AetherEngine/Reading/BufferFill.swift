public import AetherCore

/// How far packets have been filled up where playing waits for them.
public struct BufferFill: Sendable, Equatable {
    /// The filled share of the buffer that playback needs to go on, 0…1.
    public let fraction: Double
    /// The time that the rest will take at the present rate; nil while that is not known.
    public let remaining: TimeSpan?

    /// A fill.
    public init(fraction: Double, remaining: TimeSpan?) {
        (self.fraction, self.remaining) = (fraction, remaining)
    }
}

/// Tells from looks at a buffer how long it will take to fill. Pure: time is an argument.
struct BufferEstimate: Sendable {
    private var epoch: Epoch?
    private var first: (host: HostTime, span: TimeSpan)?

    /// Rates over less time say nothing.
    private static let least = TimeSpan.milliseconds(500)

    /// Takes in what is queued at a moment, and what is needed in all. Another epoch begins anew; so does a buffer that was emptied.
    mutating func note(_ span: TimeSpan, of needed: TimeSpan, epoch: Epoch, now: HostTime) -> BufferFill {
        let fraction = needed > .zero ? min(1, max(0, span.seconds / needed.seconds)) : 1
        guard epoch == self.epoch, let first, span >= first.span else {
            self.epoch = epoch
            first = (now, span)
            return BufferFill(fraction: fraction, remaining: nil)
        }
        let time = now - first.host, filled = span - first.span
        guard time >= Self.least, filled > .zero else { return BufferFill(fraction: fraction, remaining: nil) }
        let rest = max(0, (needed - span).seconds) * time.seconds / filled.seconds
        // A rate that brings nothing for an hour is none.
        return BufferFill(fraction: fraction, remaining: rest < 3600 ? .seconds(rest) : nil)
    }

    /// No reader waits.
    mutating func reset() { (epoch, first) = (nil, nil) }
}
