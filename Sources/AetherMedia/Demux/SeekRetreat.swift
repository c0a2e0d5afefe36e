public import AetherCore

/// Decides how far back decoding must begin so that the frame at a point can be shown. Pure.
///
/// The first frame that can be shown after a seek may lie behind the target: MP4 is sought by decode times, which lie before those of
/// showing; the leading frames of an open GOP need the GOP before; intra refresh gives a whole frame only after some; broadcasts are searched
/// by bytes. Then decoding begins one key frame earlier, until the first frame holds or the start is reached.
public struct SeekRetreat: Sendable, Equatable {
    /// The point whose frame is wanted.
    public let target: MediaTime
    /// The frame must begin before the target, not at it: a step back.
    public let isStrict: Bool
    /// Nothing lies before this point.
    public let start: MediaTime
    /// The distance before the last beginning to seek to next.
    private var step: TimeSpan
    /// The earliest beginning so far.
    private var earliest: MediaTime?
    private var attempts = 0
    private var isSpent = false

    /// Seeks after which the start is the last resort: with doubled steps they span 62 s, the longest GOP of broadcasts six times.
    public static let limit = 6
    /// Time stamps are rounded on their way: what began there has begun at the start.
    private static let rounding = TimeSpan.milliseconds(1)
    /// Key frames of broadcasts are 0.5 … 10 s apart.
    public static let searchStep = TimeSpan.seconds(2)

    /// A retreat that has not begun. `isIndexed`: the container knows its key frames, so that a point just before one leads to the one before;
    /// else its search may miss, and steps of 2 s and more are made.
    public init(target: MediaTime, start: MediaTime, isStrict: Bool = false, isIndexed: Bool = true) {
        self.target = target
        self.start = start
        self.isStrict = isStrict
        step = isIndexed ? .milliseconds(1) : Self.searchStep
    }

    /// The point to seek to instead; nil where decoding may go on from where it began. `start` means the beginning of the source. `begun` is
    /// when the packet is decoded that decoding began with, or is shown where that is earlier; `shown` is when the first frame is shown.
    public mutating func next(begun: MediaTime, shown: MediaTime) -> MediaTime? {
        guard isStrict ? shown >= target : shown > target, !isSpent, begun - start > Self.rounding else { return nil }
        attempts += 1
        let isProgress = earliest.map { begun < $0 } ?? true
        let from = min(begun, earliest ?? begun, target)
        earliest = from
        if !isProgress { step = max(step, Self.searchStep) }
        let point = from - step
        if step >= Self.searchStep { step = step + step }
        guard attempts < Self.limit, point > start else {
            isSpent = true
            return start
        }
        return point
    }
}
