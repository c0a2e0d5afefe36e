import Foundation

/// Writes an image with a UDF volume: of revision 2.50 with its tables in a metadata partition, as Blu-ray discs have them, or of 1.02 without.
public struct UDFWriter {
    /// A file by its path from the root.
    public typealias File = (path: String, bytes: [UInt8])

    /// Tables in a partition of their own.
    private let hasMetadata: Bool
    /// Files are written in two runs with a hole between them.
    private let isFragmented: Bool
    private static let block = 2048
    private static let partitionStart = 272
    /// Blocks of the partition before and in the area of the tables.
    private static let tablesStart = 32
    private let tableCount: Int
    private var tables: [[UInt8]] = []
    private var data: [UInt8] = []

    private final class Node {
        var children: [(name: String, node: Node)] = []
        var bytes: [UInt8]?
        var place = 0
    }

    /// An image with those files.
    public static func image(_ files: [File], hasMetadata: Bool = true, isFragmented: Bool = false) -> [UInt8] {
        UDFWriter(files, hasMetadata, isFragmented).bytes(files)
    }

    private init(_ files: [File], _ hasMetadata: Bool, _ isFragmented: Bool) {
        (self.hasMetadata, self.isFragmented) = (hasMetadata, isFragmented)
        tableCount = 64 + 4 * files.count
    }

    private func bytes(_ files: [File]) -> [UInt8] {
        var writer = self
        return writer.written(files)
    }

    private mutating func written(_ files: [File]) -> [UInt8] {
        let root = Node()
        for file in files {
            var node = root
            for name in file.path.split(separator: "/").map(String.init) {
                if let known = node.children.first(where: { $0.name == name })?.node {
                    node = known
                } else {
                    let fresh = Node()
                    node.children.append((name, fresh))
                    node = fresh
                }
            }
            node.bytes = file.bytes
        }
        // Block 0: the set of files, 1: its end.
        tables = [[], []]
        reserve(root)
        write(root, parent: root)
        let own = hasMetadata ? 1 : 0
        let long = Self.long
        tables[0] = Self.tagged(
            256, 0,
            [UInt8](repeating: 0, count: 384) + long(Self.block, hasMetadata ? root.place : Self.tablesStart + root.place, own)
                + [UInt8](repeating: 0, count: 96))
        tables[1] = Self.tagged(8, 1, [UInt8](repeating: 0, count: 496))
        precondition(tables.count <= tableCount, "too many files")
        return assembled()
    }

    private mutating func reserve(_ node: Node) {
        node.place = tables.count
        tables.append([])
        for child in node.children { reserve(child.node) }
    }

    private mutating func write(_ node: Node, parent: Node) {
        guard node.bytes == nil else {
            let content = node.bytes ?? []
            tables[node.place] = entry(content.count, kind: 5, at: node.place, extents: place(content))
            return
        }
        var names = Self.name("", parent.place, flags: 10, partition: hasMetadata ? 1 : 0, at: node.place)
        for child in node.children {
            names += Self.name(
                child.name, child.node.place, flags: child.node.bytes == nil ? 2 : 0, partition: hasMetadata ? 1 : 0,
                at: node.place)
        }
        let first = tables.count
        for start in stride(from: 0, to: names.count, by: Self.block) {
            tables.append(Array(names[start..<min(names.count, start + Self.block)]))
        }
        let at = hasMetadata ? first : Self.tablesStart + first
        tables[node.place] = entry(names.count, kind: 4, at: node.place, extents: [(at, names.count, hasMetadata ? 1 : 0)])
        for child in node.children { write(child.node, parent: node) }
    }

    /// Puts a file's bytes behind the others; returns where.
    private mutating func place(_ bytes: [UInt8]) -> [(block: Int, count: Int, partition: Int)] {
        let half = bytes.count / 2 / Self.block * Self.block
        let pieces = isFragmented && half > 0 ? [bytes[..<half], bytes[half...]] : [bytes[...]]
        return pieces.map { piece in
            let block = Self.tablesStart + tableCount + data.count / Self.block
            data += piece
            data += [UInt8](repeating: 0, count: (Self.block - piece.count % Self.block) % Self.block)
            // What is no part of it.
            if isFragmented { data += [UInt8](repeating: 0xAA, count: Self.block) }
            return (block, piece.count, 0)
        }
    }

    /// The description of a file.
    private func entry(
        _ count: Int, kind: UInt8, at place: Int, extents: [(block: Int, count: Int, partition: Int)]
    ) -> [UInt8] {
        let isShort = !hasMetadata || kind == 250 || kind == 251
        let runs = extents.flatMap { extent -> [UInt8] in
            // Of a run less than a gigabyte.
            isShort
                ? Self.number(extent.count, 4) + Self.number(extent.block, 4)
                : Self.long(extent.count, extent.block, extent.partition)
        }
        var body =
            Self.number(0, 4) + Self.number(4, 2) + [0, 0] + Self.number(1, 2) + [0, kind] + [UInt8](repeating: 0, count: 6)
        body += Self.number(isShort ? 0 : 1, 2)
        body += [UInt8](repeating: 0, count: 12) + Self.number(1, 2) + [0, 0] + Self.number(0, 4) + Self.number(count, 8)
        if hasMetadata {
            body += Self.number(count, 8) + Self.number((count + Self.block - 1) / Self.block, 8)
            body += [UInt8](repeating: 0, count: 208 - 80)
        } else {
            body += Self.number((count + Self.block - 1) / Self.block, 8) + [UInt8](repeating: 0, count: 168 - 72)
        }
        body += Self.number(0, 4) + Self.number(runs.count, 4) + runs
        return Self.tagged(hasMetadata ? 266 : 261, place, body)
    }

    private static func name(_ name: String, _ place: Int, flags: UInt8, partition: Int, at block: Int) -> [UInt8] {
        let letters = name.isEmpty ? [] : [8] + Array(name.utf8)
        let at = partition == 1 ? place : tablesStart + place
        var body = number(1, 2) + [flags, UInt8(letters.count)] + long(Self.block, at, partition) + [0, 0] + letters
        while (body.count + 16) % 4 != 0 { body.append(0) }
        return tagged(257, block, body)
    }

    private func assembled() -> [UInt8] {
        let size = Self.block, partitionCount = Self.tablesStart + tableCount + data.count / size
        var image = [UInt8](repeating: 0, count: (Self.partitionStart + partitionCount + 1) * size)
        func put(_ bytes: [UInt8], _ sector: Int) {
            image.replaceSubrange(sector * size..<sector * size + bytes.count, with: bytes)
        }
        for (index, name) in ["BEA01", hasMetadata ? "NSR03" : "NSR02", "TEA01"].enumerated() {
            put([0] + Array(name.utf8) + [1], 16 + index)
        }
        let number = Self.number
        let anchor = number(16 * size, 4) + number(32, 4) + number(16 * size, 4) + number(64, 4)
        let last = Self.partitionStart + partitionCount
        for sector in [256, last] { put(Self.tagged(2, sector, anchor + [UInt8](repeating: 0, count: 480)), sector) }
        for start in [32, 64] {
            put(Self.tagged(1, start, number(1, 4) + [UInt8](repeating: 0, count: 492)), start)
            let own = number(2, 4) + number(1, 2) + number(0, 2) + Self.identifier("+NSR03") + [UInt8](repeating: 0, count: 128)
            put(
                Self.tagged(
                    5, start + 1,
                    own + number(1, 4) + number(Self.partitionStart, 4) + number(partitionCount, 4)
                        + [UInt8](repeating: 0, count: 316)), start + 1)
            put(Self.tagged(6, start + 2, volume()), start + 2)
            put(Self.tagged(8, start + 3, [UInt8](repeating: 0, count: 496)), start + 3)
        }
        let area = (Self.tablesStart, tableCount * size, 0)
        if hasMetadata {
            put(entry(tableCount * size, kind: 250, at: 0, extents: [area]), Self.partitionStart)
            put(entry(tableCount * size, kind: 251, at: 1, extents: [area]), Self.partitionStart + 1)
        }
        for (index, table) in tables.enumerated() { put(table, Self.partitionStart + Self.tablesStart + index) }
        put(data, Self.partitionStart + Self.tablesStart + tableCount)
        return image
    }

    private func volume() -> [UInt8] {
        let number = Self.number
        var body = number(3, 4) + [UInt8](repeating: 0, count: 64) + [8] + Array("AETHER".utf8)
        body += [UInt8](repeating: 0, count: 120) + [7] + number(Self.block, 4)
        body += Self.identifier("*OSTA UDF Compliant", suffix: hasMetadata ? [0x50, 2] : [2, 1])
        body += Self.long(Self.block, hasMetadata ? 0 : Self.tablesStart, hasMetadata ? 1 : 0)
        var maps: [UInt8] = [1, 6] + number(1, 2) + number(0, 2)
        if hasMetadata {
            maps += [2, 64, 0, 0] + Self.identifier("*UDF Metadata Partition", suffix: [0x50, 2]) + number(1, 2) + number(0, 2)
            maps += number(0, 4) + number(1, 4) + number(0xFFFF_FFFF, 4) + number(32, 4) + number(1, 2) + [1, 0, 0, 0, 0, 0]
        }
        body += number(maps.count, 4) + number(hasMetadata ? 2 : 1, 4) + [UInt8](repeating: 0, count: 32 + 128 + 8)
        return body + maps
    }

    private static func identifier(_ text: String, suffix: [UInt8] = []) -> [UInt8] {
        let name = Array(text.utf8), end = suffix + [UInt8](repeating: 0, count: 8 - suffix.count)
        return [0] + name + [UInt8](repeating: 0, count: 23 - name.count) + end
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func long(_ count: Int, _ block: Int, _ partition: Int) -> [UInt8] {
        number(count, 4) + number(block, 4) + number(partition, 2) + [UInt8](repeating: 0, count: 6)
    }

    /// A descriptor: its tag with both sums, and its body.
    private static func tagged(_ kind: Int, _ location: Int, _ body: [UInt8]) -> [UInt8] {
        var crc = UInt16(0)
        for byte in body {
            crc ^= UInt16(byte) << 8
            for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
        }
        var tag = number(kind, 2) + number(3, 2) + [0, 0] + number(1, 2) + number(Int(crc), 2) + number(body.count, 2)
        tag += number(location, 4)
        tag[4] = tag.reduce(0) { $0 &+ $1 }
        return tag + body
    }
}
