/// A time stamp that a segment begins with, as far as its first bytes tell: of a fragment of MP4 the decoding time, of MPEG-TS that of a first
/// packet of audio or video.
public struct SegmentClock: Sendable, Equatable {
    /// The track or the PID that the time is of.
    public let track: Int
    /// In ticks of that track.
    public let ticks: Int
    /// The ticks are the 33 bits of MPEG-TS.
    public let isTransportStream: Bool

    /// nil where the bytes say no time.
    public init?(_ head: ArraySlice<UInt8>) {
        guard let clock = head.first == 0x47 ? Self.transport(head) : Self.fragment(head) else { return nil }
        self = clock
    }

    private init(_ track: Int, _ ticks: Int, isTransportStream: Bool) {
        (self.track, self.ticks, self.isTransportStream) = (track, ticks, isTransportStream)
    }

    // MARK: - Differences

    /// The ticks to the clock of the segment behind this one; nil where both are not of one clock.
    private func ticks(to next: SegmentClock) -> Int? {
        guard track == next.track, isTransportStream == next.isTransportStream else { return nil }
        guard isTransportStream else { return next.ticks - ticks }
        let difference = (next.ticks - ticks) & (Self.turn - 1)
        return difference < Self.turn / 2 ? difference : difference - Self.turn
    }
    private static let turn = 1 << 33

    /// Whether a segment that should follow this one lies at its place or before it: an encoder has begun anew.
    public func isRestarted(by next: SegmentClock) -> Bool { ticks(to: next).map { $0 <= 0 } ?? false }

    /// The seconds to the clock of the segment behind this one; nil where it is another one, or lies before. `header` is the init section of
    /// fragments, which says how long a tick is.
    public func seconds(to next: SegmentClock, header: ArraySlice<UInt8>) -> Double? {
        guard let ticks = ticks(to: next), ticks >= 0 else { return nil }
        guard let rate = isTransportStream ? 90_000 : Self.rate(of: track, in: header), rate > 0 else { return nil }
        return Double(ticks) / Double(rate)
    }

    // MARK: - Fragments of MP4

    private static func fragment(_ head: ArraySlice<UInt8>) -> SegmentClock? {
        guard let fragment = box("moof", in: head), let part = box("traf", in: fragment),
            let track = box("tfhd", in: part)?.dropFirst(4).bigEndian(4), let time = box("tfdt", in: part),
            let ticks = time.dropFirst(4).bigEndian(time.first == 1 ? 8 : 4)
        else { return nil }
        return SegmentClock(track, ticks, isTransportStream: false)
    }

    /// Ticks a second of a track.
    private static func rate(of track: Int, in header: ArraySlice<UInt8>) -> Int? {
        guard let movie = BoxPlace.list(header).first(where: { $0.kind == "moov" }) else { return nil }
        let box = movie.children.first { $0.kind == "trak" && MovieProtection.number(of: $0) == track }
        guard let body = box?.descendant("mdia", "mdhd")?.body else { return nil }
        return body.dropFirst(body.first == 1 ? 20 : 12).bigEndian(4)
    }

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

    // MARK: - MPEG-TS

    /// Of the packet of the lowest PID, so that segments which begin with audio and with video by turns are compared by the same one.
    private static func transport(_ head: ArraySlice<UInt8>) -> SegmentClock? {
        var rest = head, best: SegmentClock?
        while rest.count >= 188, rest.first == 0x47 {
            let packet = Array(rest.prefix(188))
            let pid = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
            if packet[1] & 0x40 != 0, best.map({ pid < $0.track }) ?? true, let ticks = stamp(packet) {
                best = SegmentClock(pid, ticks, isTransportStream: true)
            }
            rest = rest.dropFirst(188)
        }
        return best
    }

    /// The decoding time of a packet that begins a unit of audio or video.
    private static func stamp(_ packet: [UInt8]) -> Int? {
        guard packet[3] & 0x10 != 0, packet[3] & 0xC0 == 0 else { return nil }
        let start = packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4
        guard start + 19 <= packet.count, packet[start] == 0, packet[start + 1] == 0, packet[start + 2] == 1 else { return nil }
        let isMedia = (0xC0...0xEF).contains(packet[start + 3]) || [0xBD, 0xFD].contains(packet[start + 3])
        let flags = packet[start + 7] >> 6
        guard isMedia, packet[start + 6] & 0xC0 == 0x80, flags >= 2 else { return nil }
        let place = start + (flags == 3 ? 14 : 9)
        let high = Int(packet[place] >> 1 & 7) << 30
        let middle = Int(packet[place + 1]) << 22 | Int(packet[place + 2] >> 1) << 15
        return high | middle | Int(packet[place + 3]) << 7 | Int(packet[place + 4] >> 1)
    }
}
