/// Where bytes come from: a file, a pipe, memory, later HTTP, discs and shares; hosts may bring their own.
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

/// Why a reader gave nothing.
public enum IOReaderError: Error, Sendable, Equatable {
    case cancelled
    /// A server gave nothing.
    case network(NetworkFault)
    case posix(Int32)
    case timedOut
    case closed
    case notSeekable
}
