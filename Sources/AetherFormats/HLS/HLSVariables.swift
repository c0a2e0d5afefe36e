import Glibc

/// The variables that a playlist defines (EXT-X-DEFINE), and texts with their values put in.
struct HLSVariables: Sendable {
    /// Shared by the attributes of all tags up to the next definition: one reference to count for each.
    private final class Values: Sendable {
        let values: [String: String], inherited: [String: String], address: StreamAddress, size: Int

        init(_ values: [String: String], inherited: [String: String], address: StreamAddress, size: Int) {
            (self.values, self.inherited, self.address, self.size) = (values, inherited, address, size)
        }
    }
    private var shared: Values

    var values: [String: String] { shared.values }
    /// The variables of the list of variants that led here.
    private var inherited: [String: String] { shared.inherited }
    var address: StreamAddress { shared.address }

    /// 1000 variables, 1 MB of values in all, 64 KB for one text with values put in.
    private static let limit = 1000, sizeLimit = 1 << 20, textLimit = 64 << 10

    init(address: StreamAddress, inherited: [String: String]) {
        shared = Values([:], inherited: inherited, address: address, size: 0)
    }

    /// Takes EXT-X-DEFINE.
    mutating func define(_ attributes: HLSAttributes, line: Int) throws(StreamFault) {
        if let name = try attributes.string("NAME") {
            guard let value = try attributes.string("VALUE") else {
                throw StreamFault(.attribute(tag: "EXT-X-DEFINE", name: "VALUE"), line: line)
            }
            try set(name, value, line: line)
        } else if let name = try attributes.string("IMPORT") {
            guard let value = inherited[name] else { throw StreamFault(.unknownVariable(name), line: line) }
            try set(name, value, line: line)
        } else if let name = try attributes.string("QUERYPARAM") {
            guard let value = address.parameter(name), !value.isEmpty else {
                throw StreamFault(.unknownVariable(name), line: line)
            }
            try set(name, value, line: line)
        } else {
            throw StreamFault(.attribute(tag: "EXT-X-DEFINE", name: "NAME"), line: line)
        }
    }

    private mutating func set(_ name: String, _ value: String, line: Int) throws(StreamFault) {
        let isName = !name.isEmpty && name.utf8.count <= 256 && name.utf8.allSatisfy(Self.isNameByte)
        // Twice the same name is an error (4.4.2.3).
        guard isName, values[name] == nil else { throw StreamFault(.attribute(tag: "EXT-X-DEFINE", name: "NAME"), line: line) }
        let size = shared.size + value.utf8.count
        guard values.count < Self.limit, size <= Self.sizeLimit else { throw StreamFault(.tooMany("variables"), line: line) }
        var values = values
        values[name] = value
        shared = Values(values, inherited: inherited, address: address, size: size)
    }

    /// The text with the value of each `{$name}` put in; values are not looked through again. What is no reference stays.
    func expanded(_ bytes: ArraySlice<UInt8>, line: Int) throws(StreamFault) -> [UInt8] {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "{"), index + 1 < bytes.endIndex, bytes[index + 1] == UInt8(ascii: "$"),
                let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")),
                bytes[(index + 2)..<close].allSatisfy(Self.isNameByte),
                close > index + 2
            {
                let name = String(decoding: bytes[(index + 2)..<close], as: UTF8.self)
                guard let value = values[name] else { throw StreamFault(.unknownVariable(name), line: line) }
                result.append(contentsOf: value.utf8)
                index = close + 1
            } else {
                result.append(bytes[index])
                index += 1
            }
            guard result.count <= Self.textLimit else { throw StreamFault(.tooLong, line: line) }
        }
        return result
    }

    /// Whether there may be a reference in the text.
    static func mayRefer(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { text in
            guard let base = text.baseAddress, memchr(base, 0x7B, text.count) != nil else { return false }
            return memchr(base, 0x24, text.count) != nil
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
