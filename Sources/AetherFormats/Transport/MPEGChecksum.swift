/// CRC-32 of MPEG-2 (ISO/IEC 13818-1, annex A: polynomial 0x04C11DB7, highest bit first, no reflection).
public enum MPEGChecksum {
    /// The checksum of bytes, from all ones on; from zero on it is that of an Ogg page (RFC 3533). Over a section with its own checksum: 0 for
    /// one that is whole.
    public static func of(_ bytes: some Sequence<UInt8>, from start: UInt32 = .max) -> UInt32 {
        var sum = start
        for byte in bytes { sum = table[Int(sum >> 24 ^ UInt32(byte))] ^ sum << 8 }
        return sum
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number) << 24) { value, _ in value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1 }
    }
}
