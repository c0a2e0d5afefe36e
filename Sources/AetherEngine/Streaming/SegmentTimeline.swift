import AetherCore
import AetherFormats

/// Where the time stamps of segments lie on the presentation's axis: one offset for each continuity, shared by all renditions, so
/// that audio and video of one clock stay together to the sample. Pure.
struct SegmentTimeline: Sendable {
    /// The meaning of a time stamp.
    enum Reading: Sendable, Equatable {
        /// Its place.
        case at(MediaTime)
        /// Its clock is not known yet: the primary rendition has not come so far. It has to wait.
        case unknown
        /// The clock leaps within its continuity, without a mark in the playlist: the new offset is in force from here on.
        case leap(to: MediaTime)
    }

    /// Larger differences from what the playlist says are a leap, where they are longer than the segment, too.
    static let tolerance = TimeSpan.milliseconds(500)
    /// The lengths of a stretch's segments differ by no more from what the playlist says, all together.
    private static let roundings = TimeSpan.seconds(30)
    /// Audio and video of one clock end at places that differ by less.
    private static let splice = TimeSpan.milliseconds(150)
    /// Time stamps are rounded on their way.
    private static let overlap = TimeSpan.milliseconds(5)
    /// The 33 bits of MPEG-TS wrap after 26.5 hours.
    private static let wrap: Int64 = 1 << 33
    /// Continuities that are remembered: those around the buffer.
    private static let limit = 64

    private struct Offset {
        var continuity: Int64
        /// In nanoseconds: place on the axis less stamp.
        var nanoseconds: Int64
    }

    private var offsets: [Offset] = []

    init() {}

    /// Whether the clock of a continuity is known.
    func knows(_ continuity: Int64) -> Bool { offsets.contains { $0.continuity == continuity } }

    /// The first stamp of a run. The primary rendition (video, else audio) sets the offset of its continuity: its segment starts
    /// where the playlist says. Others take the offset that is there. `stamp` is in nanoseconds of the container's clock,
    /// `expected` the start of the segment on the axis, `length` its length. `following`: where the run starts if it follows the one that was
    /// read before without a hole and without an overlap; the playlist's lengths are rounded, and what is rounded must not cost a frame.
    /// `isRestart`: the clock is another one than before, though no mark says so.
    mutating func begin(
        stamp: MediaTime, continuity: Int64, expected: MediaTime, length: TimeSpan, isPrimary: Bool, isTransportStream: Bool,
        following: MediaTime? = nil, isRestart: Bool = false
    ) -> Reading {
        let next = following.flatMap { ($0 - expected).magnitude <= Self.roundings ? $0 : nil }
        guard let place = offsets.firstIndex(where: { $0.continuity == continuity }) else {
            guard isPrimary else { return .unknown }
            let kept = goingOn(stamp, continuity, near: next ?? expected, length, isTransportStream: isTransportStream)
            // A clock by which the run overlaps what was read before is none of its own.
            let place = kept.flatMap { kept in next.map { kept >= $0 - Self.overlap } ?? true ? kept : nil } ?? next ?? expected
            set(continuity, (place - stamp).nanoseconds)
            return .at(place)
        }
        let unwrapped = Self.unwrapped(
            stamp, near: expected - TimeSpan(nanoseconds: offsets[place].nanoseconds), isTransportStream: isTransportStream)
        let found = unwrapped + TimeSpan(nanoseconds: offsets[place].nanoseconds)
        if isRestart, let next {
            // Another rendition has come here before, or the clock is the same after all.
            if (found - next).magnitude <= Self.splice { return .at(found) }
            set(continuity, (next - unwrapped).nanoseconds)
            return .leap(to: next)
        }
        let difference = (found - expected).magnitude
        guard isPrimary, difference > Self.tolerance, difference > length else { return .at(found) }
        if let next, (found - next).magnitude <= Self.tolerance { return .at(found) }
        set(continuity, ((next ?? expected) - unwrapped).nanoseconds)
        return .leap(to: next ?? expected)
    }

    /// The place of a new continuity's first stamp by the clock of another one, the nearest first, where that is no further from the playlist's
    /// than its rounding: some mark a discontinuity where none is, or stamp what they splice in anew, and behind an advertisement the
    /// programme's clock goes on. To begin at the playlist's place would tear a hole into audio, which is cut elsewhere than the video:
    /// 190 ms where B-frames are.
    private func goingOn(
        _ stamp: MediaTime, _ continuity: Int64, near expected: MediaTime, _ length: TimeSpan, isTransportStream: Bool
    ) -> MediaTime? {
        let nearest = offsets.sorted { Self.distance($0.continuity, continuity) < Self.distance($1.continuity, continuity) }
        for other in nearest {
            let offset = TimeSpan(nanoseconds: other.nanoseconds)
            let found = Self.unwrapped(stamp, near: expected - offset, isTransportStream: isTransportStream) + offset
            if (found - expected).magnitude <= min(Self.tolerance, length.scaled(by: 0.25)) { return found }
        }
        return nil
    }

    private static func distance(_ one: Int64, _ other: Int64) -> UInt64 { (one &- other).magnitude }

    /// The place of any later stamp of the continuity; nil where its clock is not known. `near` is the place of the one before
    /// it.
    func time(of stamp: MediaTime, continuity: Int64, near: MediaTime, isTransportStream: Bool) -> MediaTime? {
        guard let offset = offsets.first(where: { $0.continuity == continuity }) else { return nil }
        let span = TimeSpan(nanoseconds: offset.nanoseconds)
        return Self.unwrapped(stamp, near: near - span, isTransportStream: isTransportStream) + span
    }

    /// The place of a stamp of a continuity of which the clock is not known, by the clock that brings it nearest to `near`; nil where none brings
    /// it near. Lists of subtitles are written without the discontinuities of their video, or count those otherwise.
    func time(of stamp: MediaTime, near: MediaTime, isTransportStream: Bool) -> MediaTime? {
        let places = offsets.compactMap {
            time(of: stamp, continuity: $0.continuity, near: near, isTransportStream: isTransportStream)
        }
        let nearest = places.min { ($0 - near).magnitude < ($1 - near).magnitude }
        return nearest.flatMap { ($0 - near).magnitude <= Self.roundings ? $0 : nil }
    }

    /// How much later the media says a segment starts than the playlist: what estimates of starts are put right by. Nil while
    /// unknown.
    func drift(stamp: MediaTime, continuity: Int64, expected: MediaTime, isTransportStream: Bool) -> TimeSpan? {
        time(of: stamp, continuity: continuity, near: expected, isTransportStream: isTransportStream).map { $0 - expected }
    }

    private mutating func set(_ continuity: Int64, _ nanoseconds: Int64) {
        offsets.removeAll { $0.continuity == continuity }
        if offsets.count == Self.limit { offsets.removeFirst() }
        offsets.append(Offset(continuity: continuity, nanoseconds: nanoseconds))
    }

    /// The stamp with as many whole turns of a 33-bit clock added as bring it nearest.
    private static func unwrapped(_ stamp: MediaTime, near: MediaTime, isTransportStream: Bool) -> MediaTime {
        guard isTransportStream else { return stamp }
        // 2^33 ticks of 1/90000 s are exactly 95 443 717 688 888.8… ns: turns are counted in ticks, and rounded once.
        let ticks = Int128(wrap) * 1_000_000_000
        let difference = Int128((near - stamp).nanoseconds) * 90_000
        let turns = (difference + (difference < 0 ? -ticks / 2 : ticks / 2)) / ticks
        let span = (turns * ticks + (turns < 0 ? -45_000 : 45_000)) / 90_000
        return stamp + TimeSpan(nanoseconds: Int64(clamping: span))
    }
}
