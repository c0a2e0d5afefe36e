import AetherCore
import AetherMedia

/// The packets on their way to a recording. Bounded: a disk that is too slow costs packets, and never the memory. Pure.
struct RecorderQueue {
    /// One step of a recording.
    enum Item: Sendable {
        case described(SourceDescription)
        case packet(Packet)
        /// The packets that follow are from another place.
        case run
        /// Nothing follows.
        case end
    }
    private(set) var items: [Item] = []
    private var waitingBytes = 0
    private(set) var isClosed = false
    private var isDropping = false
    /// Packets had to be left out.
    private(set) var hasOverflowed = false
    /// 64 MB are 20 s of a video at 25 Mbit/s.
    static let limit = 64 << 20

    /// Takes a packet. `isHeld`: the cache keeps it anyway, so that it counts for nothing.
    mutating func put(_ packet: Packet, isHeld: Bool = false) {
        guard !isClosed else { return }
        // Once full, half of it has to be free before it goes on: else single packets would come through.
        if isDropping, waitingBytes > Self.limit / 2 { return }
        if isDropping {
            isDropping = false
            items.append(.run)
        }
        guard isHeld || waitingBytes + packet.byteCount <= Self.limit else {
            (isDropping, hasOverflowed) = (true, true)
            return
        }
        items.append(.packet(packet))
        if !isHeld { waitingBytes += packet.byteCount }
    }

    mutating func put(_ description: SourceDescription) { if !isClosed { items.append(.described(description)) } }

    mutating func beginRun() { if !isClosed { items.append(.run) } }

    mutating func close() {
        guard !isClosed else { return }
        isClosed = true
        items.append(.end)
    }

    /// Gives up what waits: nothing can be written any more.
    mutating func abandon() { (items, waitingBytes, isClosed) = ([], 0, true) }

    /// Takes out all that waits.
    mutating func takeAll() -> [Item] {
        defer { (items, waitingBytes) = ([], 0) }
        return items
    }
}
