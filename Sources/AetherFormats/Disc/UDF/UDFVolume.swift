/// The tables of a UDF volume that say where its partitions lie. Pure.
public struct UDFVolume: Sendable, Equatable {
    /// A partition as files name it.
    public enum Partition: Sendable, Equatable {
        /// Blocks of the medium from a sector on.
        case plain(start: Int)
        /// Blocks of a file in another one: all tables of a Blu-ray disc lie in such a file. `file` and `mirror` are the blocks of its two
        /// descriptions.
        case metadata(within: Int, file: Int, mirror: Int)
    }

    /// The partitions in the volume's order.
    public let partitions: [Partition]
    /// The description of the set of files.
    public let fileSet: UDFPlace

    /// Bytes of a block.
    public static let blockSize = DiscSector.size
    /// The sector in which the volume's tables are named.
    public static let anchorSector = 256
    /// The first of the sectors that say what kind of volume it is, and how many there are at most.
    public static let recognitionSector = 16, recognitionCount = 8

    /// Whether the sectors from `recognitionSector` on announce a UDF volume.
    public static func isAnnounced(_ bytes: [UInt8]) -> Bool {
        stride(from: 0, to: bytes.count - 6, by: blockSize).contains { place in
            bytes[(place + 1)..<(place + 5)].elementsEqual("NSR0".utf8)
        }
    }

    /// Where the volume's tables lie, by the sector of the anchor: the tables and their copy, as sector and bytes. nil for anything else.
    public static func tables(anchor sector: [UInt8]) -> [(sector: Int, byteCount: Int)]? {
        guard let anchor = UDFDescriptor(sector[...]), anchor.kind == .anchor else { return nil }
        do throws(DiscFault) {
            return try [16, 24].map { place throws(DiscFault) in
                try (anchor.long(place + 4), min(anchor.long(place), 64 * blockSize))
            }
        } catch {
            return nil
        }
    }

    /// Reads the tables.
    public init(tables: [UInt8]) throws(DiscFault) {
        var starts: [Int: Int] = [:], volume: UDFDescriptor?
        for place in stride(from: 0, to: tables.count, by: Self.blockSize) {
            guard let table = UDFDescriptor(tables[place..<min(tables.count, place + Self.blockSize)]) else { continue }
            if table.kind == .end { break }
            if table.kind == .partition { starts[try table.short(22)] = try table.long(188) }
            if table.kind == .volume { volume = table }
        }
        guard let volume, try volume.long(212) == Self.blockSize else { throw .damaged(UDFDescriptor.name) }
        var partitions: [Partition] = [], place = 440
        for _ in 0..<min(8, try volume.long(268)) {
            let length = try volume.byte(place + 1)
            switch (try volume.byte(place), length) {
            case (1, 6...):
                guard let start = try starts[volume.short(place + 4)] else { throw .damaged(UDFDescriptor.name) }
                partitions.append(.plain(start: start))
            case (2, 64...):
                guard try volume.slice(place + 5, 23).elementsEqual("*UDF Metadata Partition".utf8) else {
                    // Others keep defects and what was written once: they are no discs of video.
                    throw .damaged(UDFDescriptor.name)
                }
                let number = try volume.short(place + 38)
                guard let start = starts[number], let within = partitions.firstIndex(of: .plain(start: start)) else {
                    throw .damaged(UDFDescriptor.name)
                }
                try partitions.append(
                    .metadata(within: within, file: volume.long(place + 40), mirror: volume.long(place + 44)))
            default: throw .damaged(UDFDescriptor.name)
            }
            place += length
        }
        self.partitions = partitions
        fileSet = try UDFPlace(block: volume.long(252), partition: volume.short(256))
    }

    /// The place of the root directory by the description of the set of files.
    public static func root(fileSet bytes: [UInt8]) throws(DiscFault) -> UDFPlace {
        guard let set = UDFDescriptor(bytes[...]), set.kind == .fileSet else { throw .damaged(UDFDescriptor.name) }
        return try UDFPlace(block: set.long(404), partition: set.short(408))
    }
}
