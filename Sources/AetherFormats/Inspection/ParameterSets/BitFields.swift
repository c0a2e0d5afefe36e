/// Reads fields bit by bit, most significant first, and writes them down by name. Past the end it gives zeros and says so.
struct BitFields {
    private(set) var fields: [InspectedField] = []
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes of a NAL unit without the bytes that keep start codes out of it.
    init(escaped bytes: [UInt8]) {
        var plain: [UInt8] = [], zeros = 0
        plain.reserveCapacity(bytes.count)
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            plain.append(byte)
        }
        self.bytes = plain
    }

    /// More was read than there is.
    var isOverrun: Bool { position > bytes.count * 8 }
    /// Bits that are left.
    var left: Int { max(0, bytes.count * 8 - position) }

    /// Something is left besides the bit that ends a NAL unit and zeros.
    var hasMore: Bool {
        guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return false }
        return position < last * 8 + 7 - bytes[last].trailingZeroBitCount
    }

    /// So many bits, 32 at most, without a field.
    mutating func raw(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<min(max(count, 0), 32) {
            let byte = position >> 3
            let bit = byte < bytes.count ? Int(bytes[byte] >> (7 - UInt8(position & 7)) & 1) : 0
            value = value << 1 | bit
            position += 1
        }
        return value
    }

    mutating func skip(_ count: Int) { position += max(0, min(count, 1 << 24)) }

    mutating func add(_ name: String, _ value: FieldValue, unit: String = "", meaning: String = "") {
        fields.append(InspectedField(name, value, unit: unit, meaning: meaning))
    }

    /// u(n).
    @discardableResult
    mutating func number(_ name: String, _ count: Int, unit: String = "", meaning: (Int) -> String = { _ in "" }) -> Int {
        let value = raw(count)
        if !isOverrun { add(name, .integer(Int64(value)), unit: unit, meaning: meaning(value)) }
        return value
    }

    /// A bit as a truth.
    @discardableResult
    mutating func flag(_ name: String) -> Bool { number(name, 1) == 1 }

    /// ue(v) without a field.
    mutating func rawGolomb() -> Int {
        var zeros = 0
        while raw(1) == 0 {
            zeros += 1
            if zeros > 32 || isOverrun {
                position = bytes.count * 8 + 1
                return 0
            }
        }
        return (1 << zeros) - 1 + raw(zeros)
    }

    /// ue(v).
    @discardableResult
    mutating func golomb(_ name: String, meaning: (Int) -> String = { _ in "" }) -> Int {
        let value = rawGolomb()
        if !isOverrun { add(name, .integer(Int64(value)), meaning: meaning(value)) }
        return value
    }

    /// se(v).
    @discardableResult
    mutating func signedGolomb(_ name: String) -> Int {
        let code = rawGolomb(), value = code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
        if !isOverrun { add(name, .integer(Int64(value))) }
        return value
    }
}
