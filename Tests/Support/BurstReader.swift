/// Reads IEC 61937 bursts as a receiver does: Pa Pb Pc Pd, then the payload. Little-endian 16-bit words.
public struct BurstReader {
    /// One burst.
    public struct Burst: Equatable {
        /// Where Pa begins.
        public let offset: Int
        /// Pc: the data type and its flags.
        public let type: Int
        /// The payload in the codec's own byte order.
        public let payload: [UInt8]
    }

    /// All bursts. Pd counts bits, or bytes for the high bit rate types (E-AC-3, TrueHD); `isByteCount` says which.
    public static func bursts(_ bytes: [UInt8], isByteCount: Bool) -> [Burst] {
        var found: [Burst] = []
        var at = 0
        func word(_ index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }
        while at + 8 <= bytes.count {
            guard word(at) == 0xF872, word(at + 2) == 0x4E1F else {
                at += 2
                continue
            }
            let length = isByteCount ? word(at + 6) : word(at + 6) / 8
            let padded = (length + 1) & ~1
            guard at + 8 + padded <= bytes.count else { break }
            var payload: [UInt8] = []
            for index in stride(from: at + 8, to: at + 8 + padded, by: 2) { payload += [bytes[index + 1], bytes[index]] }
            found.append(Burst(offset: at, type: word(at + 4), payload: Array(payload.prefix(length))))
            at += 8 + padded
        }
        return found
    }
}
