public import AetherCore
import CFFmpeg
import Glibc
import Synchronization

/// AES in CBC mode with PKCS#7 padding, or in counter mode without one, as segments of HLS have it, read forward.
public final class DecipheringReader: IOReader {
    private let base: any IOReader
    private let state: Mutex<BlockCipher>

    /// Reads the bytes behind `base` with a key and an initialization vector. Throws `.posix(EINVAL)` where the key has neither 16 nor 32
    /// bytes, or the vector not 16.
    public init(_ base: any IOReader, key: [UInt8], initial: [UInt8], isCounter: Bool = false) throws(IOReaderError) {
        guard let cipher = BlockCipher(key: key, initial: initial, isCounter: isCounter) else { throw .posix(EINVAL) }
        self.base = base
        state = Mutex(cipher)
    }

    /// Blocks as the base does. Throws what it throws.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        while !buffer.isEmpty {
            let taken = state.withLock { $0.take(buffer.count) }
            if let taken {
                buffer.copyBytes(from: taken)
                return taken.count
            }
            let bytes = try base.bytes(limit: 16 << 10)
            state.withLock { $0.add(bytes) }
        }
        return 0
    }

    /// Throws `.notSeekable`: a block is mixed with the one before, or with its number.
    public func seek(to offset: Int64) throws(IOReaderError) { throw .notSeekable }
    /// nil: the padding is known at the end.
    public var size: Int64? { nil }
    /// False.
    public var isSeekable: Bool { false }
    /// As of the base.
    public var traits: IOReaderTraits { base.traits }
    /// Cancels the base.
    public func cancel() { base.cancel() }
    /// Resumes the base.
    public func resume() { base.resume() }
    /// Closes the base.
    public func close() { base.close() }
    /// Always nil.
    public func makeIndependentReader() -> (any IOReader)? { nil }
}

/// Deciphers bytes as they come; the last block is held back until it is known to be the last, and its padding is taken off.
struct BlockCipher: ~Copyable {
    /// libavutil's; freed with this.
    private let cipher: OpaquePointer
    /// The block before, which the next one is mixed with, or the counter.
    private var vector: [UInt8]
    private let isCounter: Bool
    private var waiting: [UInt8] = []
    private var ready: [UInt8] = []
    private var isAtEnd = false
    private static let block = 16

    /// nil where the key has neither 16 nor 32 bytes, or the vector not 16.
    init?(key: [UInt8], initial: [UInt8], isCounter: Bool = false) {
        guard [16, 32].contains(key.count), initial.count == Self.block, let cipher = av_aes_alloc() else { return nil }
        av_aes_init(cipher, key, Int32(key.count * 8), isCounter ? 0 : 1)
        (self.cipher, vector, self.isCounter) = (cipher, initial, isCounter)
    }

    deinit { av_free(UnsafeMutableRawPointer(cipher)) }

    /// Takes ciphered bytes; none are the end.
    mutating func add(_ bytes: [UInt8]) {
        isAtEnd = bytes.isEmpty
        waiting += bytes
        if isCounter { return count() }
        var count = waiting.count / Self.block * Self.block
        if !isAtEnd, count == waiting.count { count -= Self.block }
        guard count > 0 else { return }
        var clear = [UInt8](repeating: 0, count: count)
        av_aes_crypt(cipher, &clear, waiting, Int32(count / Self.block), &vector, 1)
        waiting.removeFirst(count)
        // A padding that is none is left where it is: the demuxer will say what it thinks of it.
        if isAtEnd, let padding = clear.last, (1...16).contains(padding), clear.suffix(Int(padding)).allSatisfy({ $0 == padding })
        {
            clear.removeLast(Int(padding))
        }
        ready += clear
    }

    /// Counter mode: each block is mixed with the next number, of which the lower half counts; the last one may be shorter.
    private mutating func count() {
        let blocks = isAtEnd ? (waiting.count + Self.block - 1) / Self.block : waiting.count / Self.block
        guard blocks > 0 else { return }
        var numbers: [UInt8] = []
        numbers.reserveCapacity(blocks * Self.block)
        for _ in 0..<blocks {
            numbers += vector
            for place in (8..<Self.block).reversed() {
                vector[place] &+= 1
                if vector[place] != 0 { break }
            }
        }
        var stream = [UInt8](repeating: 0, count: numbers.count)
        av_aes_crypt(cipher, &stream, numbers, Int32(blocks), nil, 0)
        let taken = min(waiting.count, stream.count)
        ready += zip(waiting, stream).map { $0 ^ $1 }
        waiting.removeFirst(taken)
    }

    /// At most so many clear bytes; empty at the end, nil where more ciphered ones are needed.
    mutating func take(_ limit: Int) -> [UInt8]? {
        if ready.isEmpty { return isAtEnd ? [] : nil }
        let taken = Array(ready.prefix(limit))
        ready.removeFirst(taken.count)
        return taken
    }
}
