/// The value that a column holds, or a parameter is set to. A blob is read as `null`: this program writes none.
enum SQLiteValue: Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    init(_ value: Double?) { self = value.map { .real($0) } ?? .null }

    /// nil for what is no text.
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// A whole number; nil for what is none.
    var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .real(let number): Int64(exactly: number)
        case .null, .text: nil
        }
    }

    /// A number; nil for what is none.
    var real: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text: nil
        }
    }
}
