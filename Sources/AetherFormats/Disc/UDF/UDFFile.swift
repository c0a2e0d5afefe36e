/// The description of a file or directory of a UDF volume. Pure.
public struct UDFFile: Sendable, Equatable {
    /// Where its bytes are.
    public enum Content: Sendable, Equatable {
        /// In runs of blocks.
        case extents([UDFExtent])
        /// In the description itself.
        case embedded([UInt8])
    }

    /// Its length.
    public let byteCount: Int64
    /// Its bytes.
    public let content: Content
    /// More runs are listed there; nil where all are.
    public let next: UDFPlace?

    /// The most runs of one file: a file of 50 GB in runs of a gigabyte has fifty.
    public static let extentLimit = 20_000

    /// Reads the block of the description, which lies in a partition.
    public init(_ block: [UInt8], partition: Int) throws(DiscFault) {
        guard let entry = UDFDescriptor(block[...]), entry.kind == .file || entry.kind == .extendedFile else {
            throw .damaged(UDFDescriptor.name)
        }
        byteCount = try entry.wide(56)
        let lengths = entry.kind == .file ? 168 : 208
        let start = try lengths + 8 + entry.long(lengths)
        let runs = try entry.slice(start, entry.long(lengths + 4))
        let kind = try entry.short(34) & 7
        if kind == 3 {
            guard byteCount <= runs.count else { throw .damaged(UDFDescriptor.name) }
            content = .embedded(Array(runs.prefix(Int(byteCount))))
            next = nil
        } else {
            let (extents, next) = try Self.extents(runs, kind: kind, partition: partition)
            (content, self.next) = (.extents(extents), next)
        }
    }

    /// Reads a block that lists more runs; `kind` as the file's own.
    public static func more(_ block: [UInt8], like first: [UInt8], partition: Int) throws(DiscFault) -> (
        extents: [UDFExtent], next: UDFPlace?
    ) {
        guard let list = UDFDescriptor(block[...]), list.kind == .allocation, let entry = UDFDescriptor(first[...]) else {
            throw .damaged(UDFDescriptor.name)
        }
        return try extents(list.slice(24, list.long(20)), kind: entry.short(34) & 7, partition: partition)
    }

    private static func extents(_ bytes: ArraySlice<UInt8>, kind: Int, partition: Int) throws(DiscFault) -> (
        [UDFExtent], UDFPlace?
    ) {
        guard kind < 2 else { throw .damaged(UDFDescriptor.name) }
        let size = kind == 0 ? 8 : 16
        var extents: [UDFExtent] = []
        for place in stride(from: bytes.startIndex, to: bytes.endIndex - size + 1, by: size) {
            func number(_ offset: Int, _ count: Int) -> Int {
                (0..<count).reduce(0) { $0 | Int(bytes[place + offset + $1]) << (8 * $1) }
            }
            let length = number(0, 4) & 0x3FFF_FFFF, state = number(0, 4) >> 30
            if length == 0 { break }
            let found = UDFPlace(block: number(4, 4), partition: kind == 0 ? partition : number(8, 2))
            if state == 3 { return (extents, found) }
            extents.append(UDFExtent(place: state == 0 ? found : nil, byteCount: length))
        }
        return (extents, nil)
    }
}

/// The names in a directory of a UDF volume. Pure.
public struct UDFDirectory: Sendable, Equatable {
    /// A file or directory in it.
    public struct Entry: Sendable, Equatable {
        /// As the disc has it.
        public let name: String
        /// Where its description lies.
        public let place: UDFPlace
        /// A directory.
        public let isDirectory: Bool
    }

    /// The most bytes of a directory that are looked at.
    public static let sizeLimit = 4 << 20
    /// In the disc's order, without what was deleted.
    public let entries: [Entry]

    /// Reads the bytes of a directory, as far as they can be understood.
    public init(_ bytes: [UInt8]) {
        var entries: [Entry] = [], place = 0
        while place + 38 <= bytes.count, let item = UDFDescriptor(bytes[place...]), item.kind == .fileIdentifier {
            do throws(DiscFault) {
                let length = try item.byte(19), use = try item.short(36), flags = try item.byte(18)
                let name = try item.slice(38 + use, length)
                // 8: the directory above, 4: deleted.
                if flags & 12 == 0, let text = Self.text(name) {
                    try entries.append(
                        Entry(
                            name: text, place: UDFPlace(block: item.long(24), partition: item.short(28)),
                            isDirectory: flags & 2 != 0))
                }
                place += (38 + use + length + 3) / 4 * 4
            } catch {
                break
            }
        }
        self.entries = entries
    }

    /// A name in letters of one or two bytes.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let width = bytes.first else { return nil }
        let letters = Array(bytes.dropFirst())
        switch width {
        case 8: return String(String.UnicodeScalarView(letters.map { Unicode.Scalar($0) }))
        case 16:
            let units = stride(from: 0, to: letters.count - 1, by: 2).map { UInt16(letters[$0]) << 8 | UInt16(letters[$0 + 1]) }
            return String(decoding: units, as: UTF16.self)
        default: return nil
        }
    }
}
