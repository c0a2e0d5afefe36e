extension JSON {
    /// The reason why a text is no JSON: where, in bytes from 0, and what is wrong there.
    public struct Flaw: Error, Equatable, CustomStringConvertible {
        /// Bytes from the start of the text.
        public let offset: Int
        /// The fault, without its place.
        public let reason: String

        /// The fault with its place.
        public var description: String { "\(reason) at byte \(offset)" }
    }

    /// 16 levels: what is said to a player has three.
    static let depthLimit = 16

    /// Reads one value and nothing behind it (RFC 8259). Time and memory grow with the number of bytes.
    public init(_ bytes: some Collection<UInt8>) throws(Flaw) {
        var parser = JSONParser(bytes: Array(bytes))
        self = try parser.document()
    }
}

/// Reads JSON byte by byte.
private struct JSONParser {
    let bytes: [UInt8]
    var offset = 0

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func flaw(_ reason: String) -> JSON.Flaw { JSON.Flaw(offset: offset, reason: reason) }

    mutating func document() throws(JSON.Flaw) -> JSON {
        let value = try value(depth: 0)
        skipBlanks()
        guard next == nil else { throw flaw("text after the value") }
        return value
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func value(depth: Int) throws(JSON.Flaw) -> JSON {
        guard depth < JSON.depthLimit else { throw flaw("too deep") }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw flaw("the value is missing")
        case let byte? where byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte: return try number()
        default: throw flaw("no value begins like this")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSON.Flaw) -> JSON {
        let wanted = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[offset...].starts(with: wanted) else { throw flaw("no value begins like this") }
        offset += wanted.count
        return value
    }

    private mutating func take(_ byte: UInt8, _ reason: String) throws(JSON.Flaw) {
        guard next == byte else { throw flaw(reason) }
        offset += 1
    }

    private mutating func object(depth: Int) throws(JSON.Flaw) -> JSON.Members {
        offset += 1
        var members: [JSON.Members.Member] = []
        // Of two values with one name the second counts.
        var places: [String: Int] = [:]
        skipBlanks()
        if next == UInt8(ascii: "}") {
            offset += 1
            return []
        }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw flaw("a name in quotes is missing") }
            let name = try string()
            skipBlanks()
            try take(UInt8(ascii: ":"), "a colon is missing")
            let value = try value(depth: depth + 1)
            if let place = places[name] {
                members[place].value = value
            } else {
                places[name] = members.count
                members.append((name, value))
            }
            skipBlanks()
            if next == UInt8(ascii: ",") {
                offset += 1
                continue
            }
            try take(UInt8(ascii: "}"), "a comma or } is missing")
            return JSON.Members(members)
        }
    }

    private mutating func array(depth: Int) throws(JSON.Flaw) -> [JSON] {
        offset += 1
        var values: [JSON] = []
        skipBlanks()
        if next == UInt8(ascii: "]") {
            offset += 1
            return values
        }
        while true {
            values.append(try value(depth: depth + 1))
            skipBlanks()
            if next == UInt8(ascii: ",") {
                offset += 1
                continue
            }
            try take(UInt8(ascii: "]"), "a comma or ] is missing")
            return values
        }
    }

    private mutating func number() throws(JSON.Flaw) -> JSON {
        let start = offset
        if next == UInt8(ascii: "-") { offset += 1 }
        if next == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        guard let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self)), number.isFinite else {
            throw flaw("the number is too large")
        }
        return .number(number)
    }

    private mutating func digits() throws(JSON.Flaw) {
        let start = offset
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
        if offset == start { throw flaw("a digit is missing") }
    }

    private mutating func string() throws(JSON.Flaw) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                guard let string = String(validating: text, as: UTF8.self) else { throw flaw("the text is no UTF-8") }
                return string
            case UInt8(ascii: "\\"):
                offset += 1
                text += try escape()
            case 0..<0x20: throw flaw("a control character in a text")
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw flaw("the text does not end")
    }

    private mutating func escape() throws(JSON.Flaw) -> [UInt8] {
        guard let byte = next else { throw flaw("the text does not end") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"): return try unicode()
        default: throw flaw("no such escape")
        }
    }

    private mutating func unicode() throws(JSON.Flaw) -> [UInt8] {
        var code = UInt32(try hex())
        if 0xD800...0xDBFF ~= code {
            guard next == UInt8(ascii: "\\"), offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "u") else {
                throw flaw("half a character")
            }
            offset += 2
            let low = UInt32(try hex())
            guard 0xDC00...0xDFFF ~= low else { throw flaw("half a character") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw flaw("half a character") }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func hex() throws(JSON.Flaw) -> UInt16 {
        guard offset + 4 <= bytes.count, bytes[offset..<offset + 4].allSatisfy({ Self.isHex($0) }),
            let code = UInt16(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
        else { throw flaw("four hexadecimal digits are missing") }
        offset += 4
        return code
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }
}
