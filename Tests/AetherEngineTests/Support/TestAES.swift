import CFFmpeg

/// AES as encryptors of tests need it: one block at a time.
final class TestAES {
    private let context: OpaquePointer
    private var stream: [UInt8] = []

    init(_ key: [UInt8]) {
        context = av_aes_alloc()
        av_aes_init(context, key, Int32(key.count * 8), 0)
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    func block(_ bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 16)
        av_aes_crypt(context, &result, bytes, 1, nil, 0)
        return result
    }

    /// Whole blocks of a range, each mixed with the one before; `stripe` is encrypted blocks and clear ones in turn. Returns the last block.
    @discardableResult
    func chain(_ bytes: inout [UInt8], _ range: Range<Int>, vector: [UInt8], stripe: (Int, Int) = (1, 0)) -> [UInt8] {
        var place = range.lowerBound, before = vector, number = 0
        while place + 16 <= range.upperBound {
            if number % (stripe.0 + stripe.1) < stripe.0 {
                before = block((0..<16).map { bytes[place + $0] ^ before[$0] })
                bytes.replaceSubrange(place..<(place + 16), with: before)
            }
            number += 1
            place += 16
        }
        return before
    }

    /// A whole segment: in CBC mode with padding, or by a counter of which the lower half counts.
    func whole(_ bytes: [UInt8], vector: [UInt8], isCounter: Bool) -> [UInt8] {
        guard isCounter else {
            let padding = 16 - bytes.count % 16
            var padded = bytes + [UInt8](repeating: UInt8(padding), count: padding)
            chain(&padded, 0..<padded.count, vector: vector)
            return padded
        }
        let low = vector.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return bytes.indices.map { place -> UInt8 in
            if place % 16 == 0 {
                let number = low &+ UInt64(place / 16)
                stream = block(Array(vector.prefix(8)) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
            }
            return bytes[place] ^ stream[place % 16]
        }
    }
}
