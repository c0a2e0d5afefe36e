import AetherCore
import AetherMedia

/// The packets of one stream on their way to its decoder, oldest first.
struct PacketLane {
    private var packets: [Packet?] = []
    private var head = 0
    private(set) var byteCount = 0
    /// The stream has no more packets in this epoch.
    var hasEnded = false
    /// The time of the newest packet.
    private(set) var newest: MediaTime?
    /// Decode times rise and lie before the showing times: every picture up to here is queued or was taken. nil where the file gives
    /// none.
    private(set) var decodedUntil: MediaTime?

    var count: Int { packets.count - head }
    var isEmpty: Bool { head == packets.count }

    /// How much playing time is queued, by decode time stamps; 0 where the file gives none.
    var span: TimeSpan {
        guard !isEmpty, let newest, let first = packets[head], let oldest = first.dts ?? first.pts else { return .zero }
        return max(.zero, newest - oldest)
    }

    mutating func append(_ packet: Packet) {
        packets.append(packet)
        byteCount += packet.byteCount
        if let time = packet.dts ?? packet.pts { newest = time }
        if let dts = packet.dts { decodedUntil = dts }
    }

    /// Whether a queued packet is shown at such a time.
    func contains(_ isWanted: (MediaTime) -> Bool) -> Bool { packets[head...].contains { $0?.pts.map(isWanted) ?? false } }

    mutating func popFirst() -> Packet? {
        guard head < packets.count else { return nil }
        let packet = packets[head]
        // Let go at once: what was popped must not stay alive outside the limit.
        packets[head] = nil
        head += 1
        byteCount -= packet?.byteCount ?? 0
        // The slots are dropped in batches, once they are half of the array.
        if head >= 32 && head * 2 >= packets.count {
            packets.removeFirst(head)
            head = 0
        }
        return packet
    }

    mutating func removeAll() {
        packets.removeAll(keepingCapacity: true)
        head = 0
        byteCount = 0
        newest = nil
        decodedUntil = nil
        hasEnded = false
    }
}
