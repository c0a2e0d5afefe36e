public import AetherCore
public import AetherFormats
import AetherMedia
public import AetherSources

/// A folder on a server that lists it: of WebDAV, of sftp and ftp, or of a web server that writes pages for people.
public final class WebFolder: Folder {
    /// The list of such a folder.
    public struct Listing: Sendable {
        /// The entries.
        public let index: WebIndex
        /// Where redirections have led; ends in a slash, without name and password.
        public let address: StreamAddress
        /// The rules for the files that it names; nil where it was told by nobody.
        public let provenance: Provenance?

        /// A list that was read.
        public init(_ index: WebIndex, at address: StreamAddress, _ provenance: Provenance?) {
            (self.index, self.address, self.provenance) = (index, address, provenance)
        }
    }

    /// With a slash at the end; with name and password where they were given.
    public let address: String
    private let http: HTTPOptions
    /// nil: it is asked for.
    private let known: Listing?
    private let interrupt = Interrupt()

    /// A folder by its address; nothing is asked of the server yet. `known`: its list, which is then not asked for.
    public init(_ address: String, http: HTTPOptions, known: Listing? = nil) {
        self.address = address.hasSuffix("/") ? address : address + "/"
        (self.http, self.known) = (http, known)
    }

    /// Whether the server of an address is asked for its folders unasked: those of WebDAV, sftp and ftp are, for that is what they are for. Pages
    /// of web servers are for people.
    static func isListed(_ url: String) -> Bool {
        HTTPReader.opens(url) && (HTTPReader.isDAV(url) || !HTTPReader.reads(url))
    }

    /// The folder of a file, and the file's name there, decoded; nil where the address is none of a file.
    static func parts(of url: String) -> (folder: String, name: String)? {
        let path = HTTPReader.reads(url) ? url.prefix { $0 != "?" && $0 != "#" } : url[...]
        guard let scheme = path.firstRange(of: "://")?.upperBound, let slash = path[scheme...].lastIndex(of: "/") else {
            return nil
        }
        let name = MediaLocation.percentDecoded(path[path.index(after: slash)...])
        return name.isEmpty ? nil : (String(path[...slash]), name)
    }

    /// Its list; nil where the server has none. Blocks on the server. Throws `.network`, or `.cancelled`.
    public func listing() throws(IOReaderError) -> Listing? {
        if let known { return known }
        if !HTTPReader.reads(address) { return try lines() }
        let isDAV = HTTPReader.isDAV(address)
        if isDAV, let found = try properties() { return found }
        do throws(IOReaderError) {
            if let found = try page() { return found }
        } catch {
            // A server of WebDAV alone may have no pages at all.
            guard !isDAV, case .network(let fault) = error, case .status = fault.kind, let found = try properties() else {
                throw error
            }
            return found
        }
        return isDAV ? nil : try properties()
    }

    /// The list that WebDAV gives; nil where the server does not speak it there.
    public func properties() throws(IOReaderError) -> Listing? {
        do throws(IOReaderError) {
            return try read(http.listing) { bytes, target in
                var folder = target
                return WebIndex(dav: bytes, at: target, folder: &folder).map { ($0, folder) }
            }
        } catch {
            // Why the address cannot be read is said where it is read.
            if case .network(let fault) = error, case .status = fault.kind { return nil }
            throw error
        }
    }

    /// The list of a server of sftp or ftp; nil for what is none.
    private func lines() throws(IOReaderError) -> Listing? {
        try read(http) { bytes, target in WebIndex(lines: bytes, now: FileDate.month()).map { ($0, target) } }
    }

    /// The page of a web server; nil for what is none.
    private func page() throws(IOReaderError) -> Listing? {
        try read(http, where: WebList.mayBegin) { bytes, target in
            WebIndex(bytes, at: target).flatMap { index in target.resolved(".").map { (index, $0) } }
        }
    }

    private func read(
        _ http: HTTPOptions, where mayBegin: ([UInt8], StreamAddress) -> Bool = { _, _ in true },
        _ index: ([UInt8], StreamAddress) -> (WebIndex, StreamAddress)?
    ) throws(IOReaderError) -> Listing? {
        let reader = try HTTPReader(address, options: http)
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        let head = try reader.bytes(limit: WebList.headLength)
        guard let target = StreamAddress(reader.target), mayBegin(head, target) else { return nil }
        let bytes = try head + reader.bytes(limit: WebIndex.sizeLimit + 1 - head.count)
        guard let (found, folder) = index(bytes, target) else { return nil }
        return Listing(found, at: folder, reader.provenance)
    }

    // MARK: - Folder

    /// See `Folder`.
    public func contents(
        limit: Int, includesHidden: Bool, where isWanted: (String) -> Bool
    ) throws(IOReaderError) -> DirectoryContents {
        guard let listing = try listing() else {
            throw .network(NetworkFault(.badAnswer, detail: "the server lists no folder there"))
        }
        let wanted = listing.index.entries.filter { $0.isFolder || isWanted($0.name) }
        let entries = wanted.prefix(limit).map { entry in
            DirectoryContents.Entry(
                name: entry.name, isDirectory: entry.isFolder, bytes: entry.bytes ?? 0, changed: entry.changed.map(FileDate.init))
        }
        return DirectoryContents(sorting: Array(entries), isCut: listing.index.isCut || wanted.count > limit)
    }

    /// See `Folder`.
    public var statesSizes: Bool { !HTTPReader.reads(address) || HTTPReader.isDAV(address) }

    /// See `Folder`. As the list writes it where that is known.
    public func location(of name: String) -> MediaLocation { .url(address + reference(name)) }

    /// See `Folder`.
    public func folder(_ name: String) -> any Folder {
        WebFolder(address + reference(name) + "/", http: http.named(by: known?.provenance))
    }

    /// See `Folder`.
    public func cancel() { interrupt.raise() }

    private func reference(_ name: String) -> String {
        known?.index.entries.first { $0.name == name }?.reference ?? ShareFolder.reference(name)
    }
}

extension FileDate {
    /// A time as a server's list has it.
    public init(_ change: WebIndex.Change) {
        self.init(year: change.year, month: change.month, day: change.day, hour: change.hour, minute: change.minute)
    }
}

extension MediaLocation {
    /// The folder that it lies in, and its name there. `known`: the folder, where a host has told it; else that of this machine, of a share, or of a
    /// server that lists its folders unasked. nil for others.
    func inFolder(_ known: (any Folder)?, _ http: HTTPOptions) -> (folder: any Folder, name: String)? {
        guard case .url(let url) = self, HTTPReader.opens(url) else { return inFolder.map { (known ?? $0.folder, $0.name) } }
        guard known != nil || WebFolder.isListed(url), let (address, name) = WebFolder.parts(of: url) else { return nil }
        return (known ?? WebFolder(address, http: http), name)
    }
}
