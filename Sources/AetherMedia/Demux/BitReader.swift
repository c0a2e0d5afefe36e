/// Reads bits of hostile bytes, most significant first. Past the end it gives zeros and says so. Pure.
struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Whether more was read than there is.
    var isOverrun: Bool { position > bytes.count * 8 }

    /// The next bits as a number, 0...32 of them.
    mutating func read(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<min(max(count, 0), 32) {
            let byte = position >> 3
            let bit = byte < bytes.count ? Int(bytes[byte] >> (7 - UInt8(position & 7)) & 1) : 0
            value = value << 1 | bit
            position += 1
        }
        return value
    }

    /// The next bit.
    mutating func flag() -> Bool { read(1) == 1 }

    mutating func skip(_ count: Int) { position += max(0, count) }

    /// Skips so many bits if the next one says that they are there.
    mutating func skipOptional(_ count: Int) { if flag() { skip(count) } }
}
