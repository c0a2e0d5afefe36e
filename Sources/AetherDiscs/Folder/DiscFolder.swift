import AetherCore
public import AetherSources
import Glibc

/// The folder that the files of a disc lie in: of the file system, on a share, or of a server that lists it.
public struct DiscFolder: Sendable {
    /// A file or a folder in it.
    struct Entry: Sendable, Equatable {
        let name: String
        let isFolder: Bool
        /// nil where the list does not say it, or rounds it.
        let byteCount: Int64?
    }

    private enum Place: Sendable {
        case path(String)
        case server(any Folder, DiscServer)
    }
    private let place: Place

    /// A folder of the file system; "" is the present one. Nothing is read yet.
    public init(path: String) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        place = .path(path.isEmpty ? "." : path)
    }

    /// A folder on a server. Nothing is asked yet.
    public init(_ folder: any Folder, of server: DiscServer) { place = .server(folder, server) }

    /// The server that it lies on; nil: it is one of the file system.
    var server: DiscServer? {
        if case .server(_, let server) = place { return server }
        return nil
    }

    /// The same folder, its files opened and broken off by another one who speaks with the server; nil: as it is.
    func over(_ server: DiscServer?) -> DiscFolder {
        guard let server, case .server(let folder, _) = place else { return self }
        return DiscFolder(folder, of: server)
    }

    /// It is one of the file system.
    var isLocal: Bool { server == nil }

    /// Its folders, and the files whose names in capitals are wanted, by these names: discs know no other letters. Blocks. Throws where it cannot be
    /// read.
    func entries(where isWanted: (String) -> Bool = { _ in true }) throws(IOReaderError) -> [String: Entry] {
        let contents: DirectoryContents, statesSizes: Bool
        switch place {
        case .path(let path):
            contents = try DirectoryContents(of: path) { isWanted($0.uppercased()) }
            statesSizes = true
        case .server(let folder, let server):
            contents = try server.contents(of: folder) { isWanted($0.uppercased()) }
            statesSizes = folder.statesSizes
        }
        return contents.entries.reduce(into: [:]) { entries, entry in
            // Lists say no size of a link: that is 0 here.
            let size = statesSizes && !entry.isDirectory && entry.bytes > 0 ? entry.bytes : nil
            entries[entry.name.uppercased()] = Entry(name: entry.name, isFolder: entry.isDirectory, byteCount: size)
        }
    }

    /// A folder in it. Never blocks.
    func folder(_ entry: Entry) -> DiscFolder {
        switch place {
        case .path(let path): DiscFolder(path: path + "/" + entry.name)
        case .server(let folder, let server): DiscFolder(folder.folder(entry.name), of: server)
        }
    }

    /// A reader of a file in it. Of the file system it is opened; a server is asked where its list does not say the size. Blocks.
    func reader(_ entry: Entry) throws(IOReaderError) -> any IOReader {
        switch place {
        case .path(let path): return try FileReader(path: path + "/" + entry.name)
        case .server(let folder, let server):
            let reader = FolderReader(folder.location(of: entry.name), size: entry.byteCount, of: server)
            if entry.byteCount == nil { try reader.open() }
            return reader
        }
    }

    /// All of a file of at most `limit` bytes. Blocks.
    func bytes(_ entry: Entry, limit: Int) throws(IOReaderError) -> [UInt8] {
        switch place {
        case .path(let path):
            let reader = try FileReader(path: path + "/" + entry.name)
            defer { reader.close() }
            return try reader.bytes(limit: limit)
        case .server(let folder, let server): return try server.bytes(of: folder.location(of: entry.name), limit: limit)
        }
    }

    /// A reader of a file that a text names, by a name or a path below the folder, which is never left; nil where there is none. Blocks.
    func reader(at path: String) throws(IOReaderError) -> (any IOReader)? {
        do throws(IOReaderError) {
            switch place {
            case .path(let folder): return try ConfinedFile.reader(path: folder + "/" + path, below: folder)
            case .server(var folder, let server):
                var names = path.split(separator: "/").map(String.init)
                guard let name = names.popLast(), !path.hasPrefix("/"), !(names + [name]).contains("..") else { return nil }
                for name in names where name != "." { folder = folder.folder(name) }
                let reader = FolderReader(folder.location(of: name), size: nil, of: server)
                try reader.open()
                return reader
            }
        } catch {
            guard Self.isAbsence(error) else { throw error }
            return nil
        }
    }

    /// A name that another machine gave leads nowhere here, or out of the folder.
    private static func isAbsence(_ error: IOReaderError) -> Bool {
        switch error {
        case .posix(let number): [ENOENT, ENOTDIR, EXDEV, EINVAL, ENAMETOOLONG].contains(number)
        case .network(let fault): fault.kind == .missing || fault.kind == .status(404) || fault.kind == .status(410)
        default: false
        }
    }

    /// A reader of a file that the person named; nil where it is no regular file of the file system. Blocks.
    func reader(named name: String) throws(IOReaderError) -> (any IOReader)? {
        guard case .path(let path) = place else { return try reader(at: name) }
        var status = stat()
        let whole = path + "/" + name
        // A pipe is not opened for a look: whoever writes into it would lose its reader.
        guard !whole.utf8.contains(0), stat(PathText.cString(whole), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return try FileReader(path: whole)
    }

    /// The names of files with one of the endings, in small letters, in natural order. Blocks.
    func names(extensions: Set<String>) throws(IOReaderError) -> [String] {
        switch place {
        case .path(let path): return try DirectoryListing.names(in: path, extensions: extensions)
        case .server(let folder, let server):
            let contents = try server.contents(of: folder) { name in
                name.lastIndex(of: ".").map { extensions.contains(name[$0...].dropFirst().lowercased()) } ?? false
            }
            return contents.entries.filter { !$0.isDirectory }.map(\.name)
        }
    }
}
