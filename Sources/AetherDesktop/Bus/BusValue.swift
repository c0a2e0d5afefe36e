/// A value of D-Bus, as far as this program speaks it.
indirect enum BusValue: Sendable, Equatable {
    case string(String)
    case path(String)
    case integer(Int64)
    case double(Double)
    case bool(Bool)
    case strings([String])
    /// ao.
    case paths([String])
    /// ay.
    case bytes([UInt8])
    /// a{ss}.
    case attributes([String: String])
    case structure([BusValue])
    /// a{sv}, in this order.
    case dictionary([Entry])
    case variant(BusValue)
    /// A file descriptor to send. One that was received is `.other`: see `BusConnection.descriptor`.
    case descriptor(Int32)
    /// A value of a type that is never looked at.
    case other

    struct Entry: Sendable, Equatable {
        let key: String
        let value: BusValue

        init(_ key: String, _ value: BusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The type of the value in a signature.
    var signature: String {
        switch self {
        case .string, .other: "s"
        case .path: "o"
        case .integer: "x"
        case .double: "d"
        case .bool: "b"
        case .strings: "as"
        case .paths: "ao"
        case .bytes: "ay"
        case .attributes: "a{ss}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .dictionary: "a{sv}"
        case .variant: "v"
        case .descriptor: "h"
        }
    }

    /// The content of a variant, or the value itself.
    var content: BusValue { if case .variant(let inner) = self { inner.content } else { self } }

    var text: String? {
        switch self {
        case .string(let text), .path(let text): text
        default: nil
        }
    }

    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// A number of any kind.
    var number: Double? {
        switch self {
        case .double(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    subscript(key: String) -> BusValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value.content
    }
}
