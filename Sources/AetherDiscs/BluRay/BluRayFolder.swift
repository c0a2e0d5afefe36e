import AetherCore
import AetherFormats
import AetherSources
import Glibc

/// The files of a BDMV directory, of a disc or of a camera's AVCHD, which has shorter names for the same.
struct BluRayFolder: Sendable {
    /// Where a file is.
    enum Location: Sendable {
        case place(UDFPlace)
        case folder(DiscFolder)
        case file(DiscFolder.Entry, in: DiscFolder)
    }
    private(set) var index: Location?
    private(set) var objects: Location?
    /// By their numbers.
    private(set) var playlists: [Int: Location] = [:]
    private(set) var tables: [Int: Location] = [:]
    private(set) var streams: [Int: Location] = [:]
    /// The directory with copies of the tables.
    private(set) var backup: Location?
    /// Its files have the short names that cameras give.
    private(set) var isCamera = false
    /// The image that the files are in; nil: files of the file system.
    let image: UDFImage?
    /// The server that the files lie on; nil: they do on none.
    let server: DiscServer?

    /// Looks through the directory. Blocks.
    init(_ location: Location, image: UDFImage? = nil) throws(DiscError) {
        self.image = image
        if case .folder(let folder) = location { server = folder.server } else { server = nil }
        for (name, entry) in try Self.entries(location, image) {
            switch name {
            case "INDEX.BDMV": index = entry
            case "INDEX.BDM": (index, isCamera) = (entry, true)
            case "MOVIEOBJECT.BDMV", "MOVIEOBJ.BDM": objects = entry
            case "BACKUP": backup = entry
            case "PLAYLIST": playlists = try numbered(entry, [".MPLS", ".MPL"])
            case "CLIPINF": tables = try numbered(entry, [".CLPI", ".CPI"])
            case "STREAM": streams = try numbered(entry, [".M2TS", ".MTS"])
            default: break
            }
        }
    }

    /// The names of an index, of discs and of cameras.
    private static let indices: Set<String> = ["INDEX.BDMV", "INDEX.BDM"]
    /// Where the directory lies in the folder of a disc, and of a camera.
    private static let ways = [["BDMV"], ["AVCHD", "BDMV"], ["PRIVATE", "AVCHD", "BDMV"]]

    /// The BDMV directory that a folder is, or that lies in it, and whether the tables of an encrypted disc lie beside that; nil where there is none. Blocks.
    static func found(in folder: DiscFolder) throws(DiscError) -> (folder: BluRayFolder, isLocked: Bool)? {
        let entries = try bytes { () throws(IOReaderError) in try folder.entries(where: indices.contains) }
        if let place = try directory(folder, entries) { return (place, false) }
        for way in ways {
            var place = folder, above = entries
            for name in way {
                guard let entry = above[name], entry.isFolder else { break }
                place = place.folder(entry)
                if name == "BDMV" {
                    let files = try bytes { () throws(IOReaderError) in try place.entries(where: indices.contains) }
                    if let found = try directory(place, files) { return (found, above["AACS"]?.isFolder ?? false) }
                } else {
                    above = try bytes { () throws(IOReaderError) in try place.entries(where: indices.contains) }
                }
            }
        }
        return nil
    }

    /// The directory itself, where an index lies in it. A server is not asked for its first bytes: its name tells enough.
    private static func directory(_ folder: DiscFolder, _ entries: [String: DiscFolder.Entry]) throws(DiscError) -> BluRayFolder?
    {
        guard let index = indices.compactMap({ entries[$0] }).first, !index.isFolder else { return nil }
        if folder.isLocal {
            let magic = BluRayIndex.magic.utf8
            let head = try bytes { () throws(IOReaderError) in try folder.bytes(index, limit: magic.count) }
            guard head.elementsEqual(magic) else { return nil }
        }
        return try BluRayFolder(.folder(folder))
    }

    private static func bytes<Value>(_ body: () throws(IOReaderError) -> Value) throws(DiscError) -> Value {
        do throws(IOReaderError) {
            return try body()
        } catch {
            throw .bytes(error)
        }
    }

    private init(_ other: BluRayFolder, image: UDFImage) {
        (self.image, server) = (image, nil)
        (index, objects, playlists, tables, streams) = (other.index, other.objects, other.playlists, other.tables, other.streams)
        (backup, isCamera) = (other.backup, other.isCamera)
    }

    /// The same files, those of an image over a reader of its own; nil where there can be none.
    func independent() -> BluRayFolder? {
        guard let image else { return self }
        return image.independent().map { BluRayFolder(self, image: $0) }
    }

    /// Five digits and an ending.
    private func numbered(_ location: Location, _ endings: [String]) throws(DiscError) -> [Int: Location] {
        var files: [Int: Location] = [:]
        for (name, entry) in try Self.entries(location, image) {
            guard let ending = endings.first(where: name.hasSuffix), name.utf8.count == ending.utf8.count + 5,
                let number = Int(name.prefix(5)), number >= 0
            else { continue }
            files[number] = entry
        }
        return files
    }

    /// The entries of a directory, by names in capitals; empty for anything else.
    static func entries(_ location: Location, _ image: UDFImage?) throws(DiscError) -> [(name: String, Location)] {
        switch location {
        case .place(let place):
            guard let image else { return [] }
            return try image.directory(at: place).entries.map { ($0.name.uppercased(), .place($0.place)) }
        case .file: return []
        case .folder(let folder):
            do throws(IOReaderError) {
                return try folder.entries().map { name, entry in
                    (name, entry.isFolder ? .folder(folder.folder(entry)) : .file(entry, in: folder))
                }
            } catch {
                throw .bytes(error)
            }
        }
    }

    /// All of a file of at most `limit` bytes. `server`: who is asked in place of the folder's own. Blocks.
    func bytes(_ location: Location, limit: Int, over server: DiscServer? = nil) throws(DiscError) -> [UInt8] {
        switch location {
        case .place(let place): return try image?.bytes(of: place, limit: limit) ?? []
        case .folder: throw .bytes(.posix(EISDIR))
        case .file(let entry, let folder):
            do throws(IOReaderError) {
                return try folder.over(server).bytes(entry, limit: limit)
            } catch {
                throw .bytes(error)
            }
        }
    }

    /// The bytes of a file that is read in pieces. `server` as above. Blocks.
    func runs(_ location: Location, over server: DiscServer? = nil) throws(DiscError) -> DiscRuns {
        switch location {
        case .place(let place):
            guard let image else { throw .disc(.damaged("file system")) }
            return DiscRuns(image.reader, runs: try image.runs(of: place))
        case .folder: throw .bytes(.posix(EISDIR))
        case .file(let entry, let folder):
            do throws(IOReaderError) {
                return DiscRuns(try folder.over(server).reader(entry))
            } catch {
                throw .bytes(error)
            }
        }
    }
}
