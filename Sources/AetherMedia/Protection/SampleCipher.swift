import AetherFormats
import CFFmpeg

/// AES-128 with one key, for samples of Common Encryption and of MPEG-TS. Owns libavutil's contexts; lives on one thread.
struct SampleCipher: ~Copyable {
    private static let block = 16
    /// For counters, which are enciphered, and for chains, which are deciphered.
    private let counter, chain: OpaquePointer
    /// Bytes of the counters of 256 blocks, and what becomes of them.
    private var room = [UInt8](repeating: 0, count: 256 * block)

    /// nil where the key has not 16 bytes, or without memory.
    init?(key: [UInt8]) {
        guard key.count == Self.block, let counter = av_aes_alloc() else { return nil }
        guard let chain = av_aes_alloc() else {
            av_free(UnsafeMutableRawPointer(counter))
            return nil
        }
        av_aes_init(counter, key, 128, 0)
        av_aes_init(chain, key, 128, 1)
        (self.counter, self.chain) = (counter, chain)
    }

    deinit {
        av_free(UnsafeMutableRawPointer(counter))
        av_free(UnsafeMutableRawPointer(chain))
    }

    /// Decrypts a whole sample in place. Parts beyond its end are left out.
    mutating func decrypt(_ sample: EncryptedSample, _ bytes: UnsafeMutableRawBufferPointer) {
        let scheme = sample.scheme
        var vector = sample.vector, used = 0, place = 0
        let parts = sample.parts.isEmpty ? [EncryptedSample.Part(clear: 0, encrypted: bytes.count)] : sample.parts
        for part in parts {
            place += part.clear
            guard place <= bytes.count else { return }
            let length = min(part.encrypted, bytes.count - place)
            let range = UnsafeMutableRawBufferPointer(rebasing: bytes[place..<(place + length)])
            switch scheme.kind {
            case .cenc: count(range, &vector, &used)
            case .cens: for stripe in Self.stripes(scheme, range) { count(stripe, &vector, &used) }
            case .cbc1: unchain(range, &vector)
            case .cbcs:
                vector = sample.vector
                for stripe in Self.stripes(scheme, range) { unchain(stripe, &vector) }
            }
            place += length
        }
    }

    /// The encrypted stretches of a range.
    private static func stripes(
        _ scheme: SampleScheme, _ range: UnsafeMutableRawBufferPointer
    ) -> [UnsafeMutableRawBufferPointer] {
        let length = scheme.encryptedBlocks * block, step = length + scheme.clearBlocks * block
        guard length > 0, scheme.clearBlocks > 0 else { return [range] }
        return stride(from: 0, to: max(0, range.count - block + 1), by: step).map { place in
            // An incomplete stripe at the end is encrypted as far as whole blocks go.
            let count = min(length, (range.count - place) / block * block)
            return UnsafeMutableRawBufferPointer(rebasing: range[place..<(place + count)])
        }
    }

    /// Counter mode. `vector` is the counter of the block under way, of which `used` bytes were used.
    private mutating func count(_ range: UnsafeMutableRawBufferPointer, _ vector: inout [UInt8], _ used: inout Int) {
        var place = 0
        while place < range.count {
            let length = min(range.count - place, room.count - used), blocks = (used + length + Self.block - 1) / Self.block
            var low = vector[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            for block in 0..<blocks {
                for byte in 0..<8 {
                    room[block * Self.block + byte] = vector[byte]
                    room[block * Self.block + 8 + byte] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * byte))
                }
                low &+= 1
            }
            room.withUnsafeMutableBufferPointer { av_aes_crypt(counter, $0.baseAddress, $0.baseAddress, Int32(blocks), nil, 0) }
            for byte in 0..<length { range[place + byte] ^= room[used + byte] }
            let passed = (used + length) / Self.block
            used = (used + length) % Self.block
            var next = vector[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } &+ UInt64(passed)
            for byte in stride(from: 15, through: 8, by: -1) {
                vector[byte] = UInt8(truncatingIfNeeded: next)
                next >>= 8
            }
            place += length
        }
    }

    /// Chained blocks; what is no whole block at the end is clear. `vector` becomes the last block's.
    func unchain(_ range: UnsafeMutableRawBufferPointer, _ vector: inout [UInt8]) {
        let blocks = range.count / Self.block
        guard blocks > 0, let start = range.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        av_aes_crypt(chain, start, start, Int32(clamping: blocks), &vector, 1)
    }
}
