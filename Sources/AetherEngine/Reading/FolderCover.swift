import AetherCore
import AetherMedia
import AetherSources

/// The cover that lies beside a song without one of its own: `cover.jpg`, `folder.png`, `front.jpg`, or an image of the song's own name. Blocks
/// as the song's folder does.
struct FolderCover {
    private let folder: any Folder
    private let song: String
    private let http: HTTPOptions

    /// The names of covers without their endings, in small letters; the first is the best.
    private static let names = ["cover", "folder", "front", "album", "albumart", "albumartsmall"]
    private static let endings: Set<String> = ["jpg", "jpeg", "png", "webp"]
    /// 16 MB: a scan of a record's sleeve takes a tenth of it.
    private static let sizeLimit = 16 << 20
    /// Files looked at.
    private static let fileLimit = 1000

    /// `folder`: the song's, where that is known. nil where it cannot be known.
    init?(beside location: MediaLocation, in folder: (any Folder)? = nil, http: HTTPOptions) {
        guard let (folder, name) = location.inFolder(folder, http) else { return nil }
        (self.folder, song, self.http) = (folder, name, http)
    }

    /// The file's bytes; nil where there is none. Raising the interrupt ends the search. Throws what the folder or the file's server says.
    func bytes(_ interrupt: Interrupt) throws(IOReaderError) -> [UInt8]? {
        let watch = interrupt.watch { if $0 { folder.cancel() } }
        defer { interrupt.unwatch(watch) }
        if interrupt.isRaised { throw .cancelled }
        let contents = try folder.contents(limit: Self.fileLimit, includesHidden: false) { Self.rank($0, song: song) != nil }
        let images = contents.entries.filter { !$0.isDirectory && $0.bytes <= Self.sizeLimit }
        guard let best = images.min(by: { Self.rank($0.name, song: song) ?? .max < Self.rank($1.name, song: song) ?? .max })
        else {
            return nil
        }
        let location = folder.location(of: best.name)
        let opened: (any IOReader)? =
            switch location {
            case .url: try location.serverReader(http)
            default: try location.openReader()
            }
        guard let reader = opened else { return nil }
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        return try reader.bytes(limit: Self.sizeLimit)
    }

    /// How well a file's name is a cover's; lower is better, nil is none. The song's own name counts most.
    static func rank(_ file: String, song: String) -> Int? {
        let (stem, ending) = parts(of: file)
        guard endings.contains(ending) else { return nil }
        if stem == parts(of: song).stem { return 0 }
        return names.firstIndex(of: stem).map { $0 + 1 }
    }

    /// In small letters.
    private static func parts(of name: String) -> (stem: String, ending: String) {
        let name = name.lowercased()
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }
}
