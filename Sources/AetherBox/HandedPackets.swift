import AetherCore
import AetherMedia

/// Packets that a demuxer in a box hands over with one answer. Their payloads lie one behind the other in the tray, those that are too long for it
/// in the answer itself.
struct HandedPackets {
    /// The most packets of one answer, and the bytes of payloads behind which none is added: so much is read at once, whoever waits for the first.
    static let most = 8, fullBytes = 256 << 10

    /// A packet of an answer.
    struct Packet {
        /// Where its record lies in the answer.
        let record: Range<Int>
        /// The byte of the tray at which its payload begins, where that lies there.
        let offset: Int
        let damageCount: Int
        let isCut: Bool
        let position: Int64?
    }

    /// The answer itself.
    let bytes: [UInt8]
    private(set) var packets: ArraySlice<Packet>

    /// None.
    init() { (bytes, packets) = ([], []) }

    /// The packets of an answer; nil where it makes no sense.
    init?(_ bytes: [UInt8]) {
        var reader = RecordReader(bytes)
        let packets = (0..<reader.integer(in: UInt8(1)...UInt8(Self.most))).map { _ in
            let damage = Int(reader.integer(in: Int32(0)...Int32.max)), isCut = reader.bool()
            let position = reader.optional { $0.integer(in: Int64(0)...Int64.max) }
            let offset = Int(reader.integer(in: Int32(0)...Int32(SharedTray.halfBytes)))
            return Packet(record: reader.range(), offset: offset, damageCount: damage, isCut: isCut, position: position)
        }
        guard reader.isWhole else { return nil }
        (self.bytes, self.packets) = (bytes, packets[...])
    }

    /// Takes the next one off; nil where there is none.
    mutating func next() -> Packet? { packets.popFirst() }

    /// Leaves out those of which something is not so.
    mutating func keep(_ isKept: (Packet) -> Bool) { packets = packets.filter(isKept)[...] }

    /// The worker's side: an answer as it grows.
    struct Writer {
        private var record = RecordWriter()
        private var count: UInt8 = 0
        private let tray: UnsafeMutableRawBufferPointer
        private var used = 0

        /// Payloads lie in `tray`.
        init(_ tray: UnsafeMutableRawBufferPointer) { self.tray = tray }

        /// Nothing is added to it.
        var isFull: Bool { count >= HandedPackets.most || used >= HandedPackets.fullBytes }

        /// Adds a packet; false where it cannot leave.
        mutating func put(_ packet: AetherMedia.Packet, damageCount: Int, isCut: Bool, position: Int64?) -> Bool {
            let room = UnsafeMutableRawBufferPointer(rebasing: tray[used...])
            guard let bytes = PacketRecord.bytes(of: packet, apart: room) else { return false }
            record.put(Int32(clamping: damageCount))
            record.put(isCut)
            record.put(position) { $0.put($1) }
            record.put(Int32(clamping: used))
            record.put(bytes)
            count += 1
            // The next payload begins at a cache line. One that lies in its record fills the answer.
            used = packet.byteCount > room.count ? tray.count : min(tray.count, (used + packet.byteCount + 63) & ~63)
            return true
        }

        /// The answer, nil before there is a packet.
        var answer: [UInt8]? { count == 0 ? nil : [count] + record.bytes }
    }
}
