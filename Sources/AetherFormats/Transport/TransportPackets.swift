/// The way in which packets of an MPEG transport stream follow one another (ISO/IEC 13818-1): 188 bytes, with 4 of a time stamp before
/// them on discs, or 16 of a checksum behind them.
public struct TransportPackets: Sendable, Equatable {
    /// Bytes from one packet to the next: 188, 192 or 204.
    public let size: Int
    /// Where the first one's sync byte lies.
    public let start: Int

    private static let sync: UInt8 = 0x47

    /// By the first bytes; nil where they are none. Every packet in them must have its sync byte: three of them, or two where the first byte
    /// is one, or one where the bytes are whole packets.
    public init?(_ head: [UInt8]) {
        for size in [188, 192, 204] {
            for start in 0..<min(size, head.count) where head[start] == Self.sync {
                let places = stride(from: start, to: head.count, by: size)
                let count = (head.count - start + size - 1) / size
                guard places.allSatisfy({ head[$0] == Self.sync }) else { continue }
                guard count >= 3 || start == 0 && size == 188 && (count == 2 || head.count == size) else { continue }
                (self.size, self.start) = (size, start)
                return
            }
        }
        return nil
    }
}
