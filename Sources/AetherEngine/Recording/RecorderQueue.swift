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
        /// All packets are read from the past of a live source.
        case past(RecordedPast)
        /// The source's own bytes follow; the ending of a file of them, nil where the bytes say it.
        case raw(ending: String?)
        case bytes(RecordedBytes)
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
        guard !isClosed, hasRoom(for: isHeld ? 0 : packet.byteCount, isHeld: isHeld) else { return }
        items.append(.packet(packet))
        if !isHeld { waitingBytes += packet.byteCount }
    }

    /// Takes bytes of the source.
    mutating func put(_ chunk: RecordedBytes) {
        // The first segment of all may be larger than the queue.
        guard !isClosed, hasRoom(for: chunk.bytes.count, isHeld: waitingBytes == 0) else { return }
        items.append(.bytes(chunk))
        waitingBytes += chunk.bytes.count
    }

    /// Takes a step that is no packet.
    mutating func put(_ item: Item) { if !isClosed { items.append(item) } }

    /// Whether so many bytes more may wait; else they are left out.
    private mutating func hasRoom(for count: Int, isHeld: Bool) -> Bool {
        // Once full, half of it has to be free before it goes on: else single packets would come through.
        if isDropping, waitingBytes > Self.limit / 2 { return false }
        if isDropping {
            isDropping = false
            items.append(.run)
        }
        guard isHeld || waitingBytes + count <= Self.limit else {
            noteHole()
            isDropping = true
            return false
        }
        return true
    }

    /// A part of what was to be recorded is lost.
    mutating func noteHole() { hasOverflowed = true }

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
