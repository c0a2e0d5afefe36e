import AetherCore

/// Reads the bytes of a record that may say anything. Past the end, and for what cannot be, it gives zeros and nothings, and says so.
public struct RecordReader {
    private let bytes: [UInt8]
    /// The next byte to be read.
    public private(set) var place = 0
    /// Something was wrong: what was read is of no use.
    public private(set) var isBroken = false

    /// Reads from the first byte.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// All was read, and all of it was right.
    public var isWhole: Bool { !isBroken && place == bytes.count }

    /// A value was read that cannot be.
    public mutating func fail() { isBroken = true }

    /// A number.
    public mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value {
        let count = MemoryLayout<Value>.size
        guard !isBroken, count <= bytes.count - place else {
            isBroken = true
            return 0
        }
        defer { place += count }
        return bytes.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Value.self)) }
    }

    /// A number of a range; outside of it the record is broken, and the first of the range is given.
    public mutating func integer<Value: FixedWidthInteger>(in range: ClosedRange<Value>) -> Value {
        let value = integer(Value.self)
        guard range.contains(value) else {
            isBroken = true
            return range.lowerBound
        }
        return value
    }

    /// A number with a fraction that is a number.
    public mutating func double() -> Double {
        let value = Double(bitPattern: integer())
        guard value.isFinite else {
            isBroken = true
            return 0
        }
        return value
    }

    /// One of two.
    public mutating func bool() -> Bool { integer(in: UInt8(0)...1) == 1 }

    /// Where bytes lie that `RecordWriter.put` wrote, which are stepped over.
    public mutating func range() -> Range<Int> {
        let count = Int(integer(UInt32.self))
        guard !isBroken, count <= bytes.count - place else {
            isBroken = true
            return 0..<0
        }
        defer { place += count }
        return place..<place + count
    }

    /// Bytes, at most so many.
    public mutating func bytes(limit: Int) -> [UInt8] {
        let count = Int(integer(UInt32.self))
        guard !isBroken, count <= limit, count <= bytes.count - place else {
            isBroken = true
            return []
        }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    /// A line of text, safe to display.
    public mutating func line(limit: Int = 2000) -> String {
        DisplayText.singleLine(String(decoding: bytes(limit: 4 * limit + 64), as: UTF8.self), limit: limit)
    }

    /// Text as it is, for what is known not to be safe to display.
    public mutating func text(limit: Int) -> String { String(decoding: bytes(limit: limit), as: UTF8.self) }

    /// A value that may be missing.
    public mutating func optional<Value>(_ body: (inout RecordReader) -> Value) -> Value? { bool() ? body(&self) : nil }

    /// A list of at most so many values.
    public mutating func list<Value>(limit: Int, _ body: (inout RecordReader) -> Value) -> [Value] {
        let count = Int(integer(UInt32.self))
        guard !isBroken, count <= limit else {
            isBroken = true
            return []
        }
        var values: [Value] = []
        for _ in 0..<count where !isBroken { values.append(body(&self)) }
        return values
    }
}
