/// The index of a cached file: which file it is, and the blocks of it that are held with the sum of each. A head, and records of 16 bytes that
/// are appended as blocks come: one that was half written when a program died is told by its check. Pure; any bytes may be in it.
struct CacheIndex: Sendable, Equatable {
    /// Bytes of a block; the last one of a file is shorter.
    static let blockSize = 64 << 10
    /// 4 TB.
    static let sizeLimit: Int64 = 1 << 42
    static let recordSize = 16
    private static let magic = Array("AETHERWEB1\n".utf8)
    /// Validators are bounded where they are read.
    private static let validatorLimit = 256

    /// Bytes of the whole file.
    let size: Int64
    /// ETag in quotes, or the time of the last change.
    let validator: String
    /// By the block's number.
    var sums: [UInt32: UInt64] = [:]

    /// An index of no blocks; nil for a file that cannot be told from others.
    init?(size: Int64, validator: String) {
        guard 1...Self.sizeLimit ~= size, 1...Self.validatorLimit ~= validator.utf8.count,
            validator.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
        else { return nil }
        (self.size, self.validator) = (size, validator)
    }

    /// Reads an index; nil where its head is none. Records that are damaged, or of no block of the file, are left out.
    init?(_ bytes: [UInt8]) {
        let fixed = Self.magic.count + 8 + 2
        guard bytes.starts(with: Self.magic), bytes.count >= fixed else { return nil }
        let size = Int64(truncatingIfNeeded: Self.number(bytes[Self.magic.count..<Self.magic.count + 8]))
        let length = Int(Self.number(bytes[fixed - 2..<fixed]))
        let end = fixed + length
        guard length <= Self.validatorLimit, bytes.count >= end + 8,
            Self.number(bytes[end..<end + 8]) == Self.sum(bytes[..<end]),
            let index = CacheIndex(size: size, validator: String(decoding: bytes[fixed..<end], as: UTF8.self))
        else { return nil }
        self = index
        var place = end + 8
        while place + Self.recordSize <= bytes.count {
            let record = bytes[place..<place + Self.recordSize]
            place += Self.recordSize
            let block = UInt32(truncatingIfNeeded: Self.number(record.prefix(4)))
            let check = UInt32(truncatingIfNeeded: Self.number(record.dropFirst(4).prefix(4)))
            let sum = Self.number(record.suffix(8))
            guard check == Self.check(block, sum), byteCount(of: block) > 0 else { continue }
            sums[block] = sum
        }
    }

    /// The most bytes that an index of the file may have: each block a few times.
    static func byteLimit(_ size: Int64) -> Int64 { 1024 + 4 * Int64(recordSize) * (size / Int64(blockSize) + 1) }

    /// Bytes of a block; 0 for one that the file does not have.
    func byteCount(of block: UInt32) -> Int {
        let start = Int64(block) * Int64(Self.blockSize)
        return Int(max(0, min(Int64(Self.blockSize), size - start)))
    }

    /// The index without blocks, as it is written.
    var head: [UInt8] {
        let text = Array(validator.utf8)
        let bytes = Self.magic + Self.bytes(UInt64(size), 8) + Self.bytes(UInt64(text.count), 2) + text
        return bytes + Self.bytes(Self.sum(bytes[...]), 8)
    }

    /// The record of a block.
    static func record(of block: UInt32, sum: UInt64) -> [UInt8] {
        bytes(UInt64(block), 4) + bytes(UInt64(check(block, sum)), 4) + bytes(sum, 8)
    }

    private static func check(_ block: UInt32, _ sum: UInt64) -> UInt32 {
        let mixed = (sum ^ UInt64(block) &* 0x9E37_79B9_7F4A_7C15) &* 0xFF51_AFD7_ED55_8CCD
        return UInt32(truncatingIfNeeded: mixed >> 32) | 1
    }

    /// A sum over bytes, eight at a time: against torn writes and worn disks, not against people.
    static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        var place = 0
        while place + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
            sum ^= sum >> 29
            place += 8
        }
        while place < bytes.count {
            sum = (sum ^ UInt64(bytes[place])) &* 0x100_0000_01B3
            place += 1
        }
        return sum ^ sum >> 32
    }

    private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.withUnsafeBytes { sum($0) } }

    /// Little-endian.
    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
