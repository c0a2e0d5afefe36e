/// A descriptor of a UDF volume (ECMA-167): sixteen bytes of a tag, then its fields, the lowest byte first. Whatever lies outside of it is damage.
/// Pure.
public struct UDFDescriptor {
    /// The kinds that are read.
    public enum Kind: Int, Sendable {
        case anchor = 2
        case partition = 5
        case volume = 6
        case end = 8
        case fileSet = 256
        case fileIdentifier = 257
        case allocation = 258
        case file = 261
        case extendedFile = 266
    }

    /// The kind.
    public let kind: Kind
    private let bytes: ArraySlice<UInt8>
    /// Its name for people.
    static let name = "file system"

    /// The descriptor at the beginning of bytes; nil where none of those kinds is, or its tag has another sum.
    public init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 16 else { return nil }
        let tag = bytes.prefix(16), base = bytes.startIndex
        let sum = tag.enumerated().reduce(UInt8(0)) { $1.offset == 4 ? $0 : $0 &+ $1.element }
        guard sum == bytes[base + 4], let kind = Kind(rawValue: Int(bytes[base]) | Int(bytes[base + 1]) << 8) else { return nil }
        (self.kind, self.bytes) = (kind, bytes)
    }

    func byte(_ offset: Int) throws(DiscFault) -> Int {
        guard offset >= 0, offset < bytes.count else { throw .damaged(Self.name) }
        return Int(bytes[bytes.startIndex + offset])
    }

    func short(_ offset: Int) throws(DiscFault) -> Int { try byte(offset) | byte(offset + 1) << 8 }
    func long(_ offset: Int) throws(DiscFault) -> Int { try short(offset) | short(offset + 2) << 16 }

    /// A number of eight bytes; one that nothing is as large as is damage.
    func wide(_ offset: Int) throws(DiscFault) -> Int64 {
        guard try long(offset + 4) < 1 << 16 else { throw .damaged(Self.name) }
        return try Int64(long(offset)) | Int64(long(offset + 4)) << 32
    }

    func slice(_ offset: Int, _ count: Int) throws(DiscFault) -> ArraySlice<UInt8> {
        guard offset >= 0, count >= 0, offset + count <= bytes.count else { throw .damaged(Self.name) }
        return bytes[(bytes.startIndex + offset)..<(bytes.startIndex + offset + count)]
    }
}

/// Where blocks of a partition lie.
public struct UDFPlace: Sendable, Equatable {
    /// The block within the partition.
    public let block: Int
    /// The index of the partition in the volume's list of them.
    public let partition: Int

    /// A place.
    public init(block: Int, partition: Int) { (self.block, self.partition) = (block, partition) }
}

/// A run of bytes that a file has.
public struct UDFExtent: Sendable, Equatable {
    /// Where it begins; nil: nothing was recorded, zeros.
    public let place: UDFPlace?
    /// Its length.
    public let byteCount: Int

    /// A run.
    public init(place: UDFPlace?, byteCount: Int) { (self.place, self.byteCount) = (place, byteCount) }
}
