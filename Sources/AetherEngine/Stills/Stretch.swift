import AetherCore
import AetherMedia

/// The packets from a key frame to a point, looked at before they are decoded: a still that a later one covers at the point is left out
/// if no other needs it.
struct Stretch {
    let point: MediaTime
    /// Bytes that are looked at; what does not fit is decoded all.
    let limit: Int
    private static let timelessLimit = 32
    private var packets: [Packet] = []
    private var head = 0
    private var byteCount = 0
    private var hasLast = false
    /// The start of the last frame at or before the point; nil while that is not known.
    private var last: MediaTime?

    init(point: MediaTime, limit: Int) {
        self.point = point
        self.limit = limit
    }

    /// Takes packets in until one is decoded behind the point, or the limit is reached, or none are left.
    mutating func fill(_ next: () throws(MediaError) -> Packet?) throws(MediaError) {
        guard head == packets.count else { return }
        packets.removeAll(keepingCapacity: true)
        (head, byteCount, last) = (0, 0, nil)
        var newest: MediaTime?
        var timeless = 0
        let isFirst = !hasLast
        while byteCount < limit {
            guard let packet = try next() else {
                if isFirst { last = newest }
                break
            }
            packets.append(packet)
            byteCount += packet.byteCount
            if let pts = packet.pts, pts <= point { newest = max(newest ?? pts, pts) }
            if let dts = packet.dts, dts > point {
                if isFirst { last = newest }
                break
            }
            // Matroska has no decoding times for the first few packets; where there are none at all, there is nothing to look at.
            timeless = packet.dts == nil ? timeless + 1 : 0
            if timeless > Self.timelessLimit { break }
        }
        hasLast = true
    }

    mutating func popFirst() -> Packet? {
        guard head < packets.count else { return nil }
        defer { head += 1 }
        return packets[head]
    }

    /// Whether a later still is shown at the point, so that this one is only needed if others are made of it.
    func isCovered(_ packet: Packet) -> Bool {
        guard let last, let pts = packet.pts else { return false }
        return pts < last
    }
}
