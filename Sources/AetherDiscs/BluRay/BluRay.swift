public import AetherCore
public import AetherFormats
import AetherSources
import Glibc

/// A Blu-ray disc or the AVCHD of a camera: an image, or the folder with its files. Its playlists are read when it is opened. Encrypted discs are not
/// decrypted, and programs in Java (BD-J) do not run.
public struct BluRay: Sendable {
    /// The titles by their numbers.
    public let titles: [BluRayTitle]
    /// The title to play where none is named.
    public let mainTitle: BluRayTitle
    /// All playlists by the numbers of their files.
    public let playlists: [Int: BluRayPlaylist]
    /// The kinds of its own titles.
    public let index: BluRayIndex
    /// Its lists of commands; none where they cannot be read.
    public let objects: MovieObjects
    /// Its menus are programs in Java, or some of its titles are.
    public var hasJava: Bool { index.hasJava }
    /// A camera has written it.
    public var isCamera: Bool { folder.isCamera }
    /// It has the tables of an encrypted disc.
    let isLocked: Bool
    let folder: BluRayFolder

    private static let indexLimit = 1 << 20, objectsLimit = 8 << 20, playlistLimit = 1 << 20, tableLimit = 16 << 20
    /// Playlists that are read: the limit of discs.
    private static let countLimit = 2000
    /// Parts of all of them.
    private static let itemLimit = 100_000
    private static let log = Log.module("disc")

    /// Opens an image; nil where the bytes are something else. The reader is then at its start. Blocks.
    public init?(image reader: any IOReader) throws(DiscError) {
        guard let found = try Self.image(reader) else {
            do throws(IOReaderError) {
                if reader.isSeekable { try reader.seek(to: 0) }
            } catch {
                throw .bytes(error)
            }
            return nil
        }
        try self.init(found.folder, isLocked: found.isLocked)
    }

    private static func image(_ reader: any IOReader) throws(DiscError) -> (folder: BluRayFolder, isLocked: Bool)? {
        guard let image = try UDFImage(reader), let root = try image.directory([]) else { return nil }
        func found(_ name: String) -> BluRayFolder.Location? {
            root.entries.first { $0.isDirectory && $0.name.uppercased() == name }.map { .place($0.place) }
        }
        guard let place = found("BDMV") else { return nil }
        let folder = try BluRayFolder(place, image: image)
        return folder.index == nil ? nil : (folder, found("AACS") != nil)
    }

    /// Opens a folder: the one above the BDMV directory, or one that a camera writes; that directory, too. nil where there is no disc. Blocks.
    public init?(_ folder: DiscFolder) throws(DiscError) {
        guard let found = try BluRayFolder.found(in: folder) else { return nil }
        try self.init(found.folder, isLocked: found.isLocked)
    }

    /// Whether there is a disc in a folder. Blocks.
    public static func isThere(_ folder: DiscFolder) -> Bool {
        do throws(DiscError) {
            return try BluRayFolder.found(in: folder) != nil
        } catch {
            // What cannot be read is no disc; opening it tells why.
            return false
        }
    }

    private init(_ folder: BluRayFolder, isLocked: Bool) throws(DiscError) {
        (self.folder, self.isLocked) = (folder, isLocked)
        var copies: BluRayFolder?
        func table<Table>(
            _ name: String, limit: Int, _ find: (BluRayFolder) -> BluRayFolder.Location?,
            _ read: ([UInt8]) throws(DiscFault) -> Table
        ) throws(DiscError) -> Table {
            do throws(DiscError) {
                return try Self.table(name, limit: limit, in: folder, find, read)
            } catch {
                guard case .disc = error, let backup = folder.backup else { throw error }
                if copies == nil { copies = try BluRayFolder(backup, image: folder.image) }
                guard let copies, find(copies) != nil else { throw error }
                return try Self.table(name, limit: limit, in: copies, find, read)
            }
        }
        let index = try table("index.bdmv", limit: Self.indexLimit, \.index) { file throws(DiscFault) in try BluRayIndex(file) }
        self.index = index
        var named: Set<Int> = [], objects = MovieObjects([MovieObject]())
        do throws(DiscError) {
            objects = try table("MovieObject.bdmv", limit: Self.objectsLimit, \.objects) { file throws(DiscFault) in
                try MovieObjects(file)
            }
            named = objects.playlists(
                from: (index.titles + [index.first]).compactMap { program in
                    if case .movieObject(let number) = program { return number }
                    return nil
                })
        } catch {
            // Without it the longest title is the main one.
            if case .bytes(.cancelled) = error { throw error }
            Self.log.info("\(error.reason)")
        }
        self.objects = objects
        var playlists: [Int: BluRayPlaylist] = [:], failure: DiscError?, items = 0
        for number in folder.playlists.keys.sorted().prefix(Self.countLimit) where items < Self.itemLimit {
            let name = "PLAYLIST/\(BluRayClipName.digits(number)).mpls"
            do throws(DiscError) {
                playlists[number] = try table(name, limit: Self.playlistLimit, { $0.playlists[number] }) {
                    file throws(DiscFault) in
                    try BluRayPlaylist(file)
                }
                items += playlists[number]?.items.count ?? 0
            } catch {
                if case .bytes(.cancelled) = error { throw error }
                Self.log.info("\(name): \(error.reason)")
                failure = failure ?? error
            }
        }
        let found = BluRayTitles(playlists, clips: Set(folder.streams.keys), named: named)
        guard let main = found.main else {
            if playlists.isEmpty { throw failure ?? .disc(.missing("PLAYLIST")) }
            throw .disc(folder.streams.isEmpty ? .missing("STREAM") : .damaged("list of titles"))
        }
        (titles, mainTitle, self.playlists) = (found.titles, main, playlists)
    }

    private init(_ other: BluRay, _ folder: BluRayFolder) {
        (titles, mainTitle, playlists, index) = (other.titles, other.mainTitle, other.playlists, other.index)
        (objects, isLocked, self.folder) = (other.objects, other.isLocked, folder)
    }

    /// The same disc over readers of its own, so that another one may read on; nil where there can be none.
    public func independent() -> BluRay? { folder.independent().map { BluRay(self, $0) } }

    /// It has menus of commands, and buttons to them.
    public var hasMenus: Bool {
        guard case .movieObject(let number) = index.menu, objects.objects.indices.contains(number) else { return false }
        return !isCamera && playlists.values.contains { !$0.graphics.isEmpty }
    }

    /// The title that a playlist is, or is the same as; nil for one that is none, as those of menus are.
    public func title(ofPlaylist number: Int) -> BluRayTitle? {
        titles.first { $0.number == number }
            ?? playlists[number].flatMap { own in titles.first { $0.playlist.items == own.items } }
    }

    private static func table<Table>(
        _ name: String, limit: Int, in folder: BluRayFolder, over server: DiscServer? = nil,
        _ find: (BluRayFolder) -> BluRayFolder.Location?, _ read: ([UInt8]) throws(DiscFault) -> Table
    ) throws(DiscError) -> Table {
        guard let location = find(folder) else { throw .disc(.missing(name)) }
        let bytes = try folder.bytes(location, limit: limit, over: server)
        do throws(DiscFault) {
            return try read(bytes)
        } catch {
            throw .disc(error)
        }
    }

    /// The bytes of a title from one angle; nil: of the main one. Blocks.
    public func reader(title number: Int?, angle: Int = 1) throws(DiscError) -> BluRayReader {
        guard let title = number.map({ number in titles.first { $0.id == number } }) ?? mainTitle else {
            throw .disc(.noTitle(of: titles.count))
        }
        return try BluRayReader(self, title, angle: angle)
    }

    /// The bytes of a playlist as the disc's commands play it. Blocks.
    public func reader(_ passage: HDMVPassage, angle: Int = 1) throws(DiscError) -> BluRayReader {
        guard let playlist = playlists[passage.playlist] else {
            throw .disc(.missing("PLAYLIST/\(BluRayClipName.digits(passage.playlist)).mpls"))
        }
        let title = BluRayTitle(id: title(ofPlaylist: passage.playlist)?.id ?? 0, number: passage.playlist, playlist: playlist)
        return try BluRayReader(self, title, angle: angle, passage: passage)
    }

    /// The table of a clip, or its copy. `server`: who is asked in place of the disc's own. Blocks.
    func clipTable(_ number: Int, over server: DiscServer?) throws(DiscError) -> ClipTable {
        let name = "CLIPINF/\(BluRayClipName.digits(number)).clpi"
        do throws(DiscError) {
            return try Self.table(name, limit: Self.tableLimit, in: folder, over: server, { $0.tables[number] }) {
                file throws(DiscFault) in
                try ClipTable(file)
            }
        } catch {
            guard case .disc = error, let backup = folder.backup else { throw error }
            let copies = try BluRayFolder(backup, image: folder.image)
            guard copies.tables[number] != nil else { throw error }
            return try Self.table(name, limit: Self.tableLimit, in: copies, { $0.tables[number] }) { file throws(DiscFault) in
                try ClipTable(file)
            }
        }
    }
}
