import AetherCore
import AetherFormats

/// Whole segments one behind the other, as they came: each once, the init section before the first. One that was broken off is left out. Pure.
struct SegmentJoint {
    private struct Pending {
        /// As it is known by now: one that is still being made gets longer.
        var segment: Segment
        let header: (section: InitSection, bytes: [UInt8])?
        let reader: ObjectIdentifier
        var bytes: [UInt8]
    }
    private var pending: Pending?
    /// The init section that the present file has.
    private var section: InitSection?
    private var hasFile = false
    /// Up to where segments were recorded.
    private var recorded: Ticks?
    /// A segment of 10 s at 100 Mbit/s is twice as large.
    private static let limit = 64 << 20
    /// Times of neighbours are rounded by a millisecond.
    private static let rounding = TimeSpan.milliseconds(20)

    /// Another file begins: nothing is in it.
    mutating func beginFile() { (hasFile, section, recorded) = (false, nil, nil) }

    /// Takes bytes of a segment. Returns the one before it where that is complete by them, which came in parts.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, of segment: Segment, header: (section: InitSection, bytes: [UInt8])?,
        by reader: ObjectIdentifier
    ) -> RecordedBytes? {
        if pending?.segment.number == segment.number, pending?.reader == reader {
            pending?.bytes += bytes
            pending?.segment = segment
            if let count = pending?.bytes.count, count > Self.limit { pending = nil }
            return nil
        }
        let whole = end(by: reader)
        pending = Pending(segment: segment, header: header, reader: reader, bytes: Array(bytes))
        return whole
    }

    /// The segment that this reader has read, complete; nil where there is none, or it was recorded before.
    mutating func end(by reader: ObjectIdentifier) -> RecordedBytes? {
        guard let done = pending, done.reader == reader else { return nil }
        pending = nil
        if let recorded, done.segment.start.time + Self.rounding < recorded.time { return nil }
        recorded = done.segment.end
        let header = done.header
        let isOther = hasFile && section != header?.section
        let needsHeader = !hasFile || isOther
        (hasFile, section) = (true, header?.section)
        return RecordedBytes(
            bytes: (needsHeader ? header?.bytes ?? [] : []) + done.bytes, span: done.segment.duration.span,
            ending: header != nil ? "mp4" : Container(head: done.bytes) == .mpegTS ? "ts" : "aac", beginsFile: isOther)
    }

    /// The bytes of an unfinished segment are thrown away.
    mutating func drop(by reader: ObjectIdentifier) { if pending?.reader == reader { pending = nil } }

    /// Nothing records.
    mutating func forget() { pending = nil }
}
