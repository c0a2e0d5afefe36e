import AetherCore

/// Reads XML as a stream of tags and texts: enough for documents of data (TTML, manifests), and no more. No external entities, no DTD,
/// nothing is fetched. Namespace prefixes are cut off. Never traps: text that is not XML ends the stream. The input is UTF-8.
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

    /// A piece as places in the bytes, with nothing copied.
    enum Piece: Equatable {
        case start(name: Range<Int>, isEmpty: Bool)
        case end(name: Range<Int>)
        /// With references in it.
        case text(Range<Int>)
        /// CDATA.
        case data(Range<Int>)
        /// `<!DOCTYPE … [ … ]>`: whatever it declares is not used.
        case declaration
    }

    /// The document.
    let bytes: [UInt8]
    private(set) var position = 0
    /// The attributes of the last start tag, in order: the names without their prefixes.
    private(set) var attributes: [(name: Range<Int>, value: Range<Int>)] = []
    private var fullName = 0..<0
    /// The namespace prefix of the last tag; empty without one.
    public var prefix: String {
        let colon = bytes[fullName].lastIndex(of: UInt8(ascii: ":"))
        return colon.map { String(decoding: bytes[fullName.lowerBound..<$0], as: UTF8.self) } ?? ""
    }

    /// Begins at the document's first byte.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next piece; nil at the end or where the document breaks off.
    public mutating func next() -> Token? {
        while let piece = piece() {
            switch piece {
            case .start(let name, let isEmpty):
                return .start(name: string(name), attributes: attributeTable(), isEmpty: isEmpty)
            case .end(let name): return .end(name: string(name))
            case .text(let range): return .text(Self.resolved(bytes[range]))
            case .data(let range): return .text(String(decoding: bytes[range].prefix(Self.valueLimit), as: UTF8.self))
            case .declaration: continue
            }
        }
        return nil
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func attributeTable() -> [String: String] {
        var table: [String: String] = [:]
        for attribute in attributes {
            let name = string(attribute.name)
            if table.count < Self.attributeLimit, table[name] == nil { table[name] = Self.resolved(bytes[attribute.value]) }
        }
        return table
    }

    // MARK: - Parts

    /// The next piece as places; nil at the end or where the document breaks off.
    mutating func piece() -> Piece? {
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") { return text() }
            guard position + 1 < bytes.count else { break }
            switch bytes[position + 1] {
            case UInt8(ascii: "?"): skip(to: "?>", from: position + 2)
            case UInt8(ascii: "!"):
                if starts(with: "<!--") {
                    skip(to: "-->", from: position + 4)
                } else if starts(with: "<![CDATA[") {
                    return characterData()
                } else {
                    skipDeclaration()
                    return .declaration
                }
            default: return tag()
            }
        }
        position = bytes.count
        return nil
    }

    private static let tagStart = BytePattern("<")

    private mutating func text() -> Piece {
        let start = position
        position = Self.tagStart.first(in: bytes, from: start) ?? bytes.count
        return .text(start..<position)
    }

    private mutating func characterData() -> Piece {
        let start = position + 9
        let end = find("]]>", from: start) ?? bytes.count
        position = min(bytes.count, end + 3)
        return .data(start..<end)
    }

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

    // Tags are most of a manifest: they are read over the bare memory, four times as fast as over the array.

    private mutating func tag() -> Piece? {
        let bytes = bytes
        return bytes.withUnsafeBufferPointer { tag($0) }
    }

    private mutating func tag(_ bytes: UnsafeBufferPointer<UInt8>) -> Piece? {
        var place = position + 1
        let isEnd = place < bytes.count && bytes[place] == UInt8(ascii: "/")
        if isEnd { place += 1 }
        let start = place
        guard let name = Self.name(bytes, &place) else {
            position = bytes.count
            return nil
        }
        fullName = start..<name.upperBound
        attributes.removeAll(keepingCapacity: true)
        var isEmpty = false
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
            if bytes[place] == UInt8(ascii: "/") {
                isEmpty = true
                place += 1
            } else if Self.isSpace(bytes[place]) {
                place += 1
            } else {
                isEmpty = false
                attribute(bytes, &place)
            }
        }
        position = min(bytes.count, place + 1)
        return isEnd ? .end(name: name) : .start(name: name, isEmpty: isEmpty)
    }

    private mutating func attribute(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
        guard let name = Self.name(bytes, &place) else {
            place += 1
            return
        }
        Self.skipSpaces(bytes, &place)
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return }
        place += 1
        Self.skipSpaces(bytes, &place)
        guard place < bytes.count else { return }
        let quote = bytes[place]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return }
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != quote { place += 1 }
        let value = start..<place
        place = min(bytes.count, place + 1)
        if attributes.count < Self.attributeLimit { attributes.append((name, value)) }
    }

    /// A name without its prefix; one that is too long is cut.
    private static func name(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Range<Int>? {
        let start = place
        var local = start, next = start
        while next < bytes.count, isName(bytes[next]) {
            if bytes[next] == UInt8(ascii: ":"), next - start < nameLimit { local = next + 1 }
            next += 1
        }
        place = next
        guard next > start else { return nil }
        return local..<max(local, min(next, start + nameLimit))
    }

    private static func skipSpaces(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
        while place < bytes.count, isSpace(bytes[place]) { place += 1 }
    }

    // MARK: - Bytes

    private func starts(with prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        return prefix.withUTF8Buffer { prefix in prefix.indices.allSatisfy { bytes[position + $0] == prefix[$0] } }
    }

    private func find(_ mark: StaticString, from start: Int) -> Int? {
        BytePattern(mark).first(in: bytes, from: start)
    }

    private mutating func skip(to mark: StaticString, from start: Int) {
        position = find(mark, from: start).map { $0 + mark.utf8CodeUnitCount } ?? bytes.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// Whether a byte may be part of a name: everything but white space and `< > / = " '`.
    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09...0x0D, 0x20, 0x22, 0x27, 0x2F, 0x3C...0x3E: false
        default: true
        }
    }

    /// Text with the five named entities and those by number; others are left out.
    static func resolved(_ raw: ArraySlice<UInt8>) -> String {
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
