public import AetherCore

/// A point or a length on the axis of a presentation, exact: a whole number of ticks, of which `timescale` make a second. Sums and
/// comparisons of equal time scales are exact; sums stop at the ends of the range instead of trapping.
public struct Ticks: Sendable, Comparable {
    /// The number of ticks; may be negative.
    public let value: Int64
    /// Ticks a second; positive.
    public let timescale: Int64

    /// Ticks. A time scale that is not positive, as in a broken manifest, becomes that of nanoseconds.
    public init(_ value: Int64, timescale: Int64) {
        self.value = value
        self.timescale = timescale > 0 ? timescale : Ticks.nanoseconds
    }

    /// The time scale of nanoseconds, in which playlists of HLS are read: their decimals are exact in it.
    public static let nanoseconds: Int64 = 1_000_000_000

    /// No time at all.
    public static let zero = Ticks(0, timescale: nanoseconds)

    /// A span as ticks of nanoseconds.
    public init(_ span: TimeSpan) { self.init(span.nanoseconds, timescale: Ticks.nanoseconds) }

    /// A point as ticks of nanoseconds.
    public init(_ time: MediaTime) { self.init(time.nanoseconds, timescale: Ticks.nanoseconds) }

    /// The same time in another scale, rounded half away from zero and clamped.
    public func rescaled(to timescale: Int64) -> Ticks {
        let scale = timescale > 0 ? timescale : Ticks.nanoseconds
        if scale == self.timescale { return self }
        let product = Int128(value) * Int128(scale), half = Int128(self.timescale / 2)
        let quotient = (product + (product < 0 ? -half : half)) / Int128(self.timescale)
        return Ticks(Int64(clamping: quotient), timescale: scale)
    }

    /// The whole ticks of another scale that have passed at this time, clamped.
    func rescaledDown(to scale: Int64) -> Int64 {
        if scale == timescale { return value }
        let product = Int128(value) * Int128(scale), divisor = Int128(timescale)
        let quotient = product / divisor
        return Int64(clamping: product < 0 && quotient * divisor != product ? quotient - 1 : quotient)
    }

    /// The span in nanoseconds, rounded and clamped.
    public var span: TimeSpan { TimeSpan(nanoseconds: rescaled(to: Ticks.nanoseconds).value) }

    /// The point in nanoseconds, rounded and clamped.
    public var time: MediaTime { MediaTime(nanoseconds: rescaled(to: Ticks.nanoseconds).value) }

    /// The time in seconds, for display and reports.
    public var seconds: Double { Double(value) / Double(timescale) }

    /// Whether both are the same time, whatever their scales.
    public static func == (a: Ticks, b: Ticks) -> Bool {
        Int128(a.value) * Int128(b.timescale) == Int128(b.value) * Int128(a.timescale)
    }

    /// Less is earlier, or shorter.
    public static func < (a: Ticks, b: Ticks) -> Bool {
        Int128(a.value) * Int128(b.timescale) < Int128(b.value) * Int128(a.timescale)
    }

    /// The sum, in a time scale in which both are whole numbers where one fits, else in nanoseconds.
    public static func + (a: Ticks, b: Ticks) -> Ticks {
        let scale = common(a.timescale, b.timescale)
        let (sum, overflow) = a.rescaled(to: scale).value.addingReportingOverflow(b.rescaled(to: scale).value)
        return Ticks(overflow ? (a.value < 0 ? .min : .max) : sum, timescale: scale)
    }

    /// The difference, in a scale as of the sum.
    public static func - (a: Ticks, b: Ticks) -> Ticks {
        a + Ticks(b.value == .min ? .max : -b.value, timescale: b.timescale)
    }

    /// The least common multiple where it is below 2^40: an hour of such ticks is still far from the range's end.
    private static func common(_ a: Int64, _ b: Int64) -> Int64 {
        if a == b { return a }
        var (greater, rest) = (a, b)
        while rest != 0 { (greater, rest) = (rest, greater % rest) }
        let (multiple, overflow) = (a / greater).multipliedReportingOverflow(by: b)
        return overflow || multiple > 1 << 40 ? nanoseconds : multiple
    }
}
