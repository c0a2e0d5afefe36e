public import AetherCore
public import AetherFormats
import Synchronization

/// The bytes of MP4 without their Common Encryption: heads that look clear, and clear samples at the same offsets. Whatever is no MP4, and
/// tracks without a key, come through as they are.
public final class DecryptingReader: IOReader {
    private let base: any IOReader
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var decryption: MovieDecryption
        /// The name of the key that was needed and is not there.
        var missing: KeyID?
    }

    /// Reads the bytes behind `base`, which stands at the start of a file.
    public init(_ base: any IOReader, keys: ContentKeys) {
        self.base = base
        state = Mutex(State(decryption: MovieDecryption(keys: keys, isMovable: base.isSeekable)))
    }

    /// The key without which reading has ended; nil while there is none.
    public var missing: KeyID? { state.withLock { $0.missing } }

    /// Blocks as the base does. Throws what it throws. Ends where a key is missing.
    public func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        while !buffer.isEmpty {
            let step = state.withLock { $0.decryption.next(limit: buffer.count) }
            switch step {
            case .give(let bytes):
                if bytes.isEmpty { return 0 }
                buffer.copyBytes(from: bytes)
                return bytes.count
            case .pass(let limit):
                let count = try base.read(UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(limit)))
                state.withLock { $0.decryption.passed(count) }
                return count
            case .seek(let offset):
                try base.seek(to: offset)
                state.withLock { $0.decryption.moved(to: offset) }
            case .take(let count):
                let room = UnsafeMutableRawBufferPointer.allocate(byteCount: min(count, 256 << 10), alignment: 16)
                defer { room.deallocate() }
                let taken = Array(room.prefix(try base.read(room)))
                state.withLock { $0.decryption.take(taken) }
            case .locked(let key):
                state.withLock { $0.missing = key }
                return 0
            }
        }
        return 0
    }

    /// As of the base.
    public func seek(to offset: Int64) throws(IOReaderError) {
        try base.seek(to: offset)
        state.withLock { $0.decryption.move(to: offset) }
    }

    /// As of the base.
    public var size: Int64? { base.size }
    /// As of the base.
    public var isSeekable: Bool { base.isSeekable }
    /// As of the base.
    public var traits: IOReaderTraits { base.traits }
    /// As of the base.
    public var isGrowing: Bool { base.isGrowing }
    /// As of the base.
    public func follow() { base.follow() }
    /// Cancels the base.
    public func cancel() { base.cancel() }
    /// Resumes the base.
    public func resume() { base.resume() }
    /// Closes the base.
    public func close() { base.close() }

    /// A second reader with the same keys; nil where the base has none.
    public func makeIndependentReader() -> (any IOReader)? {
        let keys = state.withLock { $0.decryption.keys }
        return base.makeIndependentReader().map { DecryptingReader($0, keys: keys) }
    }
}

extension MediaError {
    /// A key is missing.
    init(locked key: KeyID, _ subject: String) {
        self.init(.unsupported, "play", subject: subject, reason: StreamFault(.missingKey(key)).description)
    }
}
