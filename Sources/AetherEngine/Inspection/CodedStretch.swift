import AetherCore
import AetherMedia

/// The frames of a stretch as they come out of a decoder, joined with the packets that they came from. A value.
struct CodedStretch {
    private struct Entry {
        let order: Int
        let pts, dts: MediaTime?
        let isKey: Bool
        let byteCount: Int
        var time: TimeSpan
        var isReference: Bool?
        var isTaken = false
    }
    private var packets: [Entry] = []
    private var count = 0
    private(set) var frames: [CodedFrame] = []

    /// Frames before the point that are kept: more than a minute between key frames is rare.
    static let limit = 2000

    /// A packet that was sent, and the time that it took.
    mutating func send(_ packet: Packet, took time: TimeSpan, isReference: Bool?) {
        count += 1
        packets.append(
            Entry(
                order: count, pts: packet.pts, dts: packet.dts, isKey: packet.isKey, byteCount: packet.byteCount, time: time,
                isReference: isReference))
        if packets.count > 256 { packets.removeFirst(128) }
    }

    /// More time that the packet took which was sent last.
    mutating func add(_ time: TimeSpan) {
        if let last = packets.indices.last { packets[last].time = packets[last].time + time }
    }

    /// A frame came out. Its packet is the one of that time; where the container has no times of showing, the oldest that gave none yet.
    mutating func take(
        pts: MediaTime?, type: FrameType, quantisers: QuantiserMap?, vectorCount: Int, isReference ofType: Bool?
    ) {
        let place =
            packets.firstIndex { !$0.isTaken && $0.pts != nil && $0.pts == pts }
            ?? packets.firstIndex { !$0.isTaken && $0.pts == nil }
        var entry: Entry?
        if let place {
            packets[place].isTaken = true
            entry = packets[place]
        }
        frames.append(
            CodedFrame(
                decodeOrder: entry?.order, pts: pts ?? entry?.pts, dts: entry?.dts, isKey: entry?.isKey ?? false, type: type,
                byteCount: entry?.byteCount ?? 0, quantiser: quantisers?.mean,
                quantiserEnds: quantisers.map { $0.least...max($0.least, $0.most) }, vectorCount: vectorCount,
                isReference: entry?.isReference ?? ofType, decodeTime: entry?.time ?? .zero))
        if frames.count > Self.limit { frames.removeFirst(Self.limit / 2) }
    }

    /// The last frame that begins at or before a point; the first where none does.
    func shown(at point: MediaTime) -> Int? {
        frames.lastIndex { frame in frame.pts.map { $0 <= point } ?? false } ?? (frames.isEmpty ? nil : 0)
    }
}
