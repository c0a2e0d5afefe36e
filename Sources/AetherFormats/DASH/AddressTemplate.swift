/// An address with identifiers between dollars, as SegmentTemplate has it: "$RepresentationID$/$Number%05d$.m4s". "$$" is a dollar; an
/// undefined identifier stays as it is written.
struct AddressTemplate: Sendable, Equatable {
    /// The values that differ from segment to segment.
    struct Values: Sendable {
        var number: Int64
        var time: Int64
        /// The number in the sequence of segments that has one number and time.
        var subNumber: Int64
    }

    private enum Part: Sendable, Equatable {
        case text(String)
        case number(width: Int)
        case time(width: Int)
        case subNumber(width: Int)
    }

    private var parts: [Part] = []

    /// A template of a representation, whose own values are put in at once. Widths go to 64 digits.
    init(_ text: String, representation: String, bandwidth: Int64) {
        var literal = "", rest = text[...]
        while let opening = rest.firstIndex(of: "$") {
            literal += rest[..<opening]
            let behind = rest[rest.index(after: opening)...]
            guard let closing = behind.firstIndex(of: "$") else {
                rest = rest[opening...]
                break
            }
            let (name, width) = Self.split(behind[..<closing])
            rest = behind[behind.index(after: closing)...]
            switch (name, width) {
            case ("", nil): literal += "$"
            case ("RepresentationID", nil): literal += representation
            case ("Bandwidth", let width): literal += Self.padded(bandwidth, width ?? 1)
            case ("Number", let width): append(.number(width: width ?? 1), after: &literal)
            case ("Time", let width): append(.time(width: width ?? 1), after: &literal)
            case ("SubNumber", let width): append(.subNumber(width: width ?? 1), after: &literal)
            default:
                // Its closing dollar may open one that is known.
                literal += "$" + behind[..<closing]
                rest = behind[closing...]
            }
        }
        literal += rest
        if !literal.isEmpty { parts.append(.text(literal)) }
    }

    private mutating func append(_ part: Part, after literal: inout String) {
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
        parts.append(part)
    }

    /// "Number%05d": the name and the width; a tag that is none makes the name unknown.
    private static func split(_ text: Substring) -> (name: Substring, width: Int?) {
        guard let percent = text.firstIndex(of: "%") else { return (text, nil) }
        let tag = text[percent...]
        guard tag.hasPrefix("%0"), let last = tag.last, "diu".contains(last), let width = Int(tag.dropFirst(2).dropLast()),
            (0...64).contains(width)
        else { return (text, nil) }
        return (text[..<percent], max(1, width))
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// The address of a segment, as the manifest would have written it.
    func text(_ values: Values) -> String {
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .number(let width): result += Self.padded(values.number, width)
            case .time(let width): result += Self.padded(values.time, width)
            case .subNumber(let width): result += Self.padded(values.subNumber, width)
            }
        }
        return result
    }
}
