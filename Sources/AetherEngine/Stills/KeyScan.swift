import AetherCore
import AetherMedia

/// The search for the key packet that decoding for a point begins with, over packets in the order of decoding. Pure.
struct KeyScan {
    private let point: MediaTime
    /// The first key packet is the one, as an index has led to it.
    private let stopsAtFirst: Bool
    private var limit: Int
    private var hasKey = false
    /// The key packet and what lies behind it; empty as long as there is none.
    private(set) var packets: [Packet] = []

    /// `limit`: bytes that are looked through behind the last key packet.
    init(_ point: MediaTime, limit: Int, stopsAtFirst: Bool) {
        (self.point, self.limit, self.stopsAtFirst) = (point, limit, stopsAtFirst)
        left = limit
    }

    private var left: Int

    /// Takes the next packet. Returns whether the search goes on.
    mutating func take(_ packet: Packet) -> Bool {
        let time = packet.pts ?? packet.dts
        // Without times one is as good as another: the first it is.
        if packet.isKey, !hasKey || time.map({ $0 <= point }) ?? false {
            // Packets before a key packet are not needed any more.
            (packets, left, hasKey) = ([], limit, true)
        }
        if hasKey { packets.append(packet) }
        left -= packet.byteCount
        if hasKey, stopsAtFirst || (packet.dts ?? packet.pts).map({ $0 > point }) ?? true { return false }
        return left > 0
    }
}
