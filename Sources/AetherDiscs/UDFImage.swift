import AetherCore
import AetherFormats

/// The files of an image with a UDF volume.
struct UDFImage: Sendable {
    private let volume: UDFVolume
    private let cache: BlockCache
    /// The runs of the files that partitions lie in, by the partition.
    private var metadata: [Int: [DiscRuns.Run]] = [:]
    private var root = UDFPlace(block: 0, partition: 0)
    /// The bytes of an image from which on a volume is announced: where a reader is far away, a head that is not empty tells enough.
    private static let emptyHead = 16

    /// The reader that all files are read from.
    var reader: any IOReader { cache.reader }

    /// The volume of an image; nil where the bytes are something else. Blocks.
    init?(_ reader: any IOReader) throws(DiscError) {
        guard let size = reader.size, size > Int64(UDFVolume.anchorSector * UDFVolume.blockSize), reader.isSeekable else {
            return nil
        }
        let cache = BlockCache(reader)
        let tables: [(sector: Int, byteCount: Int)]?
        do throws(IOReaderError) {
            tables = try Self.tables(cache, size: size)
        } catch {
            throw .bytes(error)
        }
        guard let tables else { return nil }
        self.cache = cache
        var volume: UDFVolume?, failure: DiscError?
        for place in tables where volume == nil {
            do throws(DiscError) {
                let bytes = try Self.bytes(cache, Int64(place.sector) * Int64(UDFVolume.blockSize), place.byteCount)
                volume = try Self.disc { () throws(DiscFault) in try UDFVolume(tables: bytes) }
            } catch {
                if case .bytes(.cancelled) = error { throw error }
                failure = error
            }
        }
        guard let volume else { throw failure ?? .disc(.damaged("file system")) }
        self.volume = volume
        for (index, partition) in volume.partitions.enumerated() {
            guard case .metadata(let within, let file, let mirror) = partition else { continue }
            do throws(DiscError) {
                metadata[index] = try runs(of: UDFPlace(block: file, partition: within))
            } catch {
                if case .bytes(.cancelled) = error { throw error }
                metadata[index] = try runs(of: UDFPlace(block: mirror, partition: within))
            }
        }
        let set = try block(volume.fileSet)
        root = try Self.disc { () throws(DiscFault) in try UDFVolume.root(fileSet: set) }
    }

    private init(_ other: UDFImage, _ reader: any IOReader) {
        (volume, cache, metadata, root) = (other.volume, BlockCache(reader), other.metadata, other.root)
    }

    /// The same image over a reader of its own; nil where there can be none.
    func independent() -> UDFImage? { reader.makeIndependentReader().map { UDFImage(self, $0) } }

    private static func tables(_ cache: BlockCache, size: Int64) throws(IOReaderError) -> [(sector: Int, byteCount: Int)]? {
        let block = UDFVolume.blockSize
        if !cache.reader.traits.isLocal {
            let head = try cache.bytes(at: 0, count: emptyHead)
            guard head.allSatisfy({ $0 == 0 }) else { return nil }
        }
        let first = Int64(UDFVolume.recognitionSector * block)
        // Most files are something else, which one sector tells.
        let sector = try cache.bytes(at: first, count: block)
        guard sector.count == block, ["BEA01", "CD001"].contains(where: { sector[1..<6].elementsEqual($0.utf8) }),
            UDFVolume.isAnnounced(try cache.bytes(at: first, count: UDFVolume.recognitionCount * block))
        else { return nil }
        let last = size / Int64(block) - 1
        for place in [Int64(UDFVolume.anchorSector), last, last - Int64(UDFVolume.anchorSector)] where place > 0 {
            if let tables = UDFVolume.tables(anchor: try cache.bytes(at: place * Int64(block), count: block)) { return tables }
        }
        return nil
    }

    /// The directory at a path from the root, by names without regard to case; nil where there is none. Blocks.
    func directory(_ path: [String]) throws(DiscError) -> UDFDirectory? {
        var directory = try directory(at: root)
        for name in path {
            let found = directory.entries.first { $0.isDirectory && $0.name.uppercased() == name }
            guard let found else { return nil }
            directory = try self.directory(at: found.place)
        }
        return directory
    }

    /// The names in a directory. Blocks.
    func directory(at place: UDFPlace) throws(DiscError) -> UDFDirectory {
        UDFDirectory(try bytes(of: place, limit: UDFDirectory.sizeLimit))
    }

    /// All of a file of at most `limit` bytes. Blocks.
    func bytes(of place: UDFPlace, limit: Int) throws(DiscError) -> [UInt8] {
        let (file, block) = try file(at: place)
        if case .embedded(let bytes) = file.content { return Array(bytes.prefix(limit)) }
        var bytes: [UInt8] = []
        for run in try runs(of: file, block, place) where bytes.count < limit {
            let wanted = min(limit - bytes.count, Int(clamping: run.byteCount))
            guard let offset = run.offset else {
                bytes += [UInt8](repeating: 0, count: wanted)
                continue
            }
            let read = try Self.bytes(cache, offset, wanted)
            bytes += read
            if read.count < wanted { break }
        }
        return bytes
    }

    /// Where a file's bytes lie in the image. Blocks.
    func runs(of place: UDFPlace) throws(DiscError) -> [DiscRuns.Run] {
        let (file, block) = try file(at: place)
        return try runs(of: file, block, place)
    }

    private func file(at place: UDFPlace) throws(DiscError) -> (UDFFile, block: [UInt8]) {
        let block = try block(place)
        return (try Self.disc { () throws(DiscFault) in try UDFFile(block, partition: place.partition) }, block)
    }

    private func runs(of file: UDFFile, _ block: [UInt8], _ place: UDFPlace) throws(DiscError) -> [DiscRuns.Run] {
        guard case .extents(var extents) = file.content else { throw .disc(.damaged("file system")) }
        var next = file.next, lists = 0
        while let list = next, extents.count <= UDFFile.extentLimit, lists < UDFFile.extentLimit {
            let bytes = try self.block(list)
            let (more, following) = try Self.disc { () throws(DiscFault) in
                try UDFFile.more(bytes, like: block, partition: place.partition)
            }
            extents += more
            (next, lists) = (following, lists + 1)
        }
        guard extents.count <= UDFFile.extentLimit else { throw .disc(.damaged("file system")) }
        var runs: [DiscRuns.Run] = [], begin: Int64 = 0
        for extent in extents where begin < file.byteCount {
            for piece in try pieces(of: extent) {
                let count = min(piece.byteCount, file.byteCount - begin)
                guard count > 0 else { break }
                if let last = runs.last, let offset = last.offset, offset + last.byteCount == piece.offset {
                    runs[runs.count - 1] = DiscRuns.Run(begin: last.begin, offset: offset, byteCount: last.byteCount + count)
                } else {
                    runs.append(DiscRuns.Run(begin: begin, offset: piece.offset, byteCount: count))
                }
                begin += count
                guard runs.count <= UDFFile.extentLimit else { throw .disc(.damaged("file system")) }
            }
        }
        return runs
    }

    /// A run of a file in the image; of a partition that lies in a file in as many as that has.
    private func pieces(of extent: UDFExtent) throws(DiscError) -> [(offset: Int64?, byteCount: Int64)] {
        guard let place = extent.place else { return [(nil, Int64(extent.byteCount))] }
        var pieces: [(offset: Int64?, byteCount: Int64)] = [], done: Int64 = 0
        while done < extent.byteCount {
            let found = try position(of: place, skipping: done)
            let count = min(found.room, Int64(extent.byteCount) - done)
            pieces.append((found.offset, count))
            done += count
        }
        return pieces
    }

    /// Where a block lies in the image, and how many bytes follow it there.
    private func position(of place: UDFPlace, skipping bytes: Int64 = 0) throws(DiscError) -> (offset: Int64, room: Int64) {
        let size = Int64(UDFVolume.blockSize)
        guard volume.partitions.indices.contains(place.partition) else { throw .disc(.damaged("file system")) }
        switch volume.partitions[place.partition] {
        case .plain(let start): return ((Int64(start) + Int64(place.block)) * size + bytes, .max >> 1)
        case .metadata:
            let within = Int64(place.block) * size + bytes
            let run = metadata[place.partition]?.first { $0.begin <= within && within < $0.end }
            guard let run, let offset = run.offset else { throw .disc(.damaged("file system")) }
            return (offset + within - run.begin, run.end - within)
        }
    }

    private func block(_ place: UDFPlace) throws(DiscError) -> [UInt8] {
        try Self.bytes(cache, position(of: place).offset, UDFVolume.blockSize)
    }

    private static func bytes(_ cache: BlockCache, _ offset: Int64, _ count: Int) throws(DiscError) -> [UInt8] {
        do throws(IOReaderError) {
            return try cache.bytes(at: offset, count: count)
        } catch {
            throw .bytes(error)
        }
    }

    private static func disc<Result>(_ body: () throws(DiscFault) -> Result) throws(DiscError) -> Result {
        do throws(DiscFault) {
            return try body()
        } catch {
            throw .disc(error)
        }
    }
}
