/// A point on the machine's monotonic clock (CLOCK_MONOTONIC), in nanoseconds.
public struct HostTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since boot.
    public var nanoseconds: Int64

    /// A point at the given nanoseconds since boot.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Less is earlier.
    public static func < (a: HostTime, b: HostTime) -> Bool { a.nanoseconds < b.nanoseconds }
    /// The moment that much later; it stops at the ends of the range instead of trapping.
    public static func + (a: HostTime, b: TimeSpan) -> HostTime {
        HostTime(nanoseconds: saturatingAdd(a.nanoseconds, b.nanoseconds))
    }
    /// The moment that much earlier; it stops at the ends of the range instead of trapping.
    public static func - (a: HostTime, b: TimeSpan) -> HostTime {
        HostTime(nanoseconds: saturatingSubtract(a.nanoseconds, b.nanoseconds))
    }
    /// The span from `b` to `a`; it stops at ±292 years instead of trapping.
    public static func - (a: HostTime, b: HostTime) -> TimeSpan {
        TimeSpan(nanoseconds: saturatingSubtract(a.nanoseconds, b.nanoseconds))
    }
}
