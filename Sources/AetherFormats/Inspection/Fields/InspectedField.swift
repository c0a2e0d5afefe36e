public import AetherCore

/// A decoded field of a box, an element or a header: its name in the standard, and its value.
public struct InspectedField: Sendable, Equatable {
    /// The standard's name.
    public let name: String
    /// The value.
    public let value: FieldValue
    /// The unit of a number, in words; empty for none.
    public let unit: String
    /// The value in words; empty where the value says it all.
    public let meaning: String

    /// A field.
    public init(_ name: String, _ value: FieldValue, unit: String = "", meaning: String = "") {
        (self.name, self.value, self.unit, self.meaning) = (name, value, unit, meaning)
    }

    /// The field on one line, safe to display.
    public var line: String { DisplayText.singleLine("\(name): \(words)", limit: 400) }

    /// The value with its unit, and what it means.
    var words: String {
        var words = value.text
        if !unit.isEmpty { words += " " + unit }
        if !meaning.isEmpty { words += " (\(meaning))" }
        return words
    }
}

/// The value of a field.
public indirect enum FieldValue: Sendable, Equatable {
    case integer(Int64)
    case number(Double)
    case flag(Bool)
    /// Safe to display.
    case text(String)
    /// Bytes, at most the first 64.
    case bytes([UInt8])
    case list([FieldValue])
    case record([InspectedField])

    /// A whole number; one over 2^63 is a text.
    init(_ number: UInt64) { self = Int64(exactly: number).map { .integer($0) } ?? .text(String(number)) }

    /// A text of a stranger, made safe.
    init(stranger text: String) { self = .text(DisplayText.singleLine(text, limit: 300)) }

    /// The value in short: bytes as hexadecimal digits, the first rows of a list.
    public var text: String {
        switch self {
        case .integer(let number): return String(number)
        case .number(let number): return number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
        case .flag(let flag): return flag ? "yes" : "no"
        case .text(let text): return text
        case .bytes(let bytes): return bytes.isEmpty ? "-" : Self.hex(bytes)
        case .list(let values):
            return "[" + values.prefix(8).map(\.text).joined(separator: ", ") + (values.count > 8 ? ", …" : "") + "]"
        case .record(let fields):
            return fields.map { "\($0.name) \($0.value.text)" + ($0.unit.isEmpty ? "" : " " + $0.unit) }.joined(separator: ", ")
        }
    }

    /// The value for programs.
    public var json: JSON {
        switch self {
        case .integer(let number): .integer(number)
        case .number(let number): JSON(number)
        case .flag(let flag): .bool(flag)
        case .text(let text): .string(text)
        case .bytes(let bytes): .string(Self.hex(bytes))
        case .list(let values): .array(values.map(\.json))
        case .record(let fields): .object(JSON.Members(fields.map { ($0.name, $0.value.json) }))
        }
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text
    }
}
