/// The number of a segment's bytes that are needed to decode the frame at its beginning. Pure; looks at the first bytes, and asks for more
/// where they do not tell.
public enum KeyFrameExtent: Sendable, Equatable {
    /// So many bytes hold the frame.
    case bytes(Int)
    /// The answer needs so many more bytes than were given.
    case atLeast(Int)
    /// The extent is unknown: all bytes are needed.
    case unknown

    /// A frame of 2160 lines takes less.
    static let limit = 8 << 20

    /// Looks at the first bytes of a segment of a fragmented MP4, whose init section that is, or, without one, of MPEG-TS or of a fragmented MP4
    /// that has its own. The segment lies at `offset` in its file.
    public init(of head: ArraySlice<UInt8>, at offset: Int64, map: [UInt8]?) {
        if head.first == 0x47 {
            self = Self.transport(head)
        } else {
            self = Self.fragment(head, at: offset, VideoTrackHead(map.map { $0[...] } ?? head))
        }
        if case .bytes(let count) = self, count > Self.limit { self = .unknown }
        if case .atLeast(let count) = self, count > Self.limit { self = .unknown }
    }

    // MARK: - Fragmented MP4

    private static func fragment(_ head: ArraySlice<UInt8>, at offset: Int64, _ track: VideoTrackHead?) -> KeyFrameExtent {
        var rest = head, place = 0
        while let box = BoxHead(rest) {
            guard box.size <= rest.count else { return .atLeast(place + min(box.size, limit + 1)) }
            if box.kind == "moof" {
                guard let track, let end = firstSample(rest.prefix(box.size), at: offset.saturatingAdd(Int64(place)), of: track)
                else { return .unknown }
                return .bytes(place + end)
            }
            if box.kind == "mdat" { return .unknown }
            rest = rest.dropFirst(box.size)
            place += box.size
        }
        return rest.count < BoxHead.room ? .atLeast(place + BoxHead.room + 1024) : .unknown
    }

    /// Where the first sample of the track ends, from the first byte of the fragment on.
    private static func firstSample(_ fragment: ArraySlice<UInt8>, at origin: Int64, of track: VideoTrackHead) -> Int? {
        for box in BoxPlace.list(fragment).first?.children ?? [] where box.kind == "traf" {
            let children = box.children
            guard let head = children.first(where: { $0.kind == "tfhd" }),
                var header = TrackFragmentHeader(head.body, origin: origin, before: 0), header.track == track.id
            else { continue }
            header.complete(entry: 1, size: track.defaultSize)
            guard let box = children.first(where: { $0.kind == "trun" }),
                var run = TrackRun(box.body, defaultSize: header.size), let offset = run.offset, let size = run.next(), size > 0
            else { return nil }
            let end = header.base.saturatingAdd(offset).saturatingAdd(Int64(size))
            return (1...Int64(Self.limit)).contains(end) ? Int(end) : nil
        }
        return nil
    }

    // MARK: - MPEG-TS

    private static let packetSize = 188

    /// Up to the packet with which the second frame of the video begins.
    private static func transport(_ head: ArraySlice<UInt8>) -> KeyFrameExtent {
        var video: Int?
        var place = head.startIndex
        while place + packetSize <= head.endIndex {
            let packet = head[place..<(place + packetSize)]
            guard packet.first == 0x47 else { return .unknown }
            if let id = beginsVideo(packet) {
                if video == id { return .bytes(place - head.startIndex) }
                video = video ?? id
            }
            place += packetSize
        }
        return .atLeast(max(32 << 10, head.count * 2))
    }

    /// The stream's number where a frame of video begins in the packet (ISO/IEC 13818-1, 2.4.3.6).
    private static func beginsVideo(_ packet: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(packet)
        guard bytes[1] & 0x40 != 0, bytes[3] & 0x10 != 0 else { return nil }
        let start = 4 + (bytes[3] & 0x20 != 0 ? 1 + Int(bytes[4]) : 0)
        guard start + 4 <= bytes.count, bytes[start] == 0, bytes[start + 1] == 0, bytes[start + 2] == 1,
            bytes[start + 3] & 0xF0 == 0xE0 || bytes[start + 3] == 0xFD
        else { return nil }
        return Int(bytes[1] & 0x1F) << 8 | Int(bytes[2])
    }
}

/// The first track of video in the head of a file (`moov`).
struct VideoTrackHead {
    let id: Int
    /// Of samples of which nothing is written.
    let defaultSize: Int

    /// Looks through the boxes that bytes begin with; nil where there is none.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let movie = BoxPlace.list(bytes).first(where: { $0.kind == "moov" }) else { return nil }
        let tracks = movie.children.filter { $0.kind == "trak" }
        guard let track = tracks.first(where: { Self.isVideo($0) }), let id = MovieProtection.number(of: track) else {
            return nil
        }
        let box = movie.child("mvex")?.children.first { $0.kind == "trex" && $0.body.dropFirst(4).bigEndian(4) == id }
        (self.id, defaultSize) = (id, box?.body.dropFirst(16).bigEndian(4) ?? 0)
    }

    private static func isVideo(_ track: BoxPlace) -> Bool {
        track.descendant("mdia", "hdlr")?.body.dropFirst(8).prefix(4).elementsEqual("vide".utf8) ?? false
    }
}
