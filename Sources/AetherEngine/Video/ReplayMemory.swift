import AetherCore
import AetherMedia

/// The packets of which another decoder can make the frames again that have not come out yet: from the key frame at or before the newest
/// frame on. Bounded; its payloads are mostly in the cache as well.
struct ReplayMemory: Sendable {
    /// Ten seconds of 50 Mbit/s, and half a minute of 60 frames a second.
    static let limits = (bytes: 64 << 20, packets: 1800)

    private(set) var packets: [Packet] = []
    /// The newest frame that came out.
    private(set) var newestOut: MediaTime?
    /// The stretch between key frames is too long: nothing is kept until the next one.
    private(set) var isCut = false
    private var byteCount = 0
    private var keyCount = 0

    /// The decoder has, or refused, a packet.
    mutating func note(_ packet: Packet) {
        if packet.isKey { isCut = false }
        guard !isCut else { return }
        packets.append(packet)
        byteCount += packet.byteCount
        if packet.isKey { keyCount += 1 }
        guard byteCount > Self.limits.bytes || packets.count > Self.limits.packets else { return }
        (packets, byteCount, keyCount, isCut) = ([], 0, 0, true)
    }

    /// A frame came out. Those before its key frame are out, too: what precedes a key frame is shown before it.
    mutating func noteOut(_ pts: MediaTime?) {
        guard let pts else { return }
        newestOut = max(newestOut ?? pts, pts)
        guard keyCount > 1, let first = packets.lastIndex(where: { $0.isKey && ($0.pts.map { $0 <= pts } ?? false) }), first > 0
        else { return }
        for packet in packets[..<first] {
            byteCount -= packet.byteCount
            if packet.isKey { keyCount -= 1 }
        }
        packets.removeFirst(first)
    }
}
