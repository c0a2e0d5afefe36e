import CCurl

/// The protocols of servers of shares.
package enum ShareScheme: String, Sendable, CaseIterable {
    case smb, nfs

    /// The port of a server that names none.
    package var port: Int { self == .smb ? 445 : 2049 }
}

/// A file or a folder on a server of shares, taken apart and decoded: `smb://[[domain;]user[:password]@]host[:port]/share/path` or
/// `nfs://host[:port]/path`.
package struct ShareAddress: Sendable, Equatable {
    package let scheme: ShareScheme
    package let host: String
    package let port: Int?
    /// "" is the server itself, whose shares are its folders; so it is always with NFS.
    package let share: String
    /// Below the share, without a slash in front; "" is the share's own folder.
    package let path: String
    package let domain: String
    /// nil: a guest.
    package let user: String?
    package let password: String?

    /// Longer than any address in use.
    static let lengthLimit = 16 << 10

    init(
        _ scheme: ShareScheme = .smb, host: String, port: Int?, share: String, path: String, domain: String = "",
        user: String? = nil,
        password: String? = nil
    ) {
        (self.scheme, self.host, self.port, self.share, self.path) = (scheme, host, port, share, path)
        (self.domain, self.user, self.password) = (domain, user, password)
    }

    /// Whether another one lies in the same share of the same server, for the same person.
    package func sharesConnection(with other: ShareAddress) -> Bool {
        (scheme, host, port, share) == (other.scheme, other.host, other.port, other.share)
            && (domain, user, password) == (other.domain, other.user, other.password)
    }

    /// Whether a text begins like such an address.
    static func isShare(_ text: String) -> Bool { scheme(text) != nil }

    private static func scheme(_ text: String) -> ShareScheme? {
        ShareScheme.allCases.first { text.prefix(6).lowercased() == $0.rawValue + "://" }
    }

    /// Reads an address; nil for one without a host, or with parts that lead out of its share.
    init?(_ text: String) {
        guard let scheme = Self.scheme(text), text.utf8.count <= Self.lengthLimit, !text.contains(":///"),
            !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), let parser = curl_url()
        else { return nil }
        defer { curl_url_cleanup(parser) }
        // Names of files have these, and no share has a query or a fragment.
        let written = text.replacing("?", with: "%3F").replacing("#", with: "%23").replacing(" ", with: "%20")
        guard curl_url_set(parser, CURLUPART_URL, written, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
            let host = Self.part(parser, CURLUPART_HOST), let whole = Self.part(parser, CURLUPART_PATH, UInt32(CURLU_URLDECODE))
        else { return nil }
        let parts = whole.split(separator: "/")
        // A server of shares takes a backslash for a border too.
        guard !parts.contains(where: { $0 == ".." || $0 == "." || scheme == .smb && $0.contains("\\") }) else { return nil }
        let share = scheme == .smb ? parts.first.map { String($0) } ?? "" : ""
        let name = Self.part(parser, CURLUPART_USER, UInt32(CURLU_URLDECODE))
        let border = name?.firstIndex(of: ";")
        self.init(
            scheme, host: host, port: Self.part(parser, CURLUPART_PORT).flatMap { Int($0) }, share: share,
            path: (share.isEmpty ? parts[...] : parts.dropFirst()).joined(separator: "/"),
            domain: border.flatMap { border in name.map { String($0[..<border]) } } ?? "",
            user: name.map { name in border.map { String(name[name.index(after: $0)...]) } ?? name },
            password: Self.part(parser, CURLUPART_PASSWORD, UInt32(CURLU_URLDECODE)))
    }

    /// Whether it can be a file: something below a share.
    var mayBeFile: Bool { !path.isEmpty }

    private static func part(_ parser: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parser, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(validatingCString: text)
    }
}
