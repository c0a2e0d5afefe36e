import AetherSources

/// Addresses of web servers as paths of folders, to go up and down in. Pure.
enum WebPath {
    /// Whether a path is such an address.
    static func isWeb(_ path: String) -> Bool { HTTPReader.reads(path) }

    /// The end of scheme and host; the path begins there.
    private static func border(_ url: String) -> String.Index? {
        guard isWeb(url), let scheme = url.firstRange(of: "://")?.upperBound else { return nil }
        return url[scheme...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    }

    /// The folder that a file lies in, with a slash at the end, and the file's name there as the address has it.
    static func parts(of url: String) -> (folder: String, name: String)? {
        guard let border = border(url) else { return nil }
        let path = url[border...].prefix { $0 != "?" && $0 != "#" }
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let name = path[path.index(after: slash)...]
        return name.isEmpty ? nil : (String(url[...slash]), String(name))
    }

    /// The folder above one, without a slash at the end but for the root, and the name of the one that is left; nil for the root.
    static func parent(of folder: String) -> (path: String, name: String)? {
        let plain = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        guard let border = border(plain), border < plain.endIndex, let (above, name) = parts(of: plain) else { return nil }
        return (plain[border...].filter { $0 == "/" }.count > 1 ? String(above.dropLast()) : above, name)
    }

    /// A folder's address, as servers list it.
    static func folder(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }

    /// Without name and password; dav is http under another name.
    static func withoutUser(_ url: String) -> String {
        let url = HTTPReader.isDAV(url) ? "http" + url.dropFirst(3) : url
        guard let border = border(url), let scheme = url.firstRange(of: "://")?.upperBound,
            let at = url[scheme..<border].lastIndex(of: "@")
        else { return url }
        return String(url[..<scheme] + url[url.index(after: at)...])
    }

    /// An address with the name and password of another one on the same server.
    static func withUser(of asked: String, _ url: String) -> String {
        guard let border = border(asked), let scheme = asked.firstRange(of: "://")?.upperBound,
            let at = asked[scheme..<border].lastIndex(of: "@"), let other = Self.border(url),
            let host = url.firstRange(of: "://")?.upperBound,
            withoutUser(String(asked[..<border])).lowercased() == url[..<other].lowercased()
        else { return url }
        return String(asked[...at] + url[host...])
    }
}
