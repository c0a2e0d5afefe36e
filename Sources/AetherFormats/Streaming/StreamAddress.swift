/// An absolute address of a manifest, a segment or a key, with the resolution of references by RFC 3986, section 5. Nothing is
/// escaped or unescaped: that is the transport's.
public struct StreamAddress: Sendable, Hashable {
    /// The whole address, as it was composed.
    public let text: String

    /// Where the other parts stand. Lists keep an address for each key: copies of it should count few references.
    private let parts: AddressParts

    /// The scheme in lower case, without the colon: "https".
    public var scheme: String {
        let written = text.bytes(parts.scheme ?? 0..<0)
        let hasCapitals = written.utf8.contains { $0 < UInt8(ascii: "a") && $0 >= UInt8(ascii: "A") }
        return hasCapitals ? written.lowercased() : String(written)
    }

    /// Whether it is that scheme, in lower case.
    func hasScheme(_ name: StaticString) -> Bool {
        guard let scheme = parts.scheme, scheme.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { zip($0, text.utf8).allSatisfy { $0 == $1 | 0x20 } }
    }

    /// Behind the two slashes; nil where there are none, as in `data:`.
    private var authority: Substring? { parts.authority.map { text.bytes($0) } }
    private var path: Substring { text.bytes(parts.path) }
    private var query: Substring? { parts.query.map { text.bytes($0) } }

    /// The same text is the same address.
    public static func == (a: StreamAddress, b: StreamAddress) -> Bool { a.text == b.text }
    /// By the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// 64 KB: a key in a `data:` address is the longest in use.
    public static let lengthLimit = 64 << 10

    /// Reads an absolute address; nil for a relative one, one with control characters, or one longer than the limit.
    public init?(_ text: String) {
        guard let parts = AddressParts(reference: text), parts.scheme != nil else { return nil }
        (self.text, self.parts) = (text, parts)
    }

    private init(_ text: String, _ parts: AddressParts) { (self.text, self.parts) = (text, parts) }

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
        parts = AddressParts(pathFrom: 7, to: text.utf8.count)
    }

    /// A reference as a document at this address writes it; nil where it cannot be one. An empty reference is this address
    /// itself.
    public func resolved(_ reference: String) -> StreamAddress? {
        guard let parts = AddressParts(reference: reference) else { return nil }
        if parts.scheme != nil { return StreamAddress(reference, parts) }
        let itsPath = reference.bytes(parts.path), itsQuery = parts.query.map { reference.bytes($0) }
        let newPath: String, newQuery: Substring?
        if parts.authority != nil {
            newPath = Self.withoutDots(itsPath)
            newQuery = itsQuery
        } else if itsPath.isEmpty {
            newPath = String(path)
            newQuery = itsQuery ?? query
        } else if itsPath.utf8.first == UInt8(ascii: "/") {
            newPath = Self.withoutDots(itsPath)
            newQuery = itsQuery
        } else {
            newPath = Self.withoutDots(merged(itsPath)[...])
            newQuery = itsQuery
        }
        var result = scheme + ":"
        if let authority = parts.authority.map({ reference.bytes($0) }) ?? authority { result += "//" + authority }
        result += newPath
        if let newQuery { result += "?" + newQuery }
        if let fragment = parts.fragment { result += "#" + reference.bytes(fragment) }
        return StreamAddress(result)
    }

    /// With further parameters behind those of its query; nil where it would be too long.
    func adding(query words: String) -> StreamAddress? {
        let fragment = text.firstIndex(of: "#") ?? text.endIndex
        let joint: String = query == nil ? "?" : query == "" ? "" : "&"
        return StreamAddress(String(text[..<fragment]) + joint + words)
    }

    /// Without query and fragment, as the name of a local file is written; nil where it has neither.
    public var bare: StreamAddress? {
        let end = Int(parts.path.upperBound)
        return end < text.utf8.count ? StreamAddress(String(text.utf8.prefix(end)) ?? "") : nil
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

extension String {
    /// A part of it, by the offsets of its bytes, which are borders of characters.
    fileprivate func bytes(_ range: Range<Int32>) -> Substring {
        let start = utf8.index(utf8.startIndex, offsetBy: Int(range.lowerBound))
        return self[start..<utf8.index(start, offsetBy: range.count)]
    }
}

/// Where the five parts of an address or a reference stand (RFC 3986, appendix B), without judging them. All their borders are ASCII.
private struct AddressParts: Sendable {
    private(set) var scheme, authority, query, fragment: Range<Int32>?
    private(set) var path: Range<Int32>

    /// Nil for a text with control characters, or one longer than the limit.
    init?(reference: String) {
        guard reference.utf8.count <= StreamAddress.lengthLimit else { return nil }
        var reference = reference
        guard let parts = reference.withUTF8({ Self($0) }) else { return nil }
        self = parts
    }

    /// Of a file, with slashes in front of its path.
    init(pathFrom start: Int, to end: Int) {
        scheme = 0..<Int32(start - 3)
        authority = Int32(start)..<Int32(start)
        path = Int32(start)..<Int32(clamping: end)
    }

    private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var hasControls = false
        for byte in bytes { hasControls = hasControls || byte < 0x20 || byte == 0x7F }
        guard !hasControls else { return nil }
        var start = 0, end = bytes.count, index = 0
        while index < end, Self.isOfScheme(bytes[index], isFirst: index == 0) { index += 1 }
        if index > 0, index < end, bytes[index] == UInt8(ascii: ":") {
            scheme = 0..<Int32(index)
            start = index + 1
        }
        if let hash = bytes[start...].firstIndex(of: UInt8(ascii: "#")) {
            fragment = Int32(hash + 1)..<Int32(end)
            end = hash
        }
        if let mark = bytes[start..<end].firstIndex(of: UInt8(ascii: "?")) {
            query = Int32(mark + 1)..<Int32(end)
            end = mark
        }
        if end - start >= 2, bytes[start] == UInt8(ascii: "/"), bytes[start + 1] == UInt8(ascii: "/") {
            let slash = bytes[(start + 2)..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
            authority = Int32(start + 2)..<Int32(slash)
            start = slash
        }
        path = Int32(start)..<Int32(end)
    }

    private static func isOfScheme(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
        default: false
        }
    }
}
