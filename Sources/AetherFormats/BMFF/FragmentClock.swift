/// The decoding time of the first fragment in a segment of MP4, as far as the segment's first bytes tell.
public struct FragmentClock: Sendable, Equatable {
    /// The track that the time is of.
    public let track: Int
    /// In ticks of that track.
    public let ticks: Int

    /// nil where no fragment begins in the bytes, or where it says no time.
    public init?(_ head: ArraySlice<UInt8>) {
        guard let fragment = Self.box("moof", in: head), let part = Self.box("traf", in: fragment),
            let track = Self.box("tfhd", in: part)?.dropFirst(4).bigEndian(4), let time = Self.box("tfdt", in: part),
            let ticks = time.dropFirst(4).bigEndian(time.first == 1 ? 8 : 4)
        else { return nil }
        (self.track, self.ticks) = (track, ticks)
    }

    /// Whether a fragment that should follow this one lies before it: an encoder has begun anew.
    public func isAhead(of next: FragmentClock) -> Bool { track == next.track && next.ticks < ticks }

    /// The content of the first box of a kind, as far as the bytes go.
    private static func box(_ kind: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = bytes
        while let head = BoxHead(rest) {
            if head.kind == kind { return rest.prefix(head.size).dropFirst(head.length) }
            guard head.size < rest.count else { return nil }
            rest = rest.dropFirst(head.size)
        }
        return nil
    }
}
