import AetherCore
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
        if !HTTPReader.reads(url) { return try lines(url) }
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
        let reader = try HTTPReader(url, options: http.listing)
        defer { reader.close() }
        turn.onDrop { reader.cancel() }
        do throws(IOReaderError) {
            try reader.open()
            guard var folder = StreamAddress(reader.target) else { return nil }
            let bytes = try reader.bytes(limit: WebIndex.sizeLimit)
            guard let index = WebIndex(dav: bytes, at: folder, folder: &folder) else { return nil }
            return Find(list: .folder(index, folder), provenance: reader.provenance, address: folder.text)
        } catch {
            // It does not speak WebDAV there; why the address cannot be read is said where it is read.
            if case .network(let fault) = error, case .status = fault.kind { return nil }
            throw error
        }
    }

    /// The list of a folder on a server of ftp or sftp; nil for what is none.
    private func lines(_ url: String) throws(IOReaderError) -> Find? {
        guard url.hasSuffix("/") else { return nil }
        let reader = try HTTPReader(url, options: http)
        defer { reader.close() }
        turn.onDrop { reader.cancel() }
        let bytes = try reader.bytes(limit: WebIndex.sizeLimit + 1)
        guard let folder = StreamAddress(reader.target), let index = WebIndex(lines: bytes, now: SystemText.month) else {
            return nil
        }
        return Find(list: .folder(index, folder), provenance: reader.provenance, address: reader.target, allowsOther: true)
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
