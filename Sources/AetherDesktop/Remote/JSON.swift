/// A JSON value of the remote control: read from and written to one line.
public indirect enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// A text, or null.
    public init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    /// A number, or null; also for what is no number, which JSON cannot say.
    public init(_ number: Double?) { self = number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null }

    /// A whole number.
    public init(_ number: Int) { self = .number(Double(number)) }

    /// The text, if it is one.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The number; also one that is written as a text, as by a shell.
    public var number: Double? {
        switch self {
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

    /// A member of an object.
    public subscript(key: String) -> JSON? { if case .object(let members) = self { members[key] } else { nil } }

    // MARK: Writing

    /// The value on one line; keys in the order of the alphabet.
    public var line: String {
        var output = ""
        write(to: &output)
        return output
    }

    private func write(to output: inout String) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .number(let value):
            output += !value.isFinite ? "null" : value == value.rounded() && abs(value) < 9e15 ? "\(Int(value))" : "\(value)"
        case .string(let value): JSON.quote(value, into: &output)
        case .array(let values):
            output += "["
            for (index, value) in values.enumerated() {
                if index > 0 { output += "," }
                value.write(to: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { output += "," }
                JSON.quote(member.key, into: &output)
                output += ":"
                member.value.write(to: &output)
            }
            output += "}"
        }
    }

    /// RFC 8259 section 7. Line and paragraph separators are escaped too: they end a line for some readers.
    private static func quote(_ text: String, into output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: output += "\\\""
            case 0x5C: output += "\\\\"
            case 0x0A: output += "\\n"
            case 0x09: output += "\\t"
            case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029:
                let hex = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }
}
