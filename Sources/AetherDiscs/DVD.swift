public import AetherCore
public import AetherFormats

/// A DVD-Video: an image, or the folder with its files. Its tables are read when it is opened. Encrypted discs are not decrypted.
public struct DVD: Sendable {
    /// The titles by their numbers, without those whose tables are damaged.
    public let titles: [DiscTitle]
    let store: DiscStore
    /// The first sectors of units by the number of the title set.
    private let units: [Int: [Int]]

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

    /// Opens a folder: the video directory, the one above it, or the file VIDEO_TS.IFO in it; nil where there is no DVD. Blocks.
    public init?(folder path: String) throws(DiscError) {
        guard let found = DiscStore(folder: path) else { return nil }
        try self.init(found)
    }

    /// Whether a path leads to a folder with a DVD in it. Blocks as the file system does.
    public static func isThere(_ path: String) -> Bool { DiscStore(folder: path) != nil }

    /// The folder of a DVD whose list of titles was named; nil for any other file. Blocks as the file system does.
    public static func folder(ofList path: String) -> String? {
        guard DiscStore.isManager(path) else { return nil }
        return path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private init(_ store: DiscStore) throws(DiscError) {
        self.store = store
        let manager = try Self.table("VIDEO_TS", of: store) { file throws(DiscFault) in try VideoManager(file) }
        var sets: [Int: TitleSet] = [:], titles: [DiscTitle] = [], units: [Int: [Int]] = [:], failure: DiscError?
        for (index, entry) in manager.entries.enumerated() {
            do throws(DiscError) {
                let set: TitleSet
                if let known = sets[entry.titleSet] {
                    set = known
                } else {
                    let name = Self.name(entry.titleSet) + "0"
                    set = try Self.table(name, of: store) { file throws(DiscFault) in try TitleSet(file) }
                    sets[entry.titleSet] = set
                    units[entry.titleSet] = set.units
                }
                titles.append(try Self.disc { () throws(DiscFault) in try set.title(index + 1, at: entry) })
            } catch {
                if case .bytes(.cancelled) = error { throw error }
                Self.log.info("title \(index + 1): \(error.reason)")
                failure = failure ?? error
            }
        }
        if titles.isEmpty { throw failure ?? .disc(.damaged("list of titles")) }
        (self.titles, self.units) = (titles, units)
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
        return try TitleReader(self, title, angle: angle, units: units[title.titleSet] ?? [])
    }

    /// The files of a title set's video in their order. Blocks.
    func video(ofSet number: Int) throws(DiscError) -> [DiscFile] {
        var files: [DiscFile] = []
        do throws(IOReaderError) {
            for part in 1...9 {
                guard let file = try store.file(Self.name(number) + "\(part).VOB") else { break }
                files.append(file)
            }
        } catch {
            throw .bytes(error)
        }
        if files.isEmpty { throw .disc(.missing(Self.name(number) + "1.VOB")) }
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
            bytes = try store.file(name)?.bytes(limit: tableLimit)
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
