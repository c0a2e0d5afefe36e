/// An absolute address of a manifest, a segment or a key, with the resolution of references by RFC 3986, section 5. Nothing is
/// escaped or unescaped: that is the transport's.
public struct StreamAddress: Sendable, Hashable {
    /// The whole address, as it was composed.
    public let text: String

    /// The scheme in lower case, without the colon: "https".
    public let scheme: String
    /// Behind the two slashes; nil where there are none, as in `data:`.
    private let authority: Substring?
    private let path: Substring
    private let query: Substring?

    /// 64 KB: a key in a `data:` address is the longest in use.
    public static let lengthLimit = 64 << 10

    /// Reads an absolute address; nil for a relative one, one with control characters, or one longer than the limit.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        let parts = AddressParts(text[...])
        guard let scheme = parts.scheme else { return nil }
        self.text = text
        self.scheme = scheme.lowercased()
        (authority, path, query) = (parts.authority, parts.path, parts.query)
    }

    /// The address of a local file by its absolute path, with everything escaped that an address cannot hold.
    public init(filePath: String) {
        var text = "file://"
        for byte in filePath.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        self.text = text
        scheme = "file"
        authority = ""
        path = text.dropFirst(7)
        query = nil
    }

    /// A reference as a document at this address writes it; nil where it cannot be one. An empty reference is this address
    /// itself.
    public func resolved(_ reference: String) -> StreamAddress? {
        if let absolute = StreamAddress(reference) { return absolute }
        guard reference.utf8.count <= Self.lengthLimit, !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        let parts = AddressParts(reference[...])
        let newPath: String, newQuery: Substring?
        if parts.authority != nil {
            newPath = Self.withoutDots(parts.path)
            newQuery = parts.query
        } else if parts.path.isEmpty {
            newPath = String(path)
            newQuery = parts.query ?? query
        } else if parts.path.utf8.first == UInt8(ascii: "/") {
            newPath = Self.withoutDots(parts.path)
            newQuery = parts.query
        } else {
            newPath = Self.withoutDots(merged(parts.path)[...])
            newQuery = parts.query
        }
        var result = scheme + ":"
        if let authority = parts.authority ?? authority { result += "//" + authority }
        result += newPath
        if let newQuery { result += "?" + newQuery }
        if let fragment = parts.fragment { result += "#" + fragment }
        return StreamAddress(result)
    }

    /// With further parameters behind those of its query; nil where it would be too long.
    func adding(query words: String) -> StreamAddress? {
        let fragment = text.firstIndex(of: "#") ?? text.endIndex
        return StreamAddress(text[..<fragment] + (query == nil ? "?" : query == "" ? "" : "&") + words)
    }

    /// The host with its port, in lower case and without name and password; "" for none.
    public var host: String {
        guard let authority else { return "" }
        return (authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority).lowercased()
    }

    /// The value of a parameter of the query, percent codes decoded; nil for an unknown parameter.
    public func parameter(_ name: String) -> String? {
        for pair in (query ?? "").split(separator: "&") {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            guard Self.decoded(pair[..<equals]) == name else { continue }
            return equals == pair.endIndex ? "" : Self.decoded(pair[pair.index(after: equals)...])
        }
        return nil
    }

    /// The folder of the path, with its slash at the end; percent codes are left, dots taken out.
    var folder: String {
        let clean = Self.withoutDots(path)
        return clean.lastIndex(of: "/").map { String(clean[...$0]) } ?? "/"
    }

    /// The last part of the path, as it is written.
    var fileName: Substring { path.split(separator: "/", omittingEmptySubsequences: false).last ?? "" }

    /// The last part of the path, as it is written: for a guess at its kind, and for no name of a file.
    public var lastName: Substring { fileName }

    /// The path without dots.
    var cleanPath: String { Self.withoutDots(path) }

    /// RFC 3986, 5.2.3.
    private func merged(_ reference: Substring) -> String {
        if authority != nil, path.isEmpty { return "/" + reference }
        return path.lastIndex(of: "/").map { String(path[...$0] + reference) } ?? String(reference)
    }

    /// RFC 3986, 5.2.4, in one pass over the parts.
    static func withoutDots(_ path: Substring) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return String(path) }
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        var kept: [Substring] = []
        let parts = (isAbsolute ? path.dropFirst() : path).split(separator: "/", omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() {
            let isLast = number == parts.count - 1
            switch part {
            case ".": if isLast { kept.append("") }
            case "..":
                if !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    }

    static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(decoding: decodedBytes(text), as: UTF8.self)
    }

    /// The bytes of a text, percent codes decoded.
    static func decodedBytes(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = hexByte(rest) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func hexByte(_ rest: Substring.UTF8View) -> UInt8? {
        let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return digits.count == 2 ? UInt8(digits[0] * 16 + digits[1]) : nil
    }
}

/// An address or a reference in its five parts (RFC 3986, appendix B), without judging them.
private struct AddressParts {
    var scheme, authority, query, fragment: Substring?
    var path: Substring

    init(_ text: Substring) {
        var rest = text.utf8[...]
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = Substring(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        }
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Substring(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Substring(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
            let host = rest.dropFirst(2)
            let slash = host.firstIndex(of: UInt8(ascii: "/")) ?? host.endIndex
            authority = Substring(host[..<slash])
            rest = host[slash...]
        }
        path = Substring(rest)
    }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        guard let first = bytes.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20 else { return false }
        return bytes.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }
}
