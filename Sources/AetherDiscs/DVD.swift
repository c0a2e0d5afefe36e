public import AetherCore
public import AetherFormats

/// A DVD-Video: an image, or the folder with its files. Its tables are read when it is opened. Encrypted discs are not decrypted.
public struct DVD: Sendable {
    /// The titles by their numbers, without those whose tables are damaged.
    public let titles: [DiscTitle]
    /// The tables, for its menus.
    public let tables: VideoTables
    let store: DiscStore

    /// A table is some hundred kilobytes long.
    private static let tableLimit = 4 << 20
    private static let log = Log.module("disc")

    /// Opens an image; nil where the bytes are something else. The reader is then at its start. Blocks.
    public init?(image reader: any IOReader) throws(DiscError) {
        let found: DiscStore?
        do throws(IOReaderError) {
            found = try DiscStore(image: reader)
        } catch {
            throw .bytes(error)
        }
        guard let found else { return nil }
        try self.init(found)
    }

    /// Opens a folder: the video directory, or the one above it; nil where there is no DVD. Blocks.
    public init?(_ folder: DiscFolder) throws(DiscError) {
        let found: DiscStore?
        do throws(IOReaderError) {
            found = try DiscStore(folder)
        } catch {
            throw .bytes(error)
        }
        guard let found else { return nil }
        try self.init(found)
    }

    /// Whether there is a DVD in a folder. Blocks.
    public static func isThere(_ folder: DiscFolder) -> Bool {
        do throws(IOReaderError) {
            return try DiscStore(folder) != nil
        } catch {
            // What cannot be read is no disc; opening it tells why.
            return false
        }
    }

    private init(_ store: DiscStore) throws(DiscError) {
        self.store = store
        let manager = try Self.table("VIDEO_TS", of: store) { file throws(DiscFault) in try VideoManager(file) }
        var sets: [Int: TitleSet] = [:], titles: [DiscTitle] = [], failure: DiscError?
        for (index, entry) in manager.entries.enumerated() {
            do throws(DiscError) {
                let set: TitleSet
                if let known = sets[entry.titleSet] {
                    set = known
                } else {
                    let name = Self.name(entry.titleSet) + "0"
                    set = try Self.table(name, of: store) { file throws(DiscFault) in try TitleSet(file) }
                    sets[entry.titleSet] = set
                }
                titles.append(try Self.disc { () throws(DiscFault) in try set.title(index + 1, at: entry) })
            } catch {
                if case .bytes(.cancelled) = error { throw error }
                Self.log.info("title \(index + 1): \(error.reason)")
                failure = failure ?? error
            }
        }
        if titles.isEmpty { throw failure ?? .disc(.damaged("list of titles")) }
        (self.titles, tables) = (titles, VideoTables(manager: manager, sets: sets))
    }

    /// The title to play where none is named: the longest, the first of these.
    public var mainTitle: DiscTitle? {
        titles.reduce(nil) { longest, title in longest.map { $0.duration >= title.duration } ?? false ? longest : title }
    }

    /// The bytes of a title from one angle; nil: of the main one. Blocks.
    public func reader(title number: Int?, angle: Int = 1) throws(DiscError) -> TitleReader {
        guard let title = number.map({ number in titles.first { $0.id == number } }) ?? mainTitle else {
            throw .disc(.noTitle(of: titles.map(\.id).max() ?? 0))
        }
        let space = DiscPassage.Space.titles(set: title.titleSet)
        return try TitleReader(self, title, angle: angle, units: tables.units(of: space), video: video(of: space))
    }

    /// The bytes of a passage: of a menu, or of a title as its menus play it. Blocks.
    public func reader(_ passage: DiscPassage, angle: Int = 1) throws(DiscError) -> TitleReader {
        guard let title = tables.title(of: passage) else { throw .disc(.damaged("list of programmes")) }
        // A title that is played as a whole is the one that is played without menus.
        let whole = titles.first { $0.id == title.id && $0.cells == title.cells }
        return try TitleReader(
            self, whole ?? title, angle: angle, units: tables.units(of: passage.space), video: video(of: passage.space),
            passage: passage)
    }

    /// The same disc over a reader of its own, so that another one may read on; nil where there can be none.
    public func independent() -> DVD? { store.independent().map { DVD(self, $0) } }

    private init(_ other: DVD, _ store: DiscStore) { (titles, tables, self.store) = (other.titles, other.tables, store) }

    /// The files of the video of a part of the disc in their order. Blocks.
    func video(of space: DiscPassage.Space) throws(DiscError) -> [DiscFile] {
        let names =
            switch space {
            case .firstPlay: [String]()
            case .manager: ["VIDEO_TS.VOB"]
            case .menus(let set): [Self.name(set) + "0.VOB"]
            case .titles(let set): (1...9).map { Self.name(set) + "\($0).VOB" }
            }
        var files: [DiscFile] = []
        do throws(IOReaderError) {
            for name in names {
                guard let file = try store.file(name) else { break }
                files.append(file)
            }
        } catch {
            throw .bytes(error)
        }
        if files.isEmpty { throw .disc(.missing(names.first ?? "its video")) }
        return files
    }

    private static func name(_ set: Int) -> String { "VTS_\(set < 10 ? "0" : "")\(set)_" }

    /// A table or, where that is damaged, its copy, which each disc has.
    private static func table<Table>(
        _ name: String, of store: DiscStore, read: ([UInt8]) throws(DiscFault) -> Table
    ) throws(DiscError) -> Table {
        var failure: DiscError?
        for file in [name + ".IFO", name + ".BUP"] {
            do throws(DiscError) {
                let bytes = try bytes(file, of: store)
                return try disc { () throws(DiscFault) in try read(bytes) }
            } catch {
                if case .bytes(.cancelled) = error { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? .disc(.missing(name + ".IFO"))
    }

    private static func bytes(_ name: String, of store: DiscStore) throws(DiscError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(IOReaderError) {
            bytes = try store.bytes(name, limit: tableLimit)
        } catch {
            throw .bytes(error)
        }
        guard let bytes else { throw .disc(.missing(name)) }
        return bytes
    }

    private static func disc<Result>(_ body: () throws(DiscFault) -> Result) throws(DiscError) -> Result {
        do throws(DiscFault) {
            return try body()
        } catch {
            throw .disc(error)
        }
    }
}
