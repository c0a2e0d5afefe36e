import CSystemd
import Glibc

/// A message of sd-bus: built or read value by value. Owns its reference.
struct BusMessage: ~Copyable {
    let pointer: OpaquePointer

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { sd_bus_message_unref(pointer) }

    // MARK: Writing

    func append(_ values: [BusValue]) throws(BusError) { for value in values { try append(value) } }

    func append(_ value: BusValue) throws(BusError) {
        switch value {
        case .string(let text): try append(text, as: "s")
        case .path(let text): try append(text, as: "o")
        case .integer(var number): try BusError.check(sd_bus_message_append_basic(pointer, BusMessage.type("x"), &number))
        case .double(var number): try BusError.check(sd_bus_message_append_basic(pointer, BusMessage.type("d"), &number))
        case .descriptor(var number): try BusError.check(sd_bus_message_append_basic(pointer, BusMessage.type("h"), &number))
        case .bool(let flag):
            var number: Int32 = flag ? 1 : 0
            try BusError.check(sd_bus_message_append_basic(pointer, BusMessage.type("b"), &number))
        case .strings(let texts):
            try open("a", "s")
            for text in texts { try append(text, as: "s") }
            try close()
        case .paths(let paths):
            try open("a", "o")
            for path in paths { try append(path, as: "o") }
            try close()
        case .bytes(let bytes):
            let status = bytes.withUnsafeBytes {
                sd_bus_message_append_array(pointer, BusMessage.type("y"), $0.baseAddress, $0.count)
            }
            try BusError.check(status)
        case .attributes(let pairs):
            try open("a", "{ss}")
            for (key, value) in pairs.sorted(by: { $0.key < $1.key }) {
                try open("e", "ss")
                try append(key, as: "s")
                try append(value, as: "s")
                try close()
            }
            try close()
        case .structure(let fields):
            try open("r", fields.map(\.signature).joined())
            try append(fields)
            try close()
        case .dictionary(let entries):
            try open("a", "{sv}")
            for entry in entries {
                try open("e", "sv")
                try append(entry.key, as: "s")
                try append(.variant(entry.value.content))
                try close()
            }
            try close()
        case .variant(let inner):
            try open("v", inner.signature)
            try append(inner)
            try close()
        case .other: throw BusError(number: EINVAL)
        }
    }

    private func append(_ text: String, as type: Character) throws(BusError) {
        // D-Bus has no NUL in a text.
        let safe = text.contains("\0") ? text.replacing("\0", with: "") : text
        let status = safe.withCString { sd_bus_message_append_basic(pointer, BusMessage.type(type), $0) }
        try BusError.check(status)
    }

    private func open(_ type: Character, _ contents: String) throws(BusError) {
        try BusError.check(sd_bus_message_open_container(pointer, BusMessage.type(type), contents))
    }

    private func close() throws(BusError) { try BusError.check(sd_bus_message_close_container(pointer)) }

    // MARK: Reading

    /// 64 values, eight deep: far more than any call to a player has.
    static let valueLimit = 64, depthLimit = 8

    /// All values of a message that is not ours to free. File descriptors are `.other`: a stranger's would pile up.
    static func values(of message: OpaquePointer) throws(BusError) -> [BusValue] { try values(of: message, depth: 0) }

    /// The file descriptor that a message begins with, a duplicate for the caller to close; nil where it begins with something else.
    static func descriptor(of message: OpaquePointer) throws(BusError) -> Int32? {
        var type: CChar = 0
        guard try BusError.check(sd_bus_message_peek_type(message, &type, nil)) > 0, type == CChar(UInt8(ascii: "h")) else {
            return nil
        }
        let descriptor = fcntl(try basic(of: message, "h", Int32(-1)), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw BusError(number: errno) }
        return descriptor
    }

    private static func values(of message: OpaquePointer, depth: Int) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while values.count < valueLimit {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            guard try BusError.check(sd_bus_message_peek_type(message, &type, &contents)) > 0 else { break }
            let inside = contents.map { String(cString: $0) } ?? ""
            values.append(try value(of: message, Character(Unicode.Scalar(UInt8(bitPattern: type))), inside, depth))
        }
        return values
    }

    private static func value(of message: OpaquePointer, _ type: Character, _ contents: String, _ depth: Int) throws(BusError)
        -> BusValue
    {
        switch type {
        case "s": return .string(try text(of: message, type))
        case "o", "g": return .path(try text(of: message, type))
        case "x", "t": return .integer(try basic(of: message, type, Int64(0)))
        case "i", "u": return .integer(Int64(try basic(of: message, type, Int32(0))))
        case "n", "q": return .integer(Int64(try basic(of: message, type, Int16(0))))
        case "y": return .integer(Int64(try basic(of: message, type, UInt8(0))))
        case "d": return .double(try basic(of: message, type, Double(0)))
        case "b": return .bool(try basic(of: message, type, Int32(0)) != 0)
        case "h":
            _ = try basic(of: message, type, Int32(-1))
            return .other
        case "a" where contents == "y": return .bytes(try bytes(of: message))
        case "v", "a", "r", "e":
            guard depth < depthLimit else { throw BusError(number: ELOOP) }
            try BusError.check(sd_bus_message_enter_container(message, BusMessage.type(type), contents))
            let inner = try values(of: message, depth: depth + 1)
            // Values over the limit are left out.
            while try BusError.check(sd_bus_message_at_end(message, 0)) == 0 {
                try BusError.check(sd_bus_message_skip(message, nil))
            }
            try BusError.check(sd_bus_message_exit_container(message))
            return container(type, contents, inner)
        default: throw BusError(number: EINVAL)
        }
    }

    private static func container(_ type: Character, _ contents: String, _ inner: [BusValue]) -> BusValue {
        switch (type, contents) {
        case ("v", _): .variant(inner.first ?? .other)
        case ("a", "s"): .strings(inner.compactMap(\.text))
        case ("a", "o"): .paths(inner.compactMap(\.text))
        case ("a", "{ss}"):
            .attributes(
                Dictionary(
                    inner.compactMap { if case .dictionary(let pair) = $0 { pair.first } else { nil } }
                        .map { ($0.key, $0.value.text ?? "") }
                ) { $1 })
        case ("r", _): .structure(inner)
        case ("a", "{sv}"):
            .dictionary(
                inner.compactMap { if case .dictionary(let pair) = $0 { pair.first } else { nil } })
        // One pair of a dictionary, on its way into it.
        case ("e", _):
            .dictionary(inner.count == 2 ? [BusValue.Entry(inner[0].text ?? "", inner[1].content)] : [])
        default: .other
        }
    }

    private static func basic<Number: BitwiseCopyable>(of message: OpaquePointer, _ type: Character, _ zero: Number)
        throws(BusError) -> Number
    {
        var number = zero
        try BusError.check(sd_bus_message_read_basic(message, BusMessage.type(type), &number))
        return number
    }

    /// 64 KB: no call to a player or from a keyring has more.
    private static let byteLimit = 64 << 10

    private static func bytes(of message: OpaquePointer) throws(BusError) -> [UInt8] {
        var start: UnsafeRawPointer?, count = 0
        try BusError.check(sd_bus_message_read_array(message, type("y"), &start, &count))
        return Array(UnsafeRawBufferPointer(start: start, count: min(count, byteLimit)))
    }

    private static func text(of message: OpaquePointer, _ type: Character) throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        try BusError.check(sd_bus_message_read_basic(message, BusMessage.type(type), &text))
        return text.map { String(cString: $0) } ?? ""
    }

    private static func type(_ character: Character) -> CChar { CChar(bitPattern: character.asciiValue ?? 0) }
}

/// An error of sd-bus.
struct BusError: Error, Equatable, CustomStringConvertible {
    /// An errno value.
    let number: Int32

    var description: String { String(cString: strerror(number)) }

    @discardableResult
    static func check(_ status: Int32) throws(BusError) -> Int32 {
        guard status >= 0 else { throw BusError(number: status == .min ? EINVAL : -status) }
        return status
    }
}
