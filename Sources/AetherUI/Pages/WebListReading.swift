import AetherCore
import AetherFormats
import AetherSources

/// The reading of a list from a web server: a playlist, or the page of a folder. Blocks on the network.
struct WebListReading {
    /// How servers are spoken to.
    let http: HTTPOptions
    /// Whoever wants the answer.
    let turn: RequestTurn

    /// A list and the rules for what it names.
    struct Find {
        let list: WebList
        let provenance: Provenance?
        /// Where redirections have led, without name and password.
        let address: String
    }

    /// Reads what lies at an address; nil where that is no list. Throws what the reader says.
    func read(_ url: String) throws(IOReaderError) -> Find? {
        let reader = try HTTPReader(url, options: http)
        defer { reader.close() }
        turn.onDrop { reader.cancel() }
        try reader.open()
        guard let address = StreamAddress(reader.target) else { return nil }
        let head = try reader.bytes(limit: WebList.headLength)
        guard WebList.mayBegin(head, at: address) else { return nil }
        let bytes = try head + reader.bytes(limit: WebList.sizeLimit + 1 - head.count)
        guard let list = WebList(bytes, at: address, allowsOther: reader.isPrivate || http.allowsLAN) else { return nil }
        return Find(list: list, provenance: reader.provenance, address: reader.target)
    }
}
