import AetherCore

/// Keeps time going forward where a source starts again: files glued together, broadcasts that reset their clock. Pure.
///
/// A decode time that lies more than ten seconds before the one of the same stream before it is no reordering: the source begins a new
/// time line, which is put behind the old one. All streams get the same offset, each from its own seam on, so that sound and picture
/// stay together. Jumps forward are left alone: they may be a pause in that stream. Where a stream jumped forward and is back before ten
/// seconds of it have passed, those stamps were damaged, and there is no seam.
struct TimelineFold: Sendable {
    static let threshold = TimeSpan.seconds(10)
    /// What lies between the last packet of one part and the first of the next: a frame at 25 a second.
    private static let joint = TimeSpan.milliseconds(40)

    private var common = TimeSpan.zero
    private var offsets: [Int: TimeSpan] = [:]
    private var newest: [Int: MediaTime] = [:]
    /// Where a stream was before it jumped forward, and where it came to then; forgotten when it stays there.
    private var jumps: [Int: (from: MediaTime, to: MediaTime)] = [:]
    /// Seams found in this epoch.
    private(set) var seams = 0

    /// Forgets everything: after a seek times are the source's own again.
    mutating func reset() { self = TimelineFold() }

    /// What must be added to the times of this packet of a stream.
    mutating func offset(stream: Int, time: MediaTime) -> TimeSpan {
        let present = offsets[stream] ?? common
        guard let last = newest[stream] else { return accept(stream, time, present) }
        if time + present >= last - Self.threshold {
            noteJump(stream, to: time + present, after: last)
            return accept(stream, time, present, after: last)
        }
        if let jump = jumps[stream], (time + present - jump.from).magnitude <= Self.threshold {
            jumps[stream] = nil
            return accept(stream, time, present, after: jump.from)
        }
        // Another stream has found the seam already: its offset it is, if it brings this one behind what was.
        if common != present, (time + common - last).magnitude <= Self.threshold {
            return accept(stream, time, common, after: last)
        }
        seams += 1
        common = last + Self.joint - time
        return accept(stream, time, common, after: last)
    }

    private mutating func noteJump(_ stream: Int, to time: MediaTime, after last: MediaTime) {
        if time - last > Self.threshold {
            jumps[stream] = (jumps[stream]?.from ?? last, time)
        } else if let jump = jumps[stream], time - jump.to > Self.threshold {
            jumps[stream] = nil
        }
    }

    private mutating func accept(_ stream: Int, _ time: MediaTime, _ offset: TimeSpan, after last: MediaTime? = nil) -> TimeSpan {
        offsets[stream] = offset
        newest[stream] = last.map { max($0, time + offset) } ?? time + offset
        return offset
    }
}
