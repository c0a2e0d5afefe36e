/// A JSON value: what is read from a stranger's line, and what is written for programs.
public indirect enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A whole number that is written to its last digit. What is read is always `number`.
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(Members)

    /// A text, or null.
    public init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    /// A number, or null; also for what is no number, which JSON cannot say.
    public init(_ number: Double?) { self = number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null }

    /// A whole number, or null.
    public init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }

    /// A whole number.
    public init(_ number: Int) { self = .number(Double(number)) }

    /// The text, if it is one.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The number; also one that is written as a text, as by a shell.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The whole number, in the range of ±2⁵³.
    public var integer: Int? { number.flatMap { $0 == $0.rounded() && abs($0) < 9e15 ? Int($0) : nil } }

    /// The truth value; also one that is written as a text.
    public var flag: Bool? {
        switch self {
        case .bool(let flag): flag
        case .string("true"), .string("yes"): true
        case .string("false"), .string("no"): false
        default: nil
        }
    }

    /// The values of a list; nil for what is none.
    public var values: [JSON]? { if case .array(let values) = self { values } else { nil } }

    /// A member of an object.
    public subscript(key: String) -> JSON? { if case .object(let members) = self { members[key] } else { nil } }
}

extension JSON {
    /// The members of an object, in the order in which they were read or are to be written.
    public struct Members: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
        /// A name and its value.
        public typealias Member = (key: String, value: JSON)

        fileprivate let list: [Member]

        /// Members in their order.
        public init(_ list: [Member]) { self.list = list }

        /// Members in the order of the alphabet.
        public init(_ members: [String: JSON]) { list = members.sorted { $0.key < $1.key } }

        /// Members in their order.
        public init(dictionaryLiteral elements: (String, JSON)...) { list = elements.map { (key: $0.0, value: $0.1) } }

        /// Members in their order.
        public init(arrayLiteral elements: Member...) { list = elements }

        /// The value of a name, looked for from the first member on.
        public subscript(key: String) -> JSON? { list.first { $0.key == key }?.value }

        /// The members in their order.
        public func makeIterator() -> IndexingIterator<[Member]> { list.makeIterator() }

        /// Whether both have the same values under the same names, in whatever order.
        public static func == (a: Members, b: Members) -> Bool {
            func names(_ members: Members) -> [String: JSON] { Dictionary(members.list.map { ($0.key, $0.value) }) { $1 } }
            return a.list.count == b.list.count && names(a) == names(b)
        }
    }
}

// MARK: - Writing

extension JSON {
    /// The value on one line, without its end; names in the order of the alphabet.
    public var line: String {
        var output = ""
        write(to: &output, indent: nil)
        return output
    }

    /// The value as text for people, too: indented by four spaces a level, names in their order, without a final line break.
    public var report: String {
        var output = ""
        write(to: &output, indent: 0)
        return output
    }

    /// `indent` is the level, nil: on one line.
    private func write(to output: inout String, indent: Int?) {
        let inner = indent.map { $0 + 1 }
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .integer(let value): output += String(value)
        // JSON has no infinities.
        case .number(let value):
            output += !value.isFinite ? "null" : value == value.rounded() && abs(value) < 9e15 ? "\(Int(value))" : "\(value)"
        case .string(let value): JSON.quote(value, into: &output)
        case .array(let values): JSON.list(values, "[", "]", into: &output, indent) { $0.write(to: &$1, indent: inner) }
        case .object(let members):
            let list = indent == nil ? members.list.sorted { $0.key < $1.key } : members.list
            JSON.list(list, "{", "}", into: &output, indent) { member, output in
                JSON.quote(member.key, into: &output)
                output += indent == nil ? ":" : ": "
                member.value.write(to: &output, indent: inner)
            }
        }
    }

    private static func list<Element>(
        _ elements: [Element], _ open: String, _ close: String, into output: inout String, _ indent: Int?,
        _ write: (Element, inout String) -> Void
    ) {
        output += open
        for (number, element) in elements.enumerated() {
            if number > 0 { output += "," }
            if let indent { output += "\n" + String(repeating: " ", count: 4 * (indent + 1)) }
            write(element, &output)
        }
        if let indent, !elements.isEmpty { output += "\n" + String(repeating: " ", count: 4 * indent) }
        output += close
    }

    /// RFC 8259 section 7; beyond that, what a terminal would not show but obey is escaped, and what ends a line for some readers.
    private static func quote(_ text: String, into output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case _ where DisplayText.isUnsafe(scalar):
                for unit in String(scalar).utf16 {
                    let hex = String(unit, radix: 16)
                    output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                }
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }
}
