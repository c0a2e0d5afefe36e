import AetherCore
import AetherFormats
import AetherSources

/// Bytes of a file of a disc, wherever they lie.
struct DiscFile: Sendable {
    let reader: any IOReader
    /// Where the file begins in the reader.
    let offset: Int64
    let byteCount: Int64

    /// All of a file of at most `limit` bytes. Blocks.
    func bytes(limit: Int) throws(IOReaderError) -> [UInt8] {
        try reader.seek(to: offset)
        return try reader.bytes(limit: min(limit, Int(clamping: byteCount)))
    }

    /// The same file over a reader of its own; nil where there can be none.
    func independent() -> DiscFile? {
        reader.makeIndependentReader().map { DiscFile(reader: $0, offset: offset, byteCount: byteCount) }
    }
}

/// Where the files of a DVD's video directory are had from.
enum DiscStore: Sendable {
    /// An image: its reader and the files in it.
    case image(any IOReader, [DiscDirectory.Entry])
    /// A folder, and what lies in it, by names in capitals.
    case folder(DiscFolder, [String: DiscFolder.Entry])

    /// A file by its name in capitals; nil where there is none. Blocks.
    func file(_ name: String) throws(IOReaderError) -> DiscFile? {
        switch self {
        case .image(let reader, let entries):
            guard let entry = entries.first(where: { $0.name == name && !$0.isDirectory }) else { return nil }
            return DiscFile(
                reader: reader, offset: Int64(entry.sector) * Int64(DiscSector.size), byteCount: Int64(entry.byteCount))
        case .folder(let folder, let entries):
            // A name that is not there is for the caller to judge.
            guard let entry = entries[name], !entry.isFolder else { return nil }
            let reader = try folder.reader(entry)
            return DiscFile(reader: reader, offset: 0, byteCount: reader.size ?? 0)
        }
    }

    /// All of a file of at most `limit` bytes, by its name in capitals; nil where there is none. Blocks.
    func bytes(_ name: String, limit: Int) throws(IOReaderError) -> [UInt8]? {
        guard case .folder(let folder, let entries) = self else { return try file(name)?.bytes(limit: limit) }
        guard let entry = entries[name], !entry.isFolder else { return nil }
        return try folder.bytes(entry, limit: limit)
    }
}

extension DiscStore {
    /// The same over a reader of its own; nil where there can be none.
    func independent() -> DiscStore? {
        guard case .image(let reader, let files) = self else { return self }
        return reader.makeIndependentReader().map { .image($0, files) }
    }

    /// The bytes of an image from which on its volume is described: where a reader is far away, a head that is not empty tells enough.
    private static let emptyHead = 16
    private static let magicCount = VideoManager.magic.utf8.count

    /// The store of an image; nil where the bytes are something else. The reader is left at its start. Blocks.
    init?(image reader: any IOReader) throws(IOReaderError) {
        guard reader.isSeekable, reader.size.map({ $0 > Int64(DiscDirectory.volumeSector * DiscSector.size) }) ?? false else {
            return nil
        }
        let entries = try Self.entries(reader)
        try reader.seek(to: 0)
        guard let entries else { return nil }
        self = .image(reader, entries)
    }

    private static func entries(_ reader: any IOReader) throws(IOReaderError) -> [DiscDirectory.Entry]? {
        if !reader.traits.isLocal {
            let head = try reader.bytes(limit: emptyHead)
            guard head.allSatisfy({ $0 == 0 }) else { return nil }
        }
        func bytes(_ sector: Int, _ count: Int) throws(IOReaderError) -> [UInt8] {
            try reader.seek(to: Int64(sector) * Int64(DiscSector.size))
            return try reader.bytes(limit: min(count, DiscDirectory.sizeLimit))
        }
        guard let root = try DiscDirectory.root(volume: bytes(DiscDirectory.volumeSector, DiscSector.size)) else {
            return try entriesOfUDF(reader)
        }
        let directory = try DiscDirectory(bytes(root.sector, root.byteCount))
        guard let video = directory.entries.first(where: { $0.isDirectory && $0.name == "VIDEO_TS" }) else {
            return try entriesOfUDF(reader)
        }
        let files = try DiscDirectory(bytes(video.sector, video.byteCount)).entries
        return hasManager(files) ? files : nil
    }

    private static func hasManager(_ files: [DiscDirectory.Entry]) -> Bool {
        files.contains { managers.contains($0.name) }
    }

    /// The same of an image without ISO 9660, whose files lie in one run each, as those of a DVD do.
    private static func entriesOfUDF(_ reader: any IOReader) throws(IOReaderError) -> [DiscDirectory.Entry]? {
        do throws(DiscError) {
            guard let image = try UDFImage(reader), let directory = try image.directory(["VIDEO_TS"]) else { return nil }
            var files: [DiscDirectory.Entry] = []
            for entry in directory.entries where !entry.isDirectory {
                let runs = try image.runs(of: entry.place)
                guard runs.count == 1, let offset = runs[0].offset else { continue }
                files.append(
                    DiscDirectory.Entry(
                        name: entry.name.uppercased(), sector: Int(offset / Int64(DiscSector.size)),
                        byteCount: Int(clamping: runs[0].byteCount)))
            }
            return hasManager(files) ? files : nil
        } catch {
            if case .bytes(let error) = error { throw error }
            return nil
        }
    }

    /// The list of titles, and its copy, which counts where that is missing or damaged.
    private static let managers = ["VIDEO_TS.IFO", "VIDEO_TS.BUP"]

    /// The store of a folder: the video directory or the one above it; nil where there is no DVD in it. Blocks.
    init?(_ folder: DiscFolder) throws(IOReaderError) {
        let entries = try folder.entries(where: Self.isVideo)
        if try Self.hasManager(entries, in: folder) {
            self = .folder(folder, entries)
            return
        }
        guard let video = entries["VIDEO_TS"], video.isFolder else { return nil }
        let below = folder.folder(video), files = try below.entries(where: Self.isVideo)
        guard try Self.hasManager(files, in: below) else { return nil }
        self = .folder(below, files)
    }

    private static func isVideo(_ name: String) -> Bool { name.hasPrefix("VIDEO_TS.") || name.hasPrefix("VTS_") }

    /// Whether one of the files is the list of a DVD's titles. A server is not asked: its name tells enough.
    private static func hasManager(_ entries: [String: DiscFolder.Entry], in folder: DiscFolder) throws(IOReaderError) -> Bool {
        for name in managers {
            guard let entry = entries[name], !entry.isFolder else { continue }
            if !folder.isLocal { return true }
            if try folder.bytes(entry, limit: magicCount).elementsEqual(VideoManager.magic.utf8) { return true }
        }
        return false
    }
}
