import AetherCore
import AetherMedia

/// Brings the packets of several streams, which are read segment by segment, into the order of their decode times. Pure.
struct PacketMerge {
    private var queues: [StreamID: [Packet]] = [:]
    /// The first packet of each queue that is not taken yet.
    private var heads: [StreamID: Int] = [:]
    /// The time of each stream's last packet: some containers give none to the packets behind it.
    private var times: [StreamID: MediaTime] = [:]
    private(set) var byteCount = 0

    /// A stream without packets holds the others back for so many bytes: 10 s of 50 Mbit/s.
    static let limit = 64 << 20

    /// Merges packets of these streams. Streams that are seldom, as subtitles, are not waited for and not named here.
    init(_ streams: some Sequence<StreamID>) { for stream in streams { queues[stream] = [] } }

    mutating func put(_ packet: Packet) {
        queues[packet.stream, default: []].append(packet)
        byteCount += packet.byteCount
    }

    /// The next packet; nil where one that comes may belong before it. `isOver`: none comes any more.
    mutating func take(isOver: Bool) -> (packet: Packet, time: MediaTime)? {
        var best: (stream: StreamID, time: MediaTime)?
        for (stream, queue) in queues {
            let head = heads[stream] ?? 0
            guard head < queue.count else {
                if !isOver, byteCount < Self.limit { return nil }
                continue
            }
            let time = queue[head].dts ?? queue[head].pts ?? times[stream] ?? .zero
            if best.map({ (time, stream.source, stream.number) < ($0.time, $0.stream.source, $0.stream.number) }) ?? true {
                best = (stream, time)
            }
        }
        guard let best, let packet = pop(best.stream) else { return nil }
        times[best.stream] = best.time
        return (packet, best.time)
    }

    private mutating func pop(_ stream: StreamID) -> Packet? {
        let head = heads[stream] ?? 0
        guard let packet = queues[stream]?[head] else { return nil }
        byteCount -= packet.byteCount
        heads[stream] = head + 1
        // A queue gives its memory back from time to time.
        if head + 1 >= 256 || head + 1 == queues[stream]?.count {
            queues[stream]?.removeFirst(head + 1)
            heads[stream] = 0
        }
        return packet
    }
}
