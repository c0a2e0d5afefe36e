/// The pieces (PES) of one stream out of the packets of a transport stream. Pure.
struct PacketPieces: Sendable {
    /// A whole piece.
    struct Piece: Sendable, Equatable {
        /// Its time stamp, in ticks of 90 kHz.
        let time: Int64?
        let bytes: [UInt8]
    }

    /// Bytes of a packet.
    static let packetSize = 188
    private let pid: Int
    private var bytes: [UInt8] = []
    private var isOpen = false
    /// A piece says its length in 16 bits.
    private static let limit = 6 + 0xFFFF

    init(pid: Int) { self.pid = pid }

    /// Takes a packet that begins with its sync byte. Gives the piece that it ends.
    mutating func take(_ packet: ArraySlice<UInt8>) -> Piece? {
        guard packet.count == Self.packetSize else { return nil }
        let start = packet.startIndex
        guard packet[start] == 0x47, Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2]) == pid,
            packet[start + 3] & 0x10 != 0, packet[start + 1] & 0x80 == 0
        else { return nil }
        let field = packet[start + 3] & 0x20 != 0 ? 1 + Int(packet[start + 4]) : 0
        guard 4 + field < packet.count else { return nil }
        let payload = packet[(start + 4 + field)...]
        if packet[start + 1] & 0x40 != 0 { (bytes, isOpen) = ([], true) }
        guard isOpen else { return nil }
        bytes += payload.prefix(Self.limit - bytes.count)
        guard bytes.count >= 9 else { return nil }
        let length = 6 + Int(bytes[4]) << 8 + Int(bytes[5])
        guard bytes.count >= length else { return nil }
        defer { (bytes, isOpen) = ([], false) }
        return Self.piece(bytes.prefix(length))
    }

    private static func piece(_ bytes: ArraySlice<UInt8>) -> Piece? {
        guard bytes.count > 9, bytes.starts(with: [0, 0, 1]), bytes[6] >> 6 == 2 else { return nil }
        let head = 9 + Int(bytes[8])
        guard head < bytes.count else { return nil }
        var time: Int64?
        if bytes[7] & 0x80 != 0, head >= 14 {
            let parts = bytes[9..<14].map { Int64($0) }
            time = (parts[0] >> 1 & 7) << 30 | parts[1] << 22 | (parts[2] >> 1) << 15 | parts[3] << 7 | parts[4] >> 1
        }
        return Piece(time: time, bytes: Array(bytes[head...]))
    }
}
