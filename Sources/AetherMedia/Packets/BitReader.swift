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

    /// An unsigned Exp-Golomb code of at most 32 bits behind its zeros; more are an overrun.
    mutating func exponentialGolomb() -> Int {
        var zeros = 0
        while !flag() {
            zeros += 1
            if zeros > 32 || isOverrun {
                position = bytes.count * 8 + 1
                return 0
            }
        }
        return (1 << zeros) - 1 + read(zeros)
    }

    /// A signed one: 0 1 -1 2 -2.
    mutating func signedExponentialGolomb() -> Int {
        let code = exponentialGolomb()
        return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
    }

    /// The next bits, 1...32, as a number with a sign.
    mutating func signed(_ count: Int) -> Int {
        let value = read(count)
        return value >> (count - 1) & 1 == 1 ? value - (1 << count) : value
    }

    /// On to the next whole byte.
    mutating func align() { position = (position + 7) & ~7 }
}
