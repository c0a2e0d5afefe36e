import AetherCore
import CCurl
import Glibc

/// Scheme, host and port: who may see what was meant for one server.
struct WebOrigin: Sendable, Hashable {
    let scheme: String
    let host: String
    let port: Int
}

/// An address of a web server or of a server of files, taken apart by libcurl's own parser: what is checked here is what is connected to.
struct WebAddress: Sendable, Equatable {
    /// The whole address, without name and password and without a fragment.
    let text: String
    let origin: WebOrigin

    /// The last part of the path, as it is written but for keys; the server's name where there is none.
    var fileName: String {
        let path = Redaction.shown(text).prefix { $0 != "?" }
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        return String((last.isEmpty ? origin.host : last).prefix(80))
    }
    /// The address of the server's first page.
    var root: String {
        guard let start = text.firstRange(of: "://")?.upperBound else { return text }
        return text[..<(text[start...].firstIndex { "/?".contains($0) } ?? text.endIndex)].lowercased() + "/"
    }
    /// From `name:password@`, decoded.
    let user: String?
    let password: String?

    /// Longer than any address in use; servers take 8 KB as a rule.
    private static let lengthLimit = 16 << 10

    /// Reads an address; nil for what is none, or of another scheme than http, https, ftp, ftps, sftp, and dav and davs, which are http and
    /// https.
    init?(_ text: String) { self.init(text, from: nil) }

    /// An address as a document or a redirection names it, relative to this one. Name and password are not inherited by it. It leads to the
    /// web, and from a server of files to that one.
    func resolved(_ reference: String) -> WebAddress? {
        guard let next = WebAddress(reference, from: text) else { return nil }
        return next.isWeb || next.origin == origin ? next : nil
    }

    /// Whether the text begins like the address of a web server.
    static func isWeb(_ text: String) -> Bool { begins(text, ["http", "https", "dav", "davs"]) }

    /// Whether it begins like an address of WebDAV, which is one of a web server under another name.
    static func isDAV(_ text: String) -> Bool { begins(text, ["dav", "davs"]) }

    /// Whether the text begins like an address that this type may read.
    static func isKnown(_ text: String) -> Bool { isWeb(text) || begins(text, Array(filePorts.keys)) }

    private static func begins(_ text: String, _ schemes: [String]) -> Bool {
        let start = text.prefix(8).lowercased()
        return schemes.contains { start.hasPrefix($0 + "://") }
    }

    /// Servers of files without the web's heads, with their usual ports.
    private static let filePorts = ["ftp": 21, "ftps": 990, "sftp": 22]

    /// The address is a web server's: answers have heads.
    var isWeb: Bool { Self.filePorts[origin.scheme] == nil }

    private init?(_ reference: String, from base: String?) {
        // libcurl stops at a zero, and overlooks a slash too many, behind which the path would be the host.
        guard reference.utf8.count <= Self.lengthLimit, !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            !Self.hidesItsHost(reference), let parser = curl_url()
        else { return nil }
        defer { curl_url_cleanup(parser) }
        if let base, curl_url_set(parser, CURLUPART_URL, base, UInt32(CURLU_NON_SUPPORT_SCHEME)) != CURLUE_OK { return nil }
        let plain = Self.isDAV(reference) ? "http" + reference.dropFirst(3) : reference
        // A protocol that this libcurl does not speak is no wrong address.
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
        guard curl_url_set(parser, CURLUPART_URL, Self.encoded(plain), flags) == CURLUE_OK,
            let scheme = Self.part(parser, CURLUPART_SCHEME)?.lowercased(),
            scheme == "http" || scheme == "https" || Self.filePorts[scheme] != nil,
            let host = Self.part(parser, CURLUPART_HOST)?.lowercased(), !host.isEmpty,
            let port = Self.part(parser, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).map({ Int($0) }) ?? Self.filePorts[scheme]
        else { return nil }
        user = Self.part(parser, CURLUPART_USER, UInt32(CURLU_URLDECODE))
        password = Self.part(parser, CURLUPART_PASSWORD, UInt32(CURLU_URLDECODE))
        for unwanted in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            guard curl_url_set(parser, unwanted, nil, 0) == CURLUE_OK else { return nil }
        }
        guard let text = Self.part(parser, CURLUPART_URL) else { return nil }
        self.text = text
        origin = WebOrigin(scheme: scheme, host: host, port: port)
    }

    /// Whether three slashes stand behind the scheme. Further on, in a query, they belong to another address.
    private static func hidesItsHost(_ text: String) -> Bool {
        let scheme = text.utf8.prefix {
            $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        return text.utf8.dropFirst(scheme.count).starts(with: ":///".utf8)
    }

    private static func part(_ parser: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parser, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// Encodes the spaces and non-ASCII letters behind the host, which people paste and no request may have.
    private static func encoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { return text }
        let authority = text.firstRange(of: "://").map { text.utf8.distance(from: text.startIndex, to: $0.upperBound) } ?? 0
        let start = bytes[authority...].firstIndex { [0x2F, 0x3F, 0x23].contains($0) } ?? bytes.count
        var result = Array(bytes[..<start])
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in bytes[start...] {
            if byte <= 0x20 || byte >= 0x7F {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
