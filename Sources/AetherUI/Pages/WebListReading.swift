import AetherCore
import AetherEngine
import AetherFormats
import AetherSources

/// The reading of a list from a web server: a playlist, or the page of a folder. Blocks on the network.
struct WebListReading {
    /// How servers are spoken to.
    let http: HTTPOptions
    /// The receiver of the answer.
    let turn: RequestTurn

    /// A list and the rules for what it names.
    struct Find {
        let list: WebList
        let provenance: Provenance?
        /// Where redirections have led, without name and password.
        let address: String
        /// The list may lead to addresses of other protocols than http and https.
        var allowsOther = false
    }

    /// Reads what lies at an address; nil where that is no list. A folder that has no page may be one of WebDAV. Throws what the reader says.
    func read(_ url: String) throws(IOReaderError) -> Find? {
        if !HTTPReader.reads(url) {
            return url.hasSuffix("/") ? try folder(url) { folder throws(IOReaderError) in try folder.listing() } : nil
        }
        if HTTPReader.isDAV(url), let found = try listed(url) { return found }
        let isFolder = url.prefix { $0 != "?" && $0 != "#" }.hasSuffix("/")
        do throws(IOReaderError) {
            if let found = try document(url) { return found }
        } catch {
            // A server of WebDAV alone may have no pages at all.
            guard isFolder, case .network(let fault) = error, case .status = fault.kind, let found = try listed(url) else {
                throw error
            }
            return found
        }
        return isFolder && !HTTPReader.isDAV(url) ? try listed(url) : nil
    }

    /// The list of a WebDAV folder; nil where the server has none.
    private func listed(_ url: String) throws(IOReaderError) -> Find? {
        try folder(url) { folder throws(IOReaderError) in try folder.properties() }
    }

    private func folder(
        _ url: String, _ listing: (WebFolder) throws(IOReaderError) -> WebFolder.Listing?
    ) throws(IOReaderError) -> Find? {
        let folder = WebFolder(url, http: http)
        turn.onDrop { folder.cancel() }
        return try listing(folder).map { listing in
            Find(
                list: .folder(listing.index, listing.address), provenance: listing.provenance, address: listing.address.text,
                // Of sftp and ftp no rule for documents of the web holds.
                allowsOther: !HTTPReader.reads(url))
        }
    }

    private func document(_ url: String) throws(IOReaderError) -> Find? {
        let reader = try HTTPReader(url, options: http)
        defer { reader.close() }
        turn.onDrop { reader.cancel() }
        try reader.open()
        guard let address = StreamAddress(reader.target) else { return nil }
        let head = try reader.bytes(limit: WebList.headLength)
        guard WebList.mayBegin(head, at: address) else { return nil }
        let bytes = try head + reader.bytes(limit: WebList.sizeLimit + 1 - head.count)
        let allowsOther = reader.isPrivate || http.allowsLAN
        guard let list = WebList(bytes, at: address, allowsOther: allowsOther) else { return nil }
        return Find(list: list, provenance: reader.provenance, address: reader.target, allowsOther: allowsOther)
    }
}
