import AetherCore

/// A JSON value that keeps the order of its keys. For reports; there is no parser.
public indirect enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    /// A text, or null for nil.
    public init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    /// A number, or null for nil.
    public init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }

    /// The value as text, indented by four spaces a level, without a final line break.
    public var text: String {
        var output = ""
        write(to: &output, indent: 0)
        return output
    }

    private func write(to output: inout String, indent: Int) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .integer(let value): output += String(value)
        // JSON has no infinities.
        case .number(let value): output += value.isFinite ? "\(value)" : "null"
        case .string(let value): JSONValue.quote(value, into: &output)
        case .array(let values):
            JSONValue.list(values, "[", "]", into: &output, indent) { $0.write(to: &$1, indent: indent + 1) }
        case .object(let members):
            JSONValue.list(members, "{", "}", into: &output, indent) { member, output in
                JSONValue.quote(member.key, into: &output)
                output += ": "
                member.value.write(to: &output, indent: indent + 1)
            }
        }
    }

    private static func list<Element>(
        _ elements: [Element], _ open: String, _ close: String, into output: inout String, _ indent: Int,
        _ write: (Element, inout String) -> Void
    ) {
        output += open
        for (number, element) in elements.enumerated() {
            output += number == 0 ? "\n" : ",\n"
            output += String(repeating: " ", count: 4 * (indent + 1))
            write(element, &output)
        }
        if !elements.isEmpty { output += "\n" + String(repeating: " ", count: 4 * indent) }
        output += close
    }

    /// RFC 8259 section 7; beyond ASCII, what a terminal would not show but obey is escaped, and all else stays as it is.
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
