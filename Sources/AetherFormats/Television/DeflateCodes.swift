/// Bits of a deflated stream, the lowest of each byte first. Behind the end come zeros, and `isOver` says so.
struct DeflateBits: Sendable {
    private let bytes: [UInt8]
    private var place = 0
    private var held: UInt64 = 0
    private var count = 0
    /// More was taken than there is.
    private(set) var isOver = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// At least 48 bits, zeros behind the end.
    private mutating func fill() {
        while count <= 48, place < bytes.count {
            held |= UInt64(bytes[place]) << UInt64(count)
            place += 1
            count += 8
        }
    }

    /// The next bits, at most 16, left where they are.
    mutating func peek(_ wanted: Int) -> Int {
        if count < wanted { fill() }
        return Int(held & ((1 << UInt64(wanted)) - 1))
    }

    mutating func drop(_ taken: Int) {
        guard taken <= count else {
            (held, count, isOver) = (0, 0, true)
            return
        }
        held >>= UInt64(taken)
        count -= taken
    }

    mutating func take(_ wanted: Int) -> Int {
        guard wanted > 0 else { return 0 }
        let value = peek(wanted)
        drop(wanted)
        return value
    }

    /// To the next whole byte.
    mutating func align() { drop(count & 7) }

    mutating func byte() -> UInt8 {
        if isOver { return 0 }
        return UInt8(take(8))
    }

    mutating func skip(_ bytes: Int) { for _ in 0..<bytes where !isOver { drop8() } }

    private mutating func drop8() { _ = byte() }

    /// Whether so many whole bytes are left.
    func hasBytes(_ wanted: Int) -> Bool { bytes.count - place + count / 8 >= wanted }
}

/// A prefix code (RFC 1951, 3.2.2) as one table: what the next bits mean.
struct DeflateCode: Sendable {
    /// Symbol × 16 + length; 0 for bits that mean nothing.
    private let table: [UInt16]
    private let width: Int

    /// From the lengths of the symbols, 0 for those that are not there; nil where they contradict each other.
    init?(_ lengths: [UInt8]) {
        var counts = [Int](repeating: 0, count: 16)
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        let widest = counts.lastIndex { $0 > 0 } ?? 0
        // A code without symbols is one that is never used.
        width = max(1, widest)
        var table = [UInt16](repeating: 0, count: 1 << width)
        var code = 0, next = [Int](repeating: 0, count: 16)
        for length in 1...15 {
            code = (code + (length > 1 ? counts[length - 1] : 0)) << 1
            next[length] = code
            guard code + counts[length] <= 1 << length else { return nil }
        }
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            var reversed = 0
            for bit in 0..<length where next[length] >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
            next[length] += 1
            var index = reversed
            while index < table.count {
                table[index] = UInt16(symbol << 4 | length)
                index += 1 << length
            }
        }
        self.table = table
    }

    /// The next symbol; -1 where the bits mean none.
    func symbol(_ bits: inout DeflateBits) -> Int {
        let entry = Int(table[bits.peek(width)])
        guard entry > 0 else { return -1 }
        bits.drop(entry & 15)
        return entry >> 4
    }
}

/// The two codes of a block.
struct DeflateCodes: Sendable {
    let literals, distances: DeflateCode

    /// The codes of a block without its own.
    static let fixed: DeflateCodes = {
        let literals =
            [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
            + [UInt8](repeating: 8, count: 8)
        guard let long = DeflateCode(literals), let short = DeflateCode([UInt8](repeating: 5, count: 30)) else {
            preconditionFailure("the fixed codes of deflate are complete")
        }
        return DeflateCodes(literals: long, distances: short)
    }()

    /// Lengths of copies: the smallest, and how many bits are added.
    static let lengths: [(Int, Int)] =
        [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        ].enumerated().map { ($1, $0 < 8 ? 0 : $0 / 4 - 1) } + [(258, 0)]

    /// How far copies reach back, in the same form.
    static let reaches: [(Int, Int)] = (0..<30).map { place in
        let extra = max(0, place / 2 - 1)
        return (place < 4 ? place + 1 : (2 + place % 2) << extra + 1, extra)
    }

    private init(literals: DeflateCode, distances: DeflateCode) { (self.literals, self.distances) = (literals, distances) }

    /// The order in which the lengths of the code of lengths stand.
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// Reads the codes of a block (RFC 1951, 3.2.7); nil where they make no sense.
    init?(_ bits: inout DeflateBits) {
        let literalCount = bits.take(5) + 257, distanceCount = bits.take(5) + 1, orderCount = bits.take(4) + 4
        guard literalCount <= 286, distanceCount <= 30 else { return nil }
        var own = [UInt8](repeating: 0, count: 19)
        for place in 0..<orderCount { own[Self.order[place]] = UInt8(bits.take(3)) }
        guard let code = DeflateCode(own) else { return nil }
        var lengths: [UInt8] = []
        while lengths.count < literalCount + distanceCount {
            let symbol = code.symbol(&bits)
            guard symbol >= 0, !bits.isOver else { return nil }
            switch symbol {
            case 0...15: lengths.append(UInt8(symbol))
            case 16:
                guard let last = lengths.last else { return nil }
                lengths += [UInt8](repeating: last, count: 3 + bits.take(2))
            case 17: lengths += [UInt8](repeating: 0, count: 3 + bits.take(3))
            default: lengths += [UInt8](repeating: 0, count: 11 + bits.take(7))
            }
        }
        guard lengths.count == literalCount + distanceCount, lengths[256] > 0,
            let literals = DeflateCode(Array(lengths[..<literalCount])),
            let distances = DeflateCode(Array(lengths[literalCount...]))
        else { return nil }
        self.init(literals: literals, distances: distances)
    }
}
