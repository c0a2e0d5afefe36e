import AetherCore

/// Keeps time going forward, and without holes that are none, where a source begins a new time line: files glued together, broadcasts that
/// reset their clock or leap by hours. Pure.
///
/// A decode time that lies more than ten seconds before the one of the same stream before it is no reordering. One that lies further
/// ahead of everything read than `longestGap` is no pause in that stream. Both are seams: the new time line is put behind the old
/// one. All streams get the same offset, each from its own seam on, so that audio and video stay together. A stream whose stamps
/// were damaged for a moment comes back to the offset that it had.
///
/// Where the container's times may leap, decode times that step back by more than a second are a seam, too, as where recordings overlap:
/// unless the stream has just leapt forward from there, for then stamps were damaged, or are no decode times. One that at once goes on
/// where it was had damaged stamps, too: it gets its offset back.
///
/// Where seams leap forward only, source and folded time determine each other: seeks are translated, and what is played after a seek
/// keeps the time it had. Where one leaps back (glued files), two places have the same source time: after a seek times are the source's own.
struct TimelineFold: Sendable {
    static let threshold = TimeSpan.seconds(10)
    /// Where a container promises unbroken times, an hour of nothing may be meant.
    static let longestPromisedGap = TimeSpan.seconds(3600)
    /// Decode times of a stream that go back by more than this, to where the source began, begin again: short files glued together. Times that
    /// are not quite decode times step back by the depth of a GOP, and not to there.
    private static let shortestPart = TimeSpan.milliseconds(750)
    private static let likeness = TimeSpan.milliseconds(250)
    /// Streams of one time line are interleaved this closely.
    private static let overlap = TimeSpan.seconds(1)
    /// As many packets, half a second of audio and one of video, may be damaged for a moment.
    private static let momentPackets = 25
    /// The time from the last packet of one part to the first of the next: a frame at 25 a second.
    private static let joint = TimeSpan.milliseconds(40)
    /// The longest hole in all streams that is believed.
    private let longestGap: TimeSpan
    /// Decode times only go forward, except at a seam.
    private let mayLeap: Bool
    private var common = TimeSpan.zero
    private var offsets: [StreamID: TimeSpan] = [:]
    private var newest: [StreamID: MediaTime] = [:]
    /// The source's first time of each stream.
    private var firsts: [StreamID: MediaTime] = [:]
    /// Where the last seek went.
    private var target: MediaTime?
    /// The newest time of any stream.
    private var front: MediaTime?
    /// Where a stream was before it jumped forward, where it came to then, the offset that it had, and how many packets it has stayed there;
    /// forgotten when that gets long.
    private var jumps: [StreamID: (from: MediaTime, to: MediaTime, offset: TimeSpan, packets: Int)] = [:]
    /// Where a stream was before it leapt forward by more than `overlap` on the same time line, and how many packets it has come since.
    private var leaps: [StreamID: (from: MediaTime, packets: Int)] = [:]
    /// Where a stream was before it stepped back by seconds, the offset that it had, and how many packets it has come since.
    /// `known`: the time lines found by then; nil where seeks have forgotten them.
    private var overlaps: [StreamID: (from: MediaTime, offset: TimeSpan, packets: Int, known: TimelineSeams?)] = [:]
    /// The time lines found so far behind the first one.
    private var found = TimelineSeams()
    private var segments: [TimelineSeams.Segment] { found.segments }
    private var isAmbiguous = false
    /// Seams found in all.
    private(set) var seams = 0

    /// `mayLeap`: the container's times may leap at any moment, as in broadcasts.
    init(mayLeap: Bool = false) {
        self.mayLeap = mayLeap
        longestGap = mayLeap ? Self.threshold : Self.longestPromisedGap
    }

    /// Where a seek would find the points of the folded axis: nothing is known where two places have the same source time.
    var known: TimelineSeams { isAmbiguous ? TimelineSeams() : found }

    /// Begins anew at a point of the folded axis, for a seek; returns where that is in the source.
    mutating func begin(at target: MediaTime) -> MediaTime {
        (offsets, newest, front, jumps, leaps, overlaps) = ([:], [:], nil, [:], [:], [:])
        if isAmbiguous { found = TimelineSeams() }
        common = found.offset(at: target)
        self.target = target
        return target - common
    }

    /// The offset of this packet's times in a stream. `isDecodeTime`: the container says it, and only goes forward.
    mutating func offset(stream: StreamID, time: MediaTime, isDecodeTime: Bool = false) -> TimeSpan {
        let present = offsets[stream] ?? common
        let placed = time + present
        if firsts[stream] == nil { firsts[stream] = time }
        guard let last = newest[stream], let front else {
            return accept(stream, time, nearest(time, to: front ?? target) ?? present)
        }
        if isDecodeTime, begins(again: stream, time, placed, after: last) {
            let isKnown = common != present && time + common >= last - Self.shortestPart
            return isKnown ? accept(stream, time, common, after: last) : seam(stream, time, after: last, isBack: true)
        }
        if let former = offset(behindDamage: stream, time, placed, after: last) { return former }
        let isBack = placed < last - Self.threshold
        if isDecodeTime, mayLeap, !isBack, placed < last {
            if let leap = leaps[stream], placed < last - Self.overlap, placed >= leap.from - Self.overlap {
                return accept(stream, time, present, after: leap.from)
            }
            if let behind = offset(ofOverlap: stream, time, present, after: last, front: front) { return behind }
        }
        if !isBack, placed <= max(last, front) + longestGap {
            noteLeap(stream, to: placed, after: last)
            if placed - last > Self.threshold { noteJump(stream, to: placed, after: last, offset: present) }
            if let jump = jumps[stream], placed - jump.to > Self.threshold { jumps[stream] = nil }
            return accept(stream, time, present, after: last)
        }
        if let jump = jumps[stream], (time + jump.offset - jump.from).magnitude <= Self.threshold,
            mayReturn(to: jump.offset, at: time, stream, after: last, isShort: jump.packets <= Self.momentPackets)
        {
            jumps[stream] = nil
            if jump.offset != present { use(jump.offset, from: time + jump.offset) }
            return accept(stream, time, jump.offset, after: jump.from)
        }
        if let known = knownOffset(for: time, stream, other: present, after: last, front: front) {
            use(known, from: time + known)
            return accept(stream, time, known, after: last)
        }
        if !isBack { noteJump(stream, to: last + Self.joint, after: last, offset: present) }
        return seam(stream, time, after: last, isBack: isBack)
    }

    private func begins(again stream: StreamID, _ time: MediaTime, _ placed: MediaTime, after last: MediaTime) -> Bool {
        guard let first = firsts[stream] else { return false }
        return placed < last - Self.shortestPart && (time - first).magnitude < Self.likeness
    }

    /// The offset of a stream whose decode times step back by less than what means a seam everywhere; nil where it goes on as it was. The seam
    /// that another stream has found counts for smaller steps: the streams of a part do not end at one moment.
    private mutating func offset(
        ofOverlap stream: StreamID, _ time: MediaTime, _ present: TimeSpan, after last: MediaTime, front: MediaTime
    ) -> TimeSpan? {
        let placed = time + present, known = time + common
        if common != present, placed < last - Self.likeness, known >= last - Self.shortestPart, known <= front + Self.overlap {
            return accept(stream, time, common, after: last)
        }
        guard placed < last - Self.overlap else { return nil }
        overlaps[stream] = (last, present, 0, isAmbiguous ? nil : found)
        return seam(stream, time, after: last, isBack: true)
    }

    /// The offset that a stream had before it stepped back by seconds, where it is on that time line again after a moment; else nil.
    private mutating func offset(behindDamage stream: StreamID, _ time: MediaTime, _ placed: MediaTime, after last: MediaTime)
        -> TimeSpan?
    {
        guard let former = overlaps[stream] else { return nil }
        let point = time + former.offset
        if placed > last + Self.overlap, (point - last).magnitude <= Self.overlap {
            overlaps[stream] = nil
            if common == offsets[stream] {
                if let known = former.known {
                    (common, found, isAmbiguous) = (former.offset, known, false)
                } else {
                    use(former.offset, from: point)
                }
            }
            return accept(stream, time, former.offset, after: former.from)
        }
        overlaps[stream]?.packets += 1
        if former.packets >= Self.momentPackets { overlaps[stream] = nil }
        return nil
    }

    private mutating func noteLeap(_ stream: StreamID, to placed: MediaTime, after last: MediaTime) {
        guard mayLeap else { return }
        leaps[stream]?.packets += 1
        if leaps[stream]?.packets ?? 0 > Self.momentPackets { leaps[stream] = nil }
        if leaps[stream] == nil, placed - last > Self.overlap { leaps[stream] = (last, 0) }
    }

    private mutating func seam(_ stream: StreamID, _ time: MediaTime, after last: MediaTime, isBack: Bool) -> TimeSpan {
        seams += 1
        if isBack { isAmbiguous = true }
        use(last + Self.joint - time, from: last + Self.joint)
        return accept(stream, time, common, after: last)
    }

    /// Another stream has found the seam already, or this time line was played before: its offset it is, if it brings this packet to where
    /// playing is.
    private func knownOffset(
        for time: MediaTime, _ stream: StreamID, other present: TimeSpan, after last: MediaTime, front: MediaTime
    ) -> TimeSpan? {
        let fits = { (offset: TimeSpan) in
            offset != present && time + offset >= last - Self.threshold && time + offset <= front + Self.threshold
        }
        if fits(common) { return common }
        return (segments.reversed().map(\.offset) + [.zero]).first {
            fits($0) && mayReturn(to: $0, at: time, stream, after: last, isShort: false)
        }
    }

    /// Whether a stream that comes back to an earlier time line belongs where it was there: when only its stamps were damaged, for a moment
    /// or while another stream went on there. A programme that goes on behind an advertisement of five seconds comes back to its times,
    /// too, but would be played over what has been played since.
    private func mayReturn(to offset: TimeSpan, at time: MediaTime, _ stream: StreamID, after last: MediaTime, isShort: Bool)
        -> Bool
    {
        let point = time + offset
        if isShort || point >= last - Self.overlap { return true }
        return offsets.contains { other, its in
            other != stream && its == offset && newest[other].map { $0 >= point - Self.overlap } ?? false
        }
    }

    /// The offset that brings a stream's first packet closest to where playing is: a search may have come out before a seam.
    private func nearest(_ time: MediaTime, to point: MediaTime?) -> TimeSpan? {
        guard let point, !segments.isEmpty else { return nil }
        return ([.zero] + segments.map(\.offset)).min { (time + $0 - point).magnitude < (time + $1 - point).magnitude }
    }

    private mutating func use(_ offset: TimeSpan, from: MediaTime) {
        common = offset
        found.append(offset, from: from)
    }

    private mutating func noteJump(_ stream: StreamID, to time: MediaTime, after last: MediaTime, offset: TimeSpan) {
        jumps[stream] = (jumps[stream]?.from ?? last, time, jumps[stream]?.offset ?? offset, 0)
    }

    private mutating func accept(_ stream: StreamID, _ time: MediaTime, _ offset: TimeSpan, after last: MediaTime? = nil)
        -> TimeSpan
    {
        offsets[stream] = offset
        jumps[stream]?.packets += 1
        let newer = last.map { max($0, time + offset) } ?? time + offset
        newest[stream] = newer
        front = max(front ?? newer, newer)
        return offset
    }
}
