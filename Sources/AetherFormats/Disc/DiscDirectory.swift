/// Directories of a disc image by ISO 9660, which each DVD-Video has beside UDF. Pure.
public struct DiscDirectory: Sendable, Equatable {
    /// A file or directory in it.
    public struct Entry: Sendable, Equatable {
        /// In capitals, without the number of its version.
        public let name: String
        /// Its first sector of the image.
        public let sector: Int
        /// Its size.
        public let byteCount: Int
        /// A directory.
        public let isDirectory: Bool

        /// A file, or a directory.
        public init(name: String, sector: Int, byteCount: Int, isDirectory: Bool = false) {
            (self.name, self.sector, self.byteCount, self.isDirectory) = (name, sector, byteCount, isDirectory)
        }
    }

    /// The sector of an image that says where its directories are.
    public static let volumeSector = 16
    /// The most bytes of a directory that are looked at: a video directory has a thousand files at most.
    public static let sizeLimit = 1 << 20
    /// The entries in their order.
    public let entries: [Entry]

    /// The root by the volume's sector; nil where that is none.
    public static func root(volume sector: [UInt8]) -> Entry? {
        guard sector.count >= DiscSector.size, sector[1..<6].elementsEqual("CD001".utf8), sector[0] == 1 else { return nil }
        return entry(sector[156..<190])
    }

    /// Reads a directory.
    public init(_ bytes: [UInt8]) {
        var entries: [Entry] = [], place = 0
        while place < bytes.count {
            let length = Int(bytes[place])
            // Entries do not cross from sector to sector.
            guard length > 33, place + length <= bytes.count else {
                place = (place / DiscSector.size + 1) * DiscSector.size
                continue
            }
            if let entry = Self.entry(bytes[place..<place + length]) { entries.append(entry) }
            place += length
        }
        self.entries = entries
    }

    private static func entry(_ bytes: ArraySlice<UInt8>) -> Entry? {
        let base = bytes.startIndex
        func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[base + place + $1]) << (8 * $1) } }
        let length = Int(bytes[base + 32])
        guard bytes.count >= 33 + length else { return nil }
        let name = String(decoding: bytes[base + 33..<base + 33 + length], as: UTF8.self)
        return Entry(
            name: String(name.uppercased().prefix { $0 != ";" }), sector: number(2), byteCount: number(10),
            isDirectory: bytes[base + 25] & 2 != 0)
    }
}
