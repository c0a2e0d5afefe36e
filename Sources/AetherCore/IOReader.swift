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

/// Why a reader gave nothing.
public enum IOReaderError: Error, Sendable, Equatable {
    case cancelled
    case httpStatus(Int)
    case posix(Int32)
    case timedOut
    case closed
    case notSeekable
}
