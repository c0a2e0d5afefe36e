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
        var text = text
        parts = text.withUTF8 { Self.parts($0, representation: representation, bandwidth: bandwidth) }
    }

    // A manifest has two templates for each representation of each period: they are read byte by byte.

    private static func parts(_ bytes: UnsafeBufferPointer<UInt8>, representation: String, bandwidth: Int64) -> [Part] {
        var parts: [Part] = [], literal: [UInt8] = [], place = 0
        literal.reserveCapacity(bytes.count + representation.utf8.count)
        func add(_ part: Part) {
            if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
            literal.removeAll(keepingCapacity: true)
            parts.append(part)
        }
        while let opening = dollar(bytes, from: place), let closing = dollar(bytes, from: opening + 1) {
            literal += bytes[place..<opening]
            place = closing + 1
            let (name, width) = split(UnsafeBufferPointer(rebasing: bytes[(opening + 1)..<closing]))
            switch (name, width) {
            case (.nothing, nil): literal.append(UInt8(ascii: "$"))
            case (.representation, nil): literal += representation.utf8
            case (.bandwidth, let width): literal += padded(bandwidth, width ?? 1).utf8
            case (.number, let width): add(.number(width: width ?? 1))
            case (.time, let width): add(.time(width: width ?? 1))
            case (.subNumber, let width): add(.subNumber(width: width ?? 1))
            default:
                // Its closing dollar may open one that is known.
                literal += bytes[opening..<closing]
                place = closing
            }
        }
        literal += bytes[place...]
        if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
        return parts
    }

    private static func dollar(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var place = start
        while place < bytes.count, bytes[place] != UInt8(ascii: "$") { place += 1 }
        return place < bytes.count ? place : nil
    }

    private enum Name {
        case nothing, representation, bandwidth, number, time, subNumber, unknown

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            switch bytes.count {
            case 0: self = .nothing
            case 4 where bytes.elementsEqual("Time".utf8): self = .time
            case 6 where bytes.elementsEqual("Number".utf8): self = .number
            case 9 where bytes.elementsEqual("Bandwidth".utf8): self = .bandwidth
            case 9 where bytes.elementsEqual("SubNumber".utf8): self = .subNumber
            case 16 where bytes.elementsEqual("RepresentationID".utf8): self = .representation
            default: self = .unknown
            }
        }
    }

    /// "Number%05d": the name and the width; a tag that is none makes the name unknown.
    private static func split(_ bytes: UnsafeBufferPointer<UInt8>) -> (name: Name, width: Int?) {
        guard let percent = bytes.firstIndex(of: UInt8(ascii: "%")) else { return (Name(bytes), nil) }
        let tag = bytes[percent...]
        guard tag.count >= 4, tag[percent + 1] == UInt8(ascii: "0"), let last = tag.last, "diu".utf8.contains(last) else {
            return (.unknown, nil)
        }
        var width = 0
        for byte in tag.dropFirst(2).dropLast() {
            guard let digit = HLSNumber.digit(byte), width <= 64 else { return (.unknown, nil) }
            width = width * 10 + Int(digit)
        }
        guard width <= 64 else { return (.unknown, nil) }
        return (Name(UnsafeBufferPointer(rebasing: bytes[..<percent])), max(1, width))
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
