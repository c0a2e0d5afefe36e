/// The head of a box of the ISO base media file format (ISO/IEC 14496-12): its kind, and its size with the head.
public struct BoxHead: Sendable, Equatable {
    /// Four letters.
    public let kind: String
    /// Bytes of the whole box.
    public let size: Int
    /// Bytes of the head itself: 8, or 16 with a long size.
    public let length: Int
    /// Enough bytes for any head.
    public static let room = 16

    /// Reads the head at the beginning of bytes; nil where the bytes are too few, or the size is less than the head. A size of 0 (to the
    /// end of the file) is refused.
    public init?(_ bytes: ArraySlice<UInt8>) {
        guard let words = BoxHeadWords(bytes), let size = words.size, size >= words.length else { return nil }
        kind = String(decoding: words.name, as: UTF8.self)
        (length, self.size) = (words.length, size)
    }
}

/// The words at the beginning of a box, as they stand there.
struct BoxHeadWords {
    let name: ArraySlice<UInt8>
    /// Bytes of the head itself.
    let length: Int
    /// The size that is written, 0 for up to the end of the file; nil where the long size is cut off, or more than an `Int` holds.
    let size: Int?

    /// nil where the bytes are too few.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 8, let short = bytes.bigEndian(4) else { return nil }
        name = bytes.dropFirst(4).prefix(4)
        length = short == 1 ? 16 : 8
        size = short == 1 ? bytes.dropFirst(8).bigEndian(8) : short
    }
}

/// Goes through the boxes that lie side by side in bytes. A box that is cut off, and bytes that are no box, end the sequence.
public struct BoxReader: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    /// The boxes in these bytes.
    public init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next box: its kind and its body.
    public mutating func next() -> (kind: String, body: ArraySlice<UInt8>)? {
        guard let head = BoxHead(rest), head.size <= rest.count else { return nil }
        defer { rest = rest.dropFirst(head.size) }
        return (head.kind, rest.prefix(head.size).dropFirst(head.length))
    }
}

extension ArraySlice<UInt8> {
    /// The first bytes as a number; nil where there are fewer, or it is more than an `Int` holds.
    func bigEndian(_ length: Int) -> Int? {
        guard count >= length else { return nil }
        return Int(exactly: prefix(length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
