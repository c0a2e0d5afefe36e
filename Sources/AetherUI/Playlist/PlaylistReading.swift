import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import FoundationEssentials
import Glibc

/// The items that arguments stand for: a directory for its media files in natural order, a playlist (M3U, PLS, XSPF, CUE) for what it lists, also of
/// directories and of lists in it. Blocks on the file system.
struct PlaylistReading {
    private(set) var items: [Playlist.Item] = []
    /// The list of channels that was read; its first channel is an item.
    private(set) var channels: ChannelBook?
    /// The lists that are being read, the outermost first: one that names itself is not read again.
    private var open: [String] = []
    private var lists = 0

    /// The depth of lists in lists.
    private static let depthLimit = 8
    /// Lists in one: a list of a thousand lists that each name all of them would have no end.
    private static let listLimit = 1000

    /// Takes in what an argument names. Throws when it holds nothing or cannot be read.
    mutating func read(_ location: MediaLocation) throws(MediaError) {
        // A folder that a download has made is one item.
        let location = location.inPackage
        guard case .file(let path) = location else { return append(Playlist.Item(location: location)) }
        if location.isDiscFolder {
            append(Playlist.Item(location: location))
        } else if DirectoryListing.isDirectory(path) {
            for file in try Self.files(in: path) { append(file) }
        } else if PlaylistDocument.Format(fileName: path) == nil {
            append(Playlist.Item(location: location))
        } else {
            try readList(path)
        }
    }

    /// The folder that is named alone, and holds folders but no media: to be looked around in. Blocks on the file system.
    static func folderOfFolders(_ arguments: [String]) -> String? {
        guard arguments.count == 1, case .file(let path) = MediaLocation.parse(arguments[0]).inPackage,
            !MediaLocation.file(path).isDiscFolder, DirectoryListing.isDirectory(path)
        else { return nil }
        return DirectoryListing.holdsOnlyFolders(path) ? path : nil
    }

    private mutating func append(_ item: Playlist.Item) {
        if items.count < PlaylistDocument.entryLimit { items.append(item) }
    }

    /// Takes in what a playlist lists, and the list itself where it is a stream that only looks like one.
    private mutating func readList(_ path: String) throws(MediaError) {
        if open.isEmpty, let book = try Self.channels(path) {
            channels = book
            guard let first = (0..<book.list.count).lazy.compactMap({ book.item($0) }).first else {
                throw MediaError(
                    .cannotOpen, "play", subject: path, reason: translated("no channel of the list can be opened from there"))
            }
            return append(first)
        }
        if MediaLocation.file(path).isDiscSheet { return append(Playlist.Item(location: .file(path))) }
        guard let document = try Self.document(path), !document.isStream else {
            return append(Playlist.Item(location: .file(path)))
        }
        let former = items.count
        open.append(Self.resolved(path))
        lists += 1
        defer { open.removeLast() }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var sheet = PlaylistDocument.Format(fileName: path) == .cue ? SheetAudio(document, path: path) : nil
        for entry in document.entries {
            let item = document.letters.flatMap { Self.bytewise(entry, $0, in: folder) } ?? Playlist.item(entry, in: folder)
            readEntry(sheet?.meant(by: item) ?? Self.decoded(item, in: folder) ?? item)
        }
        guard items.count > former || open.count > 1 else {
            throw MediaError(.cannotOpen, "play", subject: path, reason: translated("the playlist lists nothing"))
        }
    }

    /// A line of a list may be a list or a directory itself. What cannot be read stays: why not is said when its turn comes.
    private mutating func readEntry(_ item: Playlist.Item) {
        guard case .file(let path) = item.location, item.start == nil, item.end == nil else { return append(item) }
        let name = path.split(separator: "/").last ?? ""
        do throws(MediaError) {
            if PlaylistDocument.Format(fileName: path) != nil {
                guard !open.contains(Self.resolved(path)), open.count < Self.depthLimit, lists < Self.listLimit else { return }
                try readList(path)
            } else if !name.contains(".") || path.hasSuffix("/"), DirectoryListing.isDirectory(path) {
                // Only names without an ending are looked up: a list of a collection has a hundred thousand others.
                for file in try Self.files(in: path) { append(file) }
            } else {
                append(item)
            }
        } catch {
            append(item)
        }
    }

    // MARK: - The file system

    /// The file that an entry of a list that is no Unicode names byte by byte, as both have it that were written in that time; nil where it
    /// is called what the list says, or is not there at all.
    private static func bytewise(_ entry: PlaylistDocument.Entry, _ letters: ListLetters, in folder: String) -> Playlist.Item? {
        func isThere(_ item: Playlist.Item) -> Bool {
            guard case .file(let path) = item.location else { return true }
            return access(PathText.cString(path), F_OK) == 0
        }
        guard let bytes = letters.bytes(of: entry.location), bytes.contains(where: { $0 >= 0x80 }),
            !isThere(Playlist.item(entry, in: folder))
        else { return nil }
        var named = entry
        named.location = PathText.text(bytes)
        let item = Playlist.item(named, in: folder)
        return isThere(item) ? item : nil
    }

    /// The file whose name an item has with percent codes, as VLC writes relative paths; nil where it is called what the list says, or is not
    /// there at all.
    private static func decoded(_ item: Playlist.Item, in folder: String) -> Playlist.Item? {
        guard case .file(let path) = item.location, !DirectoryListing.isThere(path) else { return nil }
        // The folder of the list is called as it is.
        let named = path.hasPrefix(folder) ? path.dropFirst(folder.count) : path[...]
        guard named.contains("%") else { return nil }
        let meant = String(path.prefix(path.count - named.count)) + MediaLocation.percentDecoded(named)
        guard DirectoryListing.isThere(meant) else { return nil }
        return Playlist.Item(location: .file(meant), title: item.title, start: item.start, end: item.end)
    }

    private static func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    private static func files(in path: String) throws(MediaError) -> [Playlist.Item] {
        do throws(IOReaderError) {
            let files = try DirectoryListing.mediaFiles(in: path)
            if files.isEmpty { throw IOReaderError.closed }
            return files.map { Playlist.Item(location: .file($0)) }
        } catch {
            if case .posix(let number) = error {
                throw MediaError(.cannotOpen, "open", subject: path, cause: -number, reason: SystemText.error(number))
            }
            throw MediaError(.cannotOpen, "play", subject: path, reason: translated("the directory holds no media files"))
        }
    }

    /// The channels of a list; nil where it lists something else.
    private static func channels(_ path: String) throws(MediaError) -> ChannelBook? {
        guard PlaylistDocument.Format(fileName: path) == .m3u, let bytes = try text(path, limit: ChannelList.sizeLimit + 1) else {
            return nil
        }
        let list = ChannelList(bytes)
        return list.isChannels ? ChannelBook(list, source: path) : nil
    }

    private static func document(_ path: String) throws(MediaError) -> PlaylistDocument? {
        guard let format = PlaylistDocument.Format(fileName: path) else { return nil }
        return try text(path, limit: PlaylistDocument.sizeLimit).map { PlaylistDocument($0, format: format) }
    }

    /// The bytes of a file that may be a list; nil for media, whatever their name: a download may have kept that of its playlist.
    private static func text(_ path: String, limit: Int) throws(MediaError) -> [UInt8]? {
        do throws(IOReaderError) {
            let bytes = try FileReader(path: path).bytes(limit: limit)
            return isText(bytes.prefix(4096)) ? bytes : nil
        } catch {
            // A pipe is no list, whatever its name: it is played.
            guard case .posix(let number) = error, number != ESPIPE else { return nil }
            throw MediaError(.cannotOpen, "open", subject: path, cause: -number, reason: SystemText.error(number))
        }
    }

    /// Text has no zeros; that of UTF-16 has them in every other place alone, or says at its start what it is.
    static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        let zeros = bytes.indices.lazy.filter { bytes[$0] == 0 }
        guard let first = zeros.first else { return true }
        return zeros.allSatisfy { ($0 - first).isMultiple(of: 2) }
    }
}
