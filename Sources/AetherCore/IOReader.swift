/// A source of bytes: a file, a pipe, memory, later HTTP, discs and shares; hosts may bring their own.
///
/// One thread reads and seeks; `cancel` may come from any thread.
public protocol IOReader: AnyObject, Sendable {
    /// Reads up to the buffer's size and returns the count; 0 is the end. Blocks until at least one byte is there.
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int

    /// Moves to an absolute offset. Throws `.notSeekable` where `isSeekable` is false.
    func seek(to offset: Int64) throws(IOReaderError)

    /// Bytes in all; nil when unknown.
    var size: Int64? { get }

    /// Whether `seek` works.
    var isSeekable: Bool { get }

    /// The way in which the bytes come. A host's reader need not say: it is taken for a remote one that is read once.
    var traits: IOReaderTraits { get }

    /// Whether the bytes are looked at for the image of a disc, which is then played title by title.
    var discImageProbeEnabled: Bool { get }

    /// Whether more is being written behind the present end: `size` moves. Never blocks.
    var isGrowing: Bool { get }

    /// From now on `read` waits at the end while the source grows; before, the end is the end. Any thread; never blocks.
    func follow()

    /// Makes a pending and every later read throw `.cancelled` until `resume()`. Any thread; never blocks.
    func cancel()

    /// Lets reads work again after `cancel()`.
    func resume()

    /// Releases descriptors. Reads then throw `.closed`.
    func close()

    /// A second reader over the same bytes with its own position, or nil where there can be none (a pipe).
    func makeIndependentReader() -> (any IOReader)?
}

extension IOReader {
    /// True.
    public var discImageProbeEnabled: Bool { true }

    /// False: what there is is all.
    public var isGrowing: Bool { false }

    /// Nothing: what does not grow has nothing to wait for.
    public func follow() {}

    /// A remote source that is read once.
    public var traits: IOReaderTraits {
        IOReaderTraits(isLocal: false, seekCost: isSeekable ? .roundTrip : .impossible, mayStall: true, isRepeatable: false)
    }

    /// The bytes from the present position on, at most `limit`. Blocks.
    public func bytes(limit: Int) throws(IOReaderError) -> [UInt8] {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: min(limit, 64 << 10))
        while bytes.count < limit {
            var failure: IOReaderError?
            let wanted = min(room.count, limit - bytes.count)
            let count = room.withUnsafeMutableBytes { buffer -> Int in
                do throws(IOReaderError) {
                    return try read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            if count == 0 { break }
            bytes.append(contentsOf: room[..<count])
        }
        return bytes
    }
}

/// The reason why a reader gave nothing.
public enum IOReaderError: Error, Sendable, Equatable {
    /// `cancel` was called.
    case cancelled
    /// A server gave nothing.
    case network(NetworkFault)
    /// The errno of a system call.
    case posix(Int32)
    /// No answer came in time.
    case timedOut
    /// `close` was called.
    case closed
    /// The bytes come once and in order.
    case notSeekable
}
