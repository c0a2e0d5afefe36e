/// A point on the source axis: where the container says a frame, sample or cue belongs. In nanoseconds; may be negative.
///
/// Not a host time: the compiler refuses to compare the two, and only `RenderSynchronizer` converts between them.
public struct MediaTime: Hashable, Comparable, Sendable {
    /// Nanoseconds from the source's own zero.
    public var nanoseconds: Int64

    /// A point at the given nanoseconds.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The source's own zero, which is not always where its first frame lies.
    public static let zero = MediaTime(nanoseconds: 0)

    /// A point at the given seconds, rounded to the nearest nanosecond and clamped.
    public static func seconds(_ value: Double) -> MediaTime { MediaTime(nanoseconds: clampedNanoseconds(value * 1e9)) }

    /// A container timestamp, rounded to the nearest nanosecond.
    public init(ticks: Int64, in timeBase: TimeBase) { nanoseconds = timeBase.nanoseconds(ticks: ticks) }

    /// The point in seconds, for display and for C interfaces that want a double.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Less is earlier.
    public static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }
    /// The point that much later; it stops at the ends of the range instead of trapping.
    public static func + (a: MediaTime, b: TimeSpan) -> MediaTime {
        MediaTime(nanoseconds: saturatingAdd(a.nanoseconds, b.nanoseconds))
    }
    /// The point that much earlier; it stops at the ends of the range instead of trapping.
    public static func - (a: MediaTime, b: TimeSpan) -> MediaTime {
        MediaTime(nanoseconds: saturatingSubtract(a.nanoseconds, b.nanoseconds))
    }
    /// The span from `b` to `a`; it stops at ±292 years instead of trapping.
    public static func - (a: MediaTime, b: MediaTime) -> TimeSpan {
        TimeSpan(nanoseconds: saturatingSubtract(a.nanoseconds, b.nanoseconds))
    }
}
