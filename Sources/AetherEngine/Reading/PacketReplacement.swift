import AetherCore
import AetherMedia

/// The packets of another quality that take the place of held ones from a point on: collected until they reach as far as the decoder is, so that
/// it never waits for them.
struct PacketReplacement {
    /// Where they begin, by the manifest.
    let point: MediaTime
    private(set) var packets: [Packet] = []
    private var byteCount = 0
    private var newest: MediaTime?

    /// Manifests round their durations, and the sums of them.
    static let rounding = TimeSpan.milliseconds(100)
    /// How far ahead of the decoder they reach.
    private static let lead = TimeSpan.milliseconds(300)
    /// No more of them are collected, whatever their times say.
    private static let limit = (count: 8192, bytes: 16 << 20)

    /// Those from a point on.
    init(from point: MediaTime) { self.point = point }

    /// The first time that they replace: by their own key packet, where they have one.
    var start: MediaTime { (packets.first { $0.isKey }?.pts ?? point) - Self.rounding }

    mutating func append(_ packet: Packet) {
        packets.append(packet)
        byteCount += packet.byteCount
        if let time = packet.dts ?? packet.pts { newest = max(newest ?? time, time) }
    }

    /// Whether they take their place now. `next`: what the decoder takes next; nil where it has nothing.
    func isDue(at next: MediaTime?) -> Bool {
        guard let next, packets.count < Self.limit.count, byteCount < Self.limit.bytes else { return true }
        return newest.map { $0 > next + Self.lead } ?? false
    }
}
