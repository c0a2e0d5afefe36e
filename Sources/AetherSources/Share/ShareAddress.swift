import CCurl

/// A file on a share: `smb://[[domain;]user[:password]@]host[:port]/share/path`, taken apart and decoded.
package struct ShareAddress: Sendable, Equatable {
    package let host: String
    package let port: Int?
    package let share: String
    /// Below the share, without a slash in front; "" is the share's own folder.
    package let path: String
    package let domain: String
    /// nil: a guest.
    package let user: String?
    package let password: String?

    /// Longer than any address in use.
    static let lengthLimit = 16 << 10

    init(host: String, port: Int?, share: String, path: String, domain: String, user: String?, password: String?) {
        (self.host, self.port, self.share, self.path) = (host, port, share, path)
        (self.domain, self.user, self.password) = (domain, user, password)
    }

    /// Whether a text begins like such an address.
    static func isShare(_ text: String) -> Bool { text.prefix(6).lowercased() == "smb://" }

    /// Reads an address; nil for one without a share, or with parts that lead out of it.
    init?(_ text: String) {
        guard Self.isShare(text), text.utf8.count <= Self.lengthLimit, !text.contains(":///"),
            !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), let parser = curl_url()
        else { return nil }
        defer { curl_url_cleanup(parser) }
        // Names of files have these, and no share has a query or a fragment.
        let path = text.replacing("?", with: "%3F").replacing("#", with: "%23").replacing(" ", with: "%20")
        guard curl_url_set(parser, CURLUPART_URL, path, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
            let host = Self.part(parser, CURLUPART_HOST), let whole = Self.part(parser, CURLUPART_PATH, UInt32(CURLU_URLDECODE))
        else { return nil }
        let parts = whole.split(separator: "/")
        // A server of shares takes a backslash for a border too.
        guard let share = parts.first, !parts.contains(where: { $0 == ".." || $0 == "." || $0.contains("\\") }) else {
            return nil
        }
        let name = Self.part(parser, CURLUPART_USER, UInt32(CURLU_URLDECODE))
        let border = name?.firstIndex(of: ";")
        self.init(
            host: host, port: Self.part(parser, CURLUPART_PORT).flatMap { Int($0) }, share: String(share),
            path: parts.dropFirst().joined(separator: "/"),
            domain: border.flatMap { border in name.map { String($0[..<border]) } } ?? "",
            user: name.map { name in border.map { String(name[name.index(after: $0)...]) } ?? name },
            password: Self.part(parser, CURLUPART_PASSWORD, UInt32(CURLU_URLDECODE)))
    }

    private static func part(_ parser: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parser, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(validatingCString: text)
    }
}
