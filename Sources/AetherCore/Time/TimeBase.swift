/// The length of one container tick as a fraction of a second, for example 1/90000.
public struct TimeBase: Hashable, Sendable {
    /// Seconds per tick = numerator / denominator. Both positive.
    public let numerator, denominator: Int32

    /// A time base; parts that are not positive (a broken file) become 1/1000000.
    public init(_ numerator: Int32, _ denominator: Int32) {
        let sane = numerator > 0 && denominator > 0
        self.numerator = sane ? numerator : 1
        self.denominator = sane ? denominator : 1_000_000
    }

    /// Ticks to nanoseconds, rounded to nearest, clamped where it does not fit.
    public func nanoseconds(ticks: Int64) -> Int64 {
        rescaled(ticks, multiplier: Int64(numerator) * 1_000_000_000, divisor: Int64(denominator))
    }

    /// The tick nearest to a point, for seeking.
    public func ticks(at time: MediaTime) -> Int64 {
        rescaled(time.nanoseconds, multiplier: Int64(denominator), divisor: Int64(numerator) * 1_000_000_000)
    }
}

/// value × multiplier / divisor in 128 bits, rounded half away from zero and clamped to Int64.
private func rescaled(_ value: Int64, multiplier: Int64, divisor: Int64) -> Int64 {
    let product = Int128(value) * Int128(multiplier)
    let half = Int128(divisor / 2)
    let quotient = (product + (product < 0 ? -half : half)) / Int128(divisor)
    return Int64(clamping: quotient)
}
