/// A length of time in whole nanoseconds, positive or negative: the difference of two `MediaTime`s or two `HostTime`s.
public struct TimeSpan: Hashable, Comparable, Sendable {
    /// The length in nanoseconds. ±292 years fit.
    public var nanoseconds: Int64

    /// A span of the given nanoseconds.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// No time at all.
    public static let zero = TimeSpan(nanoseconds: 0)

    /// A span of seconds, rounded to the nearest nanosecond; non-finite and out-of-range values are clamped.
    public static func seconds(_ value: Double) -> TimeSpan { TimeSpan(nanoseconds: clampedNanoseconds(value * 1e9)) }

    /// A span of milliseconds, rounded to the nearest nanosecond; non-finite and out-of-range values are clamped.
    public static func milliseconds(_ value: Double) -> TimeSpan { TimeSpan(nanoseconds: clampedNanoseconds(value * 1e6)) }

    /// The length in seconds.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// The length in milliseconds.
    public var milliseconds: Double { Double(nanoseconds) / 1e6 }

    /// The length without its sign. That of the shortest span, at which differences of hostile stamps stop, is the longest.
    public var magnitude: TimeSpan { nanoseconds < 0 ? -self : self }

    /// The span times a factor, rounded and clamped.
    public func scaled(by factor: Double) -> TimeSpan { TimeSpan(nanoseconds: clampedNanoseconds(Double(nanoseconds) * factor)) }

    /// Shorter is less; negative spans are less than zero.
    public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.nanoseconds < b.nanoseconds }
    /// The sum; it stops at ±292 years instead of trapping.
    public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: saturatingAdd(a.nanoseconds, b.nanoseconds))
    }
    /// The difference; it stops at ±292 years instead of trapping.
    public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: saturatingSubtract(a.nanoseconds, b.nanoseconds))
    }
    /// The same length with the other sign.
    public static prefix func - (a: TimeSpan) -> TimeSpan { TimeSpan(nanoseconds: saturatingSubtract(0, a.nanoseconds)) }
}

/// Rounds to Int64, clamping what does not fit; NaN becomes 0. A hostile file must not be able to trap the player.
@usableFromInline func clampedNanoseconds(_ value: Double) -> Int64 {
    if value.isNaN { return 0 }
    if value >= 9.2e18 { return 9_200_000_000_000_000_000 }
    if value <= -9.2e18 { return -9_200_000_000_000_000_000 }
    return Int64(value.rounded())
}

/// Addition that stops at the ends of the range instead of trapping: timestamps come from strangers.
@usableFromInline func saturatingAdd(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (a < 0 ? .min : .max) : sum
}

/// Subtraction that stops at the ends of the range instead of trapping.
@usableFromInline func saturatingSubtract(_ a: Int64, _ b: Int64) -> Int64 {
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? (a < 0 ? .min : .max) : difference
}
