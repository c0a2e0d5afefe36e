/// The checksum of an Ogg page (RFC 3533): the polynomial of MPEG's, from zero, highest bit first.
enum OggChecksum {
    /// Of a page whose own field of the sum is zero.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum: UInt32 = 0
        for byte in bytes { sum = table[Int(sum >> 24 ^ UInt32(byte))] ^ sum << 8 }
        return sum
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number) << 24) { value, _ in value & 0x8000_0000 != 0 ? value << 1 ^ 0x04c1_1db7 : value << 1 }
    }
}
