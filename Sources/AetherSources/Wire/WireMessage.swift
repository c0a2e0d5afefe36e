/// Writes the fields of a frame, least significant byte first.
struct WireWriter {
    private(set) var bytes: [UInt8]

    /// A frame of a kind, about a request.
    init(_ kind: UInt8, number: UInt32, room: Int = 0) {
        bytes = []
        bytes.reserveCapacity(room + 9)
        bytes += [0, 0, 0, 0, kind]
        add(number)
    }

    mutating func add<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    mutating func add(_ text: String) {
        add(UInt32(text.utf8.count))
        bytes += text.utf8
    }

    mutating func add(_ rest: UnsafeRawBufferPointer) { bytes += rest }

    /// The frame with its length in front.
    consuming func frame() -> [UInt8] {
        let count = UInt32(bytes.count - 4)
        for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: count >> (8 * UInt32(index))) }
        return bytes
    }
}

/// Reads the fields of a frame; nil where they end too early.
struct WireFields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isEmpty: Bool { rest.isEmpty }

    mutating func number<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type) -> Value? {
        let width = Value.bitWidth / 8
        guard rest.count >= width else { return nil }
        defer { rest = rest.dropFirst(width) }
        return rest.prefix(width).reversed().reduce(0) { $0 << 8 | Value($1) }
    }

    mutating func text(limit: Int) -> String? {
        guard let count = number(UInt32.self), Int(count) <= min(limit, rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return String(validating: rest.prefix(Int(count)), as: UTF8.self)
    }

    mutating func remaining() -> ArraySlice<UInt8> {
        defer { rest = [] }
        return rest
    }
}

/// Puts frames together from the bytes of a socket.
package struct WireFrames {
    /// A frame is a kind, the number of a request and its fields.
    package struct Frame: Sendable {
        package let kind: UInt8
        package let number: UInt32
        let fields: ArraySlice<UInt8>
    }

    /// Bytes that no peer of ours sends.
    package struct Violation: Error {}

    /// 500 entries of a folder with names of 255 letters of four bytes each; the most sectors of a drive have half of it.
    package static let limit = 550_000
    private var bytes: [UInt8] = []
    private var start = 0

    package init() {}

    /// Takes bytes as they come.
    package mutating func take(_ more: UnsafeRawBufferPointer) {
        if start == bytes.count { bytes.removeAll(keepingCapacity: true) } else if start > 0 { bytes.removeFirst(start) }
        start = 0
        bytes += more
    }

    /// The next whole frame; nil: not yet. Throws for a length that no frame has.
    package mutating func next() throws(Violation) -> Frame? {
        var fields = WireFields(bytes[start...])
        guard let length = fields.number(UInt32.self) else { return nil }
        guard length >= 5, Int(length) <= Self.limit else { throw Violation() }
        guard bytes.count - start - 4 >= Int(length), let kind = fields.number(UInt8.self),
            let number = fields.number(UInt32.self)
        else { return nil }
        let end = start + 4 + Int(length)
        defer { start = end }
        return Frame(kind: kind, number: number, fields: bytes[(start + 9)..<end])
    }
}
