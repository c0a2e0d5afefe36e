/// The head of a track's part of a fragment (`tfhd`).
struct TrackFragmentHeader {
    /// The track's number.
    let track: Int
    /// Of the sample entries, from 1; 0 where the track says it.
    private(set) var entry = 0
    /// Of samples of which none is written; nil where the track says it.
    private var written: Int?
    /// Where offsets of runs count from, from the first byte of `moof` on.
    let base: Int64

    /// Reads the body of the box, of a fragment that lies at `origin` in its file. `before`: where the data of the tracks before ends. nil where
    /// it is cut off.
    init?(_ body: ArraySlice<UInt8>, origin: Int64, before: Int64) {
        guard let flags = body.bigEndian(4), let id = body.dropFirst(4).bigEndian(4) else { return nil }
        var rest = body.dropFirst(8), base = flags & 0x20000 != 0 ? 0 : before
        if flags & 0x1 != 0 {
            guard let written = rest.bigEndian(8) else { return nil }
            base = Int64(written).subtractingReportingOverflow(origin).partialValue
            rest = rest.dropFirst(8)
        }
        if flags & 0x2 != 0 {
            entry = rest.bigEndian(4) ?? 1
            rest = rest.dropFirst(4)
        }
        if flags & 0x8 != 0 { rest = rest.dropFirst(4) }
        if flags & 0x10 != 0 { written = rest.bigEndian(4) ?? 0 }
        (track, self.base) = (id, base)
    }

    /// Bytes of a sample of which none is written.
    var size: Int { written ?? 0 }

    /// Takes what the track says (`trex`) in the place of what the fragment does not.
    mutating func complete(entry: Int, size: Int) {
        if self.entry == 0 { self.entry = entry }
        written = written ?? size
    }
}
