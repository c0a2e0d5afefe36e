import AetherCore

/// The head of an EBML element: its kind, and the length of its body.
public struct EBMLHeader: Sendable, Equatable {
    /// Its kind, with the marker of its length.
    public let id: UInt32
    /// The length of the body in bytes; nil where the writer did not know it.
    public let size: UInt64?
    /// Bytes of the beginning itself.
    public let length: Int
    /// Enough bytes for any: the longest beginning of an element has 12.
    public static let room = 16

    /// Reads the beginning of an element; nil where that is cut off or none.
    public init?(_ bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first, first >= 0x10 else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard bytes.count > idLength else { return nil }
        let sizeBytes = bytes.dropFirst(idLength)
        guard let second = sizeBytes.first, second > 0 else { return nil }
        let sizeLength = second.leadingZeroBitCount + 1
        guard sizeBytes.count >= sizeLength else { return nil }
        id = bytes.prefix(idLength).reduce(0) { $0 << 8 | UInt32($1) }
        let mask = (UInt64(1) << (7 * UInt64(sizeLength))) - 1
        let value = sizeBytes.prefix(sizeLength).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & mask
        size = value == mask ? nil : value
        length = idLength + sizeLength
    }

    /// The first byte behind an element that begins at `offset`; nil where the writer did not know.
    public func end(at offset: Int64) -> Int64? {
        guard let size, let content = Int64(exactly: size) else { return nil }
        let (end, overflows) = (offset &+ Int64(length)).addingReportingOverflow(content)
        return overflows ? nil : end
    }
}

/// Goes through the elements that lie side by side in bytes. An element that is cut off is given as far as it goes; bytes that are no
/// element end the sequence.
public struct EBMLReader: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    /// The elements in these bytes.
    public init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next element.
    public mutating func next() -> (id: UInt32, payload: ArraySlice<UInt8>)? {
        guard let header = EBMLHeader(rest) else { return nil }
        let behind = rest.dropFirst(header.length)
        let payload = behind.prefix(Int(clamping: header.size ?? UInt64(behind.count)))
        rest = behind.dropFirst(payload.count)
        return (header.id, payload)
    }
}

extension ArraySlice<UInt8> {
    /// The bytes as an EBML number; longer ones than eight bytes are none.
    var ebmlNumber: UInt64? { count > 8 ? nil : reduce(0) { $0 << 8 | UInt64($1) } }

    /// The bytes as an EBML text, which zeros may end, safe to display.
    var ebmlText: String {
        DisplayText.singleLine(String(decoding: prefix(4096).prefix { $0 != 0 }, as: UTF8.self), limit: 200)
    }
}
