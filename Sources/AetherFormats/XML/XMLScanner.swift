import AetherCore

/// Reads XML as a stream of tags and texts: enough for documents of data (TTML, manifests), and no more. No external entities, no DTD,
/// nothing is fetched. Namespace prefixes are cut off. Never traps: what is not XML ends the stream. The input is UTF-8.
public struct XMLScanner: Sendable {
    /// A piece of a document.
    public enum Token: Sendable, Equatable {
        /// `isEmpty`: no end tag follows.
        case start(name: String, attributes: [String: String], isEmpty: Bool)
        case end(name: String)
        /// Entities resolved; CDATA as it is.
        case text(String)
    }

    /// A name, an attribute and a text at most so long; what is beyond is cut.
    private static let nameLimit = 256
    private static let valueLimit = 64 << 10
    private static let attributeLimit = 64

    private let bytes: [UInt8]
    private var position = 0
    /// The namespace prefix of the last tag; empty without one.
    public private(set) var prefix = ""

    /// Begins at the document's first byte.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next piece; nil at the end or where the document breaks off.
    public mutating func next() -> Token? {
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") { return text() }
            if skip("<!--", to: "-->") || skip("<?", to: "?>") { continue }
            if starts(with: "<![CDATA[") { return characterData() }
            if starts(with: "<!") {
                skipDeclaration()
                continue
            }
            return tag()
        }
        return nil
    }

    // MARK: - Parts

    private mutating func text() -> Token {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        return .text(Self.resolved(bytes[start..<position]))
    }

    private mutating func characterData() -> Token {
        let start = position + 9
        let end = find("]]>", from: start) ?? bytes.count
        position = min(bytes.count, end + 3)
        return .text(String(decoding: bytes[start..<min(end, start + Self.valueLimit)], as: UTF8.self))
    }

    /// `<!DOCTYPE … [ … ]>`: whatever it declares is not used.
    private mutating func skipDeclaration() {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0:
                position += 1
                return
            default: break
            }
            position += 1
        }
    }

    private mutating func tag() -> Token? {
        position += 1
        let isEnd = peek == UInt8(ascii: "/")
        if isEnd { position += 1 }
        let start = position
        guard let name = name() else {
            position = bytes.count
            return nil
        }
        let full = bytes[start..<min(position, start + Self.nameLimit)]
        prefix = full.lastIndex(of: UInt8(ascii: ":")).map { String(decoding: full[..<$0], as: UTF8.self) } ?? ""
        var attributes: [String: String] = [:]
        var isEmpty = false
        while let byte = peek, byte != UInt8(ascii: ">") {
            if byte == UInt8(ascii: "/") {
                isEmpty = true
                position += 1
            } else if Self.isSpace(byte) {
                position += 1
            } else {
                isEmpty = false
                attribute(into: &attributes)
            }
        }
        position = min(bytes.count, position + 1)
        return isEnd ? .end(name: name) : .start(name: name, attributes: attributes, isEmpty: isEmpty)
    }

    private mutating func attribute(into attributes: inout [String: String]) {
        guard let name = name() else {
            position += 1
            return
        }
        skipSpaces()
        guard peek == UInt8(ascii: "=") else { return }
        position += 1
        skipSpaces()
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return }
        position += 1
        let start = position
        while let byte = peek, byte != quote { position += 1 }
        let value = bytes[start..<position]
        position = min(bytes.count, position + 1)
        if attributes.count < Self.attributeLimit, attributes[name] == nil { attributes[name] = Self.resolved(value) }
    }

    /// A name without its prefix.
    private mutating func name() -> String? {
        let start = position
        while let byte = peek, Self.isName(byte) { position += 1 }
        guard position > start else { return nil }
        let full = bytes[start..<min(position, start + Self.nameLimit)]
        let local = full.lastIndex(of: UInt8(ascii: ":")).map { full[($0 + 1)...] } ?? full
        return String(decoding: local, as: UTF8.self)
    }

    // MARK: - Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpaces() { while let byte = peek, Self.isSpace(byte) { position += 1 } }

    private func starts(with prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        return prefix.withUTF8Buffer { prefix in prefix.indices.allSatisfy { bytes[position + $0] == prefix[$0] } }
    }

    private func find(_ mark: StaticString, from start: Int) -> Int? {
        BytePattern(mark).first(in: bytes, from: start)
    }

    private mutating func skip(_ prefix: StaticString, to mark: StaticString) -> Bool {
        guard starts(with: prefix) else { return false }
        let end = find(mark, from: position + prefix.utf8CodeUnitCount)
        position = end.map { $0 + mark.utf8CodeUnitCount } ?? bytes.count
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    private static func isName(_ byte: UInt8) -> Bool {
        !isSpace(byte)
            && ![
                UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "\""),
                UInt8(ascii: "'"),
            ].contains(byte)
    }

    /// Text with the five named entities and those by number; others are left out.
    private static func resolved(_ raw: ArraySlice<UInt8>) -> String {
        let raw = raw.prefix(valueLimit)
        guard raw.contains(UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
        var result: [UInt8] = []
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                result.append(byte)
                continue
            }
            if let scalar = entity(Substring(decoding: rest[..<end], as: UTF8.self)) {
                result.append(contentsOf: Array(String(scalar).utf8))
            }
            rest = rest[(end + 1)...]
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The character that a name between `&` and `;` stands for; nil where it stands for none.
    static func entity(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return "\u{A0}"
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
            return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
        }
    }
}
