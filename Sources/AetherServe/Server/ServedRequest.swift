/// The head of a request of HTTP/1.1, as far as a server that only gives needs it. Pure.
struct ServedRequest: Equatable {
    enum Flaw: Int, Error {
        case malformed = 400
        case notAllowed = 405
        case hasBody = 413
        case tooLong = 431
        case version = 505
    }

    let path: String
    let host: String
    /// Only the head is wanted.
    let isHead: Bool
    let keepsAlive: Bool

    /// A head of 8 KB: players send 500 bytes.
    static let limit = 8 << 10
    private static let fieldLimit = 64

    /// Reads a head that ends with an empty line.
    init(_ bytes: [UInt8]) throws(Flaw) {
        guard bytes.count <= Self.limit else { throw .tooLong }
        // No control characters but line ends and tabs: what is smuggled is smuggled in those.
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }) else { throw .malformed }
        let lines = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first else { throw .malformed }
        let words = first.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[1].hasPrefix("/"), !words[1].contains(where: \.isWhitespace) else {
            throw .malformed
        }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw words[2].hasPrefix("HTTP/") ? .version : .malformed }
        var fields: [String: String] = [:]
        for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) {
            guard fields.count < Self.fieldLimit else { throw .tooLong }
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, !line[..<colon].contains(where: \.isWhitespace)
            else {
                throw .malformed
            }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
            // Two hosts are two meanings.
            if name == "host", fields[name] != nil { throw .malformed }
            fields[name] = String(value.reversed().drop(while: \.isWhitespace).reversed())
        }
        guard words[0] == "GET" || words[0] == "HEAD" else { throw .notAllowed }
        if fields["transfer-encoding"] != nil || fields["content-length"].map({ $0 != "0" }) ?? false { throw .hasBody }
        guard let host = fields["host"], !host.isEmpty, !host.contains(where: \.isWhitespace) else { throw .malformed }
        (isHead, self.host) = (words[0] == "HEAD", host.lowercased())
        path = String(words[1].prefix { $0 != "?" && $0 != "#" })
        let connection = fields["connection"]?.lowercased() ?? ""
        keepsAlive = words[2] == "HTTP/1.1" ? !connection.contains("close") : connection.contains("keep-alive")
    }
}
