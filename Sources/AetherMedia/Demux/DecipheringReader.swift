public import AetherCore
import CFFmpeg
import Glibc
import Synchronization

/// AES-128 in CBC mode with PKCS#7 padding, as segments of HLS have it, read forward.
public final class DecipheringReader: IOReader {
    private let base: any IOReader
    private let state: Mutex<BlockCipher>

    /// Reads the bytes behind `base` with a key and an initialization vector. Throws `.posix(EINVAL)` where either has not 16 bytes.
    public init(_ base: any IOReader, key: [UInt8], initial: [UInt8]) throws(IOReaderError) {
        guard let cipher = BlockCipher(key: key, initial: initial) else { throw .posix(EINVAL) }
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

    /// Throws `.notSeekable`: each block is mixed with the one before.
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
    /// The block before: what the next one is mixed with.
    private var vector: [UInt8]
    private var waiting: [UInt8] = []
    private var ready: [UInt8] = []
    private var isAtEnd = false
    private static let block = 16

    /// nil where key or vector have not 16 bytes.
    init?(key: [UInt8], initial: [UInt8]) {
        guard key.count == Self.block, initial.count == Self.block, let cipher = av_aes_alloc() else { return nil }
        av_aes_init(cipher, key, 128, 1)
        (self.cipher, vector) = (cipher, initial)
    }

    deinit { av_free(UnsafeMutableRawPointer(cipher)) }

    /// Takes ciphered bytes; none are the end.
    mutating func add(_ bytes: [UInt8]) {
        isAtEnd = bytes.isEmpty
        waiting += bytes
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

    /// At most so many clear bytes; empty at the end, nil where more ciphered ones are needed.
    mutating func take(_ limit: Int) -> [UInt8]? {
        if ready.isEmpty { return isAtEnd ? [] : nil }
        let taken = Array(ready.prefix(limit))
        ready.removeFirst(taken.count)
        return taken
    }
}
