import CFFmpeg

/// AES-128 as encryptors of tests need it: one block at a time.
final class TestAES {
    private let context: OpaquePointer

    init(_ key: [UInt8]) {
        context = av_aes_alloc()
        av_aes_init(context, key, 128, 0)
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
}
