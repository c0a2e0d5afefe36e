import AetherCore
import AetherSources

/// Addresses of web servers and of shares as paths of folders, to go up and down in. Pure.
enum RemotePath {
    /// The folder above all servers of shares: the person's own list of them.
    static let shares = "shares:"

    /// Whether a path is such an address, and none of the file system.
    static func isRemote(_ path: String) -> Bool { takesLogin(path) || path == shares }

    /// Whether a path is the address of a web server.
    static func isWeb(_ path: String) -> Bool { HTTPReader.reads(path) }

    /// The place behind a path.
    static func location(_ path: String) -> MediaLocation { isRemote(path) ? .url(path) : .file(path) }

    /// Whether a text is an address in which a name and a password may stand.
    static func takesLogin(_ text: String) -> Bool { HTTPReader.opens(text) || ShareReader.opens(text) }

    /// The end of scheme and host; the path begins there.
    private static func border(_ url: String) -> String.Index? {
        guard takesLogin(url), let scheme = url.firstRange(of: "://")?.upperBound else { return nil }
        return url[scheme...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    }

    /// The folder that a file lies in, with a slash at the end, and the file's name there as the address has it.
    static func parts(of url: String) -> (folder: String, name: String)? {
        guard let border = border(url) else { return nil }
        // Names on shares may have these.
        let path = url[border...].prefix { ShareReader.opens(url) || $0 != "?" && $0 != "#" }
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let name = path[path.index(after: slash)...]
        return name.isEmpty ? nil : (String(url[...slash]), String(name))
    }

    /// The folder above one, without a slash at the end but for the root, and the name of the one that is left; nil for the root. Above a
    /// server of shares lies the list of such.
    static func parent(of folder: String) -> (path: String, name: String)? {
        let plain = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        if let border = border(plain), border == plain.endIndex, ShareReader.opens(plain) { return (shares, plain) }
        guard let border = border(plain), border < plain.endIndex, let (above, name) = parts(of: plain) else { return nil }
        let isRoot = plain[border...].filter { $0 == "/" }.count == 1
        return (isRoot && !ShareReader.opens(plain) ? above : String(above.dropLast()), name)
    }

    /// An address as people read it: without keys, and on a share with the names as they are.
    static func readable(_ url: String) -> String {
        let shown = Redaction.shown(url)
        return ShareReader.opens(url) ? MediaLocation.percentDecoded(shown[...]) : shown
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

    /// The server of an address, by which it is told from others: `smb://nas:445`. nil for what is none.
    static func server(of url: String) -> String? {
        guard let border = border(url) else { return nil }
        return withoutUser(String(url[..<border])).lowercased()
    }

    /// The name and the password that an address has, as they are written there; "" and nil for none.
    static func login(of url: String) -> (user: String, password: String?)? {
        guard let border = border(url), let scheme = url.firstRange(of: "://")?.upperBound else { return nil }
        guard let at = url[scheme..<border].lastIndex(of: "@") else { return ("", nil) }
        let written = url[scheme..<at], colon = written.firstIndex(of: ":")
        return (
            String(written[..<(colon ?? at)]), colon.map { String(written[written.index(after: $0)...]) }
        )
    }

    /// An address with a name and a password, as they are written in addresses, in place of those that it has.
    static func withLogin(_ url: String, user: String, password: String?) -> String {
        guard let border = border(url), let scheme = url.firstRange(of: "://")?.upperBound, !user.isEmpty else { return url }
        let host = url[scheme..<border].lastIndex(of: "@").map { url.index(after: $0) } ?? scheme
        return url[..<scheme] + user + (password.map { ":" + $0 } ?? "") + "@" + url[host...]
    }
}
