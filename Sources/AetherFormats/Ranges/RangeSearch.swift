/// A request for bytes of a file.
public struct RangeRequest: Sendable, Equatable {
    /// The first byte, from the start of the file.
    public let offset: Int64
    /// The number of bytes.
    public let count: Int

    /// A request.
    public init(offset: Int64, count: Int) { (self.offset, self.count) = (offset, count) }
}

/// A search in a file that says which bytes it wants and takes them, until it wants none. Pure, so that the bytes may come from a reader of
/// files, ranges of a web server or a test. Whatever the bytes are, it ends after a bounded number of requests.
public protocol RangeSearch: Sendable {
    /// The bytes to read next; fewer bytes are enough where the file ends. nil: all is known.
    var request: RangeRequest? { get }
    /// Takes the bytes that were asked for.
    mutating func take(_ bytes: [UInt8])
}

extension RangeSearch {
    /// Carries the search out over a reader that fetches ranges, until it wants nothing more or the reader has nothing (nil). Blocks as the
    /// reader does.
    public mutating func run(_ read: (_ offset: Int64, _ count: Int) -> [UInt8]?) {
        while let request, let bytes = read(request.offset, request.count) { take(bytes) }
    }
}
