/// CRC-32 as zip, gzip and PNG have it, taken in piece by piece.
public struct Checksum: Sendable, Equatable {
    private var register: UInt32 = 0xFFFF_FFFF

    /// The checksum of no bytes.
    public init() {}

    /// Goes on behind so many bytes, of which the sum is known.
    public init(going sum: UInt32, behind count: Int64) { if count > 0 { register = ~sum } }

    /// Takes in further bytes: about 1 GB/s.
    public mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var register = self.register
        Self.tables.withUnsafeBufferPointer { tables in
            var place = 0
            while place + 8 <= bytes.count {
                let low = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian ^ register
                let high = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self).littleEndian
                register = tables[7 << 8 | Int(low & 0xFF)] ^ tables[6 << 8 | Int(low >> 8 & 0xFF)]
                register ^= tables[5 << 8 | Int(low >> 16 & 0xFF)] ^ tables[4 << 8 | Int(low >> 24)]
                register ^= tables[3 << 8 | Int(high & 0xFF)] ^ tables[2 << 8 | Int(high >> 8 & 0xFF)]
                register ^= tables[1 << 8 | Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
                place += 8
            }
            while place < bytes.count {
                register = register >> 8 ^ tables[Int((register ^ UInt32(bytes[place])) & 0xFF)]
                place += 1
            }
        }
        self.register = register
    }

    /// The checksum of all bytes that were taken in.
    public var value: UInt32 { ~register }

    /// The checksum of some bytes.
    public static func of(_ bytes: some Collection<UInt8>) -> UInt32 {
        var sum = Checksum()
        if bytes.withContiguousStorageIfAvailable({ sum.take(UnsafeRawBufferPointer($0)) }) == nil {
            Array(bytes).withUnsafeBytes { sum.take($0) }
        }
        return sum.value
    }

    /// Eight tables of 256: what a byte does that is followed by none to seven others.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { (0..<8).reduce(UInt32($0)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) } }
        for place in 256..<2048 { tables.append(tables[place - 256] >> 8 ^ tables[Int(tables[place - 256] & 0xFF)]) }
        return tables
    }()
}
