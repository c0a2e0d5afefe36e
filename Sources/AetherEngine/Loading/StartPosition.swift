public import AetherCore

/// The start of playback.
public enum StartPosition: Sendable, Equatable {
    /// After this much of the source.
    case time(TimeSpan)
    /// 0 … 1 of its duration.
    case fraction(Double)
    /// At this time before the end of the source.
    case beforeEnd(TimeSpan)

    /// A point as a person states it.
    public init(_ point: TimePoint) {
        switch point {
        case .offset(let span): self = .time(span)
        case .fraction(let fraction): self = .fraction(fraction)
        case .beforeEnd(let span): self = .beforeEnd(span)
        }
    }
}
