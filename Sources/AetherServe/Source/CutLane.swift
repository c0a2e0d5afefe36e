import AetherCore
import AetherMedia

/// A packet that waits for being cut.
struct LanePacket {
    let packet: Packet
    let form: TrackForm

    var isKey: Bool { packet.isKey }
    var time: MediaTime? { packet.pts ?? packet.dts }
}

/// Packets of one track that were read and not yet cut. Pure.
struct CutLane {
    let kind: ServedTrack.Kind
    /// Decoded audio that an encoder needs before and behind a segment; zero where packets are copied.
    let lead, tail: TimeSpan
    /// Of video that is encoded: frames before a border may be made of packets behind it.
    let hasTail: Bool
    private(set) var packets: [LanePacket] = []
    private(set) var texts: [DecodedSubtitle] = []
    private(set) var byteCount = 0

    init(_ track: ServedTrack) {
        kind = track.kind
        (lead, tail) = track.bridge == nil ? (.zero, .zero) : (SegmentBridge.lead, SegmentBridge.tail)
        hasTail = track.coding?.transcoder != nil
    }

    mutating func add(_ packet: Packet, _ form: TrackForm) {
        packets.append(LanePacket(packet: packet, form: form))
        byteCount += packet.byteCount
    }

    mutating func add(_ subtitles: [DecodedSubtitle]) {
        // 5000 texts in one segment are no subtitles.
        texts.append(contentsOf: subtitles.prefix(max(0, 5000 - texts.count)))
    }

    mutating func clear() { (packets, texts, byteCount) = ([], [], 0) }

    /// Whether all of a segment is here, by a packet behind it.
    func isComplete(_ number: Int, _ plan: SegmentPlan) -> Bool {
        switch kind {
        case .text: return true
        case .video:
            guard let border = border(behind: number, plan) else { return false }
            return !hasTail || self.tail(from: border) < packets.count
        case .audio:
            guard let end = plan.range(number)?.upperBound, let last = packets.last?.time else { return false }
            return last >= end + tail
        }
    }

    /// Of video: the first packet that belongs to a later segment.
    private func border(behind number: Int, _ plan: SegmentPlan) -> Int? {
        // Nearly always it is the last one that came.
        guard let last = packets.last, last.isKey, let time = last.time, plan.number(at: time, isKey: true) > number else {
            return packets.firstIndex { $0.isKey && ($0.time.map { plan.number(at: $0, isKey: true) } ?? 0) > number }
        }
        return packets.firstIndex { $0.isKey && ($0.time.map { plan.number(at: $0, isKey: true) } ?? 0) > number }
    }

    /// The end of the packets from a border on that are shown before its key frame, and of that one.
    private func tail(from border: Int) -> Int {
        guard let key = packets[border].time else { return border }
        return packets[(border + 1)...].firstIndex { $0.time.map { $0 > key } ?? true } ?? packets.count
    }

    /// Whether the key frame that a segment begins with was read, or one before it.
    func reachesBack(to number: Int, _ plan: SegmentPlan) -> Bool {
        guard kind == .video, number > 0 else { return true }
        guard let first = packets.first(where: \.isKey), let time = first.time else { return false }
        return plan.number(at: time, isKey: true) <= number
    }

    /// The packets of a segment, and the first one behind it. `around`: those too that decoding needs.
    func segment(_ number: Int, _ plan: SegmentPlan, around: Bool = false) -> (packets: [LanePacket], next: Packet?) {
        switch kind {
        case .text: return ([], nil)
        case .video:
            let end = border(behind: number, plan) ?? packets.count
            let start = packets.firstIndex { packet in
                packet.isKey && (number == 0 || packet.time.map { plan.number(at: $0, isKey: true) } == number)
            }
            guard let start, start < end else { return ([], nil) }
            let last = around && end < packets.count ? tail(from: end) : end
            return (Array(packets[start..<last]), end < packets.count ? packets[end].packet : nil)
        case .audio:
            guard let range = plan.range(number) else { return ([], nil) }
            guard around else {
                let own = packets.filter { packet in
                    packet.time.map { plan.number(at: $0, isKey: false) == number && (plan.count > number) } ?? false
                }
                return (own, nil)
            }
            let start = range.lowerBound - lead, end = range.upperBound + tail
            return (packets.filter { packet in packet.time.map { $0 >= start && $0 < end } ?? false }, nil)
        }
    }

    /// The texts that begin in a segment.
    func texts(of number: Int, _ plan: SegmentPlan) -> [DecodedSubtitle] {
        guard let range = plan.range(number) else { return [] }
        let isLast = plan.isComplete && number == plan.count - 1
        return texts.filter { (number == 0 || $0.start >= range.lowerBound) && (isLast || $0.start < range.upperBound) }
    }

    /// Forgets what lies before a segment, but for what its decoding needs.
    mutating func drop(before number: Int, _ plan: SegmentPlan) {
        guard number < plan.starts.count else { return clear() }
        let start = plan.starts[number]
        switch kind {
        case .text: texts.removeAll { $0.start < start }
        case .video:
            let border = packets.firstIndex {
                $0.isKey && ($0.time.map { plan.number(at: $0, isKey: true) } ?? 0) >= number
            }
            packets.removeFirst(border ?? packets.count)
        case .audio: packets.removeAll { packet in packet.time.map { $0 < start - lead } ?? true }
        }
        byteCount = packets.reduce(0) { $0 + $1.packet.byteCount }
    }
}
