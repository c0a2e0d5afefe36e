import AetherCore

/// The attribute list of a tag: `NAME=value,NAME="a, b"`. Names are compared whole. Values are read when they are asked for.
struct HLSAttributes {
    private let bytes: [UInt8]
    private let variables: HLSVariables
    private let tag: HLSTag
    let line: Int
    private var items: [(name: Range<Int>, value: Range<Int>, isQuoted: Bool)] = []

    /// More than any tag has; a date range may bring many of its own.
    private static let limit = 200

    /// Reads the list in a range of the document.
    init(_ bytes: [UInt8], _ range: Range<Int>, tag: HLSTag, line: Int, variables: HLSVariables) {
        self.bytes = bytes
        self.variables = variables
        self.tag = tag
        self.line = line
        var index = range.lowerBound
        let end = range.upperBound
        items.reserveCapacity(8)
        while index < end, items.count < Self.limit {
            while index < end, bytes[index] == 0x20 || bytes[index] == UInt8(ascii: ",") { index += 1 }
            let start = index
            while index < end, bytes[index] != UInt8(ascii: "="), bytes[index] != UInt8(ascii: ",") { index += 1 }
            guard index < end, bytes[index] == UInt8(ascii: "=") else { continue }
            var nameEnd = index
            while nameEnd > start, bytes[nameEnd - 1] == 0x20 { nameEnd -= 1 }
            index += 1
            while index < end, bytes[index] == 0x20 { index += 1 }
            let isQuoted = index < end && bytes[index] == UInt8(ascii: "\"")
            if isQuoted { index += 1 }
            let valueStart = index, stop = isQuoted ? UInt8(ascii: "\"") : UInt8(ascii: ",")
            while index < end, bytes[index] != stop { index += 1 }
            var valueEnd = index
            if !isQuoted { while valueEnd > valueStart, bytes[valueEnd - 1] == 0x20 { valueEnd -= 1 } }
            items.append((start..<nameEnd, valueStart..<valueEnd, isQuoted))
            if isQuoted, index < end { index += 1 }
        }
    }

    private func range(_ name: StaticString) -> Range<Int>? {
        for item in items where item.name.count == name.utf8CodeUnitCount {
            let isSame = name.withUTF8Buffer { wanted in
                for offset in 0..<wanted.count where bytes[item.name.lowerBound + offset] != wanted[offset] { return false }
                return true
            }
            if isSame { return item.value }
        }
        return nil
    }

    /// Whether there is such an attribute.
    func has(_ name: StaticString) -> Bool { range(name) != nil }

    /// The text, with variables put in; nil where the attribute is missing.
    func string(_ name: StaticString) throws(StreamFault) -> String? {
        guard let range = range(name) else { return nil }
        return try text(range)
    }

    private func text(_ range: Range<Int>) throws(StreamFault) -> String {
        if HLSVariables.mayRefer(bytes[range]) {
            return String(decoding: try variables.expanded(bytes[range], line: line), as: UTF8.self)
        }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// The text of an attribute that must be there and not empty.
    func required(_ name: StaticString) throws(StreamFault) -> String {
        guard let text = try string(name), !text.isEmpty else { throw bad(name) }
        return text
    }

    /// One line that is safe to display.
    func label(_ name: StaticString) throws(StreamFault) -> String? {
        try string(name).map { DisplayText.singleLine($0, limit: 200) }
    }

    /// The address, resolved; throws where it is missing or none.
    func address(_ name: StaticString = "URI") throws(StreamFault) -> StreamAddress {
        guard let address = variables.address.resolved(try required(name)) else { throw bad(name) }
        return address
    }

    /// Whether the attribute is that text.
    func isText(_ name: StaticString, _ text: StaticString) -> Bool {
        guard let range = range(name), range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[range]) }
    }

    /// YES or NO; false where the attribute is missing.
    func isYes(_ name: StaticString) -> Bool {
        isText(name, "YES")
    }

    /// A whole number that is not negative; nil where the attribute is missing.
    func integer(_ name: StaticString) throws(StreamFault) -> Int64? { try value(name, HLSNumber.integer) }

    /// A decimal, in nanoseconds.
    func nanoseconds(_ name: StaticString, isSigned: Bool = false) throws(StreamFault) -> Int64? {
        try value(name) { HLSNumber.nanoseconds($0, $1, isSigned: isSigned) }
    }

    /// A date, in nanoseconds since 1970.
    func date(_ name: StaticString) throws(StreamFault) -> Int64? { try value(name, HLSNumber.date) }

    /// An initialization vector.
    func vector(_ name: StaticString) throws(StreamFault) -> [UInt8]? { try value(name, HLSNumber.vector) }

    /// Width and height.
    func size(_ name: StaticString) throws(StreamFault) -> StatedSize? { try value(name, HLSNumber.size) }

    /// Length and offset of a part.
    func part(_ name: StaticString) throws(StreamFault) -> (length: Int64, offset: Int64?)? { try value(name, HLSNumber.part) }

    /// The attributes whose names begin with X- or SCTE35-, which belong to the author of the playlist: at most 64, each safe to
    /// display.
    func ownAttributes() throws(StreamFault) -> [String: String] {
        var result: [String: String] = [:]
        for item in items where result.count < 64 && isOwn(item.name) {
            if result.isEmpty { result.reserveCapacity(min(items.count, 64)) }
            let name = String(decoding: bytes[item.name].prefix(100), as: UTF8.self)
            result[DisplayText.singleLine(name)] = DisplayText.singleLine(try text(item.value), limit: 4096)
        }
        return result
    }

    private func isOwn(_ name: Range<Int>) -> Bool {
        bytes[name].starts(with: "X-".utf8) || bytes[name].starts(with: "SCTE35-".utf8)
    }

    private func value<Value>(
        _ name: StaticString, _ read: ([UInt8], Range<Int>) -> Value?
    ) throws(StreamFault) -> Value? {
        guard let range = range(name) else { return nil }
        if HLSVariables.mayRefer(bytes[range]) {
            let expanded = try variables.expanded(bytes[range], line: line)
            guard let value = read(expanded, 0..<expanded.count) else { throw bad(name) }
            return value
        }
        guard let value = read(bytes, range) else { throw bad(name) }
        return value
    }

    /// The fault of an attribute that is missing or makes no sense.
    func bad(_ name: StaticString) -> StreamFault {
        StreamFault(.attribute(tag: tag.rawValue, name: name.description), line: line)
    }
}

/// The value of a tag or an attribute that only advises: nil for one that makes no sense, as a size of 0x0.
func lenient<Value>(_ read: () throws(StreamFault) -> Value?) -> Value? {
    do throws(StreamFault) { return try read() } catch { return nil }
}
