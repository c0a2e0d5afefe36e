import AetherCore
import AetherFormats
import AetherSources

/// The files of a BDMV directory, of a disc or of a camera's AVCHD, which has shorter names for the same.
struct BluRayFolder: Sendable {
    /// Where a file is.
    enum Location: Sendable, Equatable {
        case place(UDFPlace)
        case path(String)
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

    /// Looks through the directory. Blocks.
    init(_ location: Location, image: UDFImage? = nil) throws(DiscError) {
        self.image = image
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

    private init(_ other: BluRayFolder, image: UDFImage) {
        self.image = image
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
        case .path(let path):
            guard DirectoryListing.isDirectory(path) else { return [] }
            do throws(IOReaderError) {
                return try DirectoryListing.names(in: path) { _ in true }.map { ($0.uppercased(), .path(path + "/" + $0)) }
            } catch {
                throw .bytes(error)
            }
        }
    }

    /// All of a file of at most `limit` bytes. Blocks.
    func bytes(_ location: Location, limit: Int) throws(DiscError) -> [UInt8] {
        switch location {
        case .place(let place): return try image?.bytes(of: place, limit: limit) ?? []
        case .path(let path):
            do throws(IOReaderError) {
                let reader = try FileReader(path: path)
                defer { reader.close() }
                return try reader.bytes(limit: limit)
            } catch {
                throw .bytes(error)
            }
        }
    }

    /// The bytes of a file that is read in pieces. Blocks.
    func runs(_ location: Location) throws(DiscError) -> DiscRuns {
        switch location {
        case .place(let place):
            guard let image else { throw .disc(.damaged("file system")) }
            return DiscRuns(image.reader, runs: try image.runs(of: place))
        case .path(let path):
            do throws(IOReaderError) {
                return DiscRuns(try FileReader(path: path))
            } catch {
                throw .bytes(error)
            }
        }
    }
}
