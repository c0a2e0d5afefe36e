import AetherCore

/// The clock of packed audio: segments of bare audio begin with an ID3 tag that says the time stamp of their first sample (RFC 8216bis, 3.1.4).
public enum PackedAudioTime {
    private static let owner = BytePattern("com.apple.streaming.transportStreamTimestamp\0")

    /// The 33 bits of the time stamp in ticks of 90 kHz; nil where the bytes do not begin with such a tag.
    public static func ticks(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count > 20, bytes.starts(with: Array("ID3".utf8)) else { return nil }
        let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        let tag = bytes.prefix(10 + size)
        // Frame header of 10 bytes, the owner and eight bytes of number.
        guard let place = owner.first(in: tag) else { return nil }
        let number = tag.dropFirst(place + owner.count).prefix(8)
        guard number.count == 8 else { return nil }
        return number.reduce(Int64(0)) { $0 << 8 | Int64($1) } & (1 << 33 - 1)
    }
}
