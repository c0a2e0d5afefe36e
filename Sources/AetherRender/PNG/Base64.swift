/// RFC 4648 with padding.
enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The two letters of 12 bits, first letter lowest in memory.
    private static let pairs: [UInt16] = (0..<4096).map { (value: Int) -> UInt16 in
        (UInt16(letters[value >> 6]) | UInt16(letters[value & 63]) << 8).littleEndian
    }

    /// Letters of so many bytes.
    static func length(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Appends bytes as letters.
    static func append(_ bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
        guard let source = bytes.baseAddress else { return }
        let count = bytes.count
        pairs.withUnsafeBufferPointer { pairs in
            buffer.appendUnchecked(limit: length(count)) { room in
                var at = 0
                var next = UnsafeMutableRawPointer(room)
                while at + 3 <= count {
                    let a = UInt32(source.load(fromByteOffset: at, as: UInt8.self))
                    let b = UInt32(source.load(fromByteOffset: at + 1, as: UInt8.self))
                    let c = UInt32(source.load(fromByteOffset: at + 2, as: UInt8.self))
                    let bits = a << 16 | b << 8 | c
                    next.storeBytes(of: pairs[Int(bits >> 12)], as: UInt16.self)
                    next.storeBytes(of: pairs[Int(bits & 4095)], toByteOffset: 2, as: UInt16.self)
                    next += 4
                    at += 3
                }
                if at < count {
                    let a = UInt32(source.load(fromByteOffset: at, as: UInt8.self))
                    let b = at + 1 < count ? UInt32(source.load(fromByteOffset: at + 1, as: UInt8.self)) : 0
                    let bits = a << 16 | b << 8
                    next.storeBytes(of: pairs[Int(bits >> 12)], as: UInt16.self)
                    let third = at + 1 < count ? letters[Int(bits >> 6 & 63)] : 0x3D
                    next.storeBytes(of: third, toByteOffset: 2, as: UInt8.self)
                    next.storeBytes(of: 0x3D, toByteOffset: 3, as: UInt8.self)
                }
                return length(count)
            }
        }
    }
}
