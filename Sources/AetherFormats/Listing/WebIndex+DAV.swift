/// The list of a folder as a WebDAV server gives it to programs (207, RFC 4918).
extension WebIndex {
    /// Reads the answer to a question for the properties of a folder and its entries; nil for any other answer, or where the address is no
    /// folder. `folder` becomes the folder's address, with a slash at the end.
    public init?(dav answer: [UInt8], at address: StreamAddress, folder: inout StreamAddress) {
        // Markup that does not fit is no answer, whatever is wrong with it.
        guard let tree = try? XMLTree(answer, sizeLimit: Self.sizeLimit), !tree.nodes.isEmpty else { return nil }
        let root = XMLElement(tree: tree, index: 0)
        guard root.isNamed("multistatus") else { return nil }
        let own = Self.path(of: address)
        var isFolder = false, entries: [Entry] = [], seen: Set<String> = []
        let responses = root.children("response", limit: Self.entryLimit + 2)
        for response in responses {
            guard let href = response.child("href")?.text, let target = address.resolved(href),
                let properties = Self.properties(response)
            else { continue }
            let isCollection = properties.child("resourcetype")?.child("collection") != nil
            if Self.path(of: target) == own {
                isFolder = isFolder || isCollection
            } else if var entry = Self.entry(target, in: own, isCollection: isCollection), entries.count < Self.entryLimit {
                guard seen.insert(entry.reference).inserted else { continue }
                let length = properties.child("getcontentlength").flatMap { Int64($0.text) }
                entry.bytes = isCollection ? nil : length.map { max(0, $0) }
                entry.changed = properties.child("getlastmodified").flatMap { Self.change($0.text) }
                entries.append(entry)
            }
        }
        guard isFolder, let whole = Self.withSlash(address) else { return nil }
        folder = whole
        self.init(entries: entries, isCut: responses.count > Self.entryLimit + 1)
    }

    /// Those that the server has found.
    private static func properties(_ response: XMLElement) -> XMLElement? {
        let found = response.children("propstat", limit: 8).first { $0.child("status")?.text.contains(" 200") ?? true }
        return found?.child("prop")
    }

    /// The parts of a path, percent codes decoded: servers write them in their own ways.
    private static func path(of address: StreamAddress) -> [String] {
        address.cleanPath.split(separator: "/").map { StreamAddress.decoded($0) }
    }

    private static func withSlash(_ address: StreamAddress) -> StreamAddress? {
        let path = address.cleanPath
        return path.hasSuffix("/") ? address.resolved(path) : address.resolved(path + "/")
    }

    private static func entry(_ target: StreamAddress, in folder: [String], isCollection: Bool) -> Entry? {
        let parts = path(of: target)
        guard parts.count == folder.count + 1, parts.starts(with: folder), let name = parts.last,
            let reference = target.cleanPath.split(separator: "/").last, !name.isEmpty, !name.hasPrefix("."),
            !name.contains("/"), !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        return Entry(reference: String(reference), name: name, isFolder: isCollection)
    }

    /// "Mon, 23 Nov 2026 20:07:33 GMT".
    private static func change(_ text: String) -> Change? {
        let words = text.split(separator: " ")
        guard words.count >= 5, let (year, month, day) = date(words[1...3].joined(separator: "-")[...]),
            let (hour, minute) = clock(words[4])
        else { return nil }
        return Change(year: year, month: month, day: day, hour: hour, minute: minute)
    }
}
