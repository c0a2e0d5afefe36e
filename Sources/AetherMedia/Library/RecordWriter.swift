/// Writes values as the bytes of a record, one behind another, for a `RecordReader` of the same build.
public struct RecordWriter {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Empty.
    public init() {}

    /// A number.
    public mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// A number with a fraction.
    public mutating func put(_ value: Double) { put(value.bitPattern) }

    /// One of two.
    public mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }

    /// Bytes, with their number before them.
    public mutating func put(_ value: [UInt8]) {
        put(UInt32(clamping: value.count))
        bytes.append(contentsOf: value)
    }

    /// Bytes in memory, as above.
    mutating func put(_ value: UnsafeRawBufferPointer) {
        put(UInt32(clamping: value.count))
        bytes.append(contentsOf: value)
    }

    /// Text.
    public mutating func put(_ value: String) { put(Array(value.utf8)) }

    /// A value that may be missing.
    public mutating func put<Value>(_ value: Value?, _ body: (inout RecordWriter, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }

    /// A list of values.
    public mutating func put<Value>(each values: some Collection<Value>, _ body: (inout RecordWriter, Value) -> Void) {
        put(UInt32(clamping: values.count))
        for value in values { body(&self, value) }
    }
}
