/// A QR code (ISO/IEC 18004) of up to 213 bytes: byte mode, versions 1 to 10, level M. Pure.
public struct QRCode: Sendable, Equatable {
    /// Modules of a side: 21 to 57.
    public let size: Int
    /// Row after row; true is dark.
    public let modules: [Bool]
    /// The mask that was chosen.
    let mask: Int

    /// Of level M: codewords of correction in a block, and the data codewords of each block.
    private static let versions: [(correction: Int, blocks: [Int])] = [
        (10, [16]), (16, [28]), (26, [44]), (18, [32, 32]), (24, [43, 43]), (16, [27, 27, 27, 27]), (18, [31, 31, 31, 31]),
        (22, [38, 38, 39, 39]), (22, [36, 36, 36, 37, 37]), (26, [43, 43, 43, 43, 44]),
    ]
    private static let centres: [[Int]] = [
        [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
    ]

    /// nil for a text that is too long.
    public init?(_ text: String) { self.init(Array(text.utf8)) }

    /// `mask`: one of the eight, for tests; nil: the best.
    init?(_ bytes: [UInt8], mask wanted: Int? = nil) {
        let version = Self.versions.indices.first { index in
            let room = Self.versions[index].blocks.reduce(0, +)
            return bytes.count + (index + 1 < 10 ? 2 : 3) <= room
        }
        guard let index = version else { return nil }
        let words = Self.interleaved(Self.data(bytes, version: index + 1), Self.versions[index])
        var canvas = QRCanvas(version: index + 1, centres: Self.centres[index])
        canvas.place(words)
        let mask = wanted ?? (0..<8).min { canvas.masked($0).penalty < canvas.masked($1).penalty } ?? 0
        let finished = canvas.masked(mask)
        (size, modules, self.mask) = (finished.size, finished.dark, mask)
    }

    /// Mode, length, bytes, and filling up to the capacity.
    static func data(_ bytes: [UInt8], version: Int) -> [UInt8] {
        let room = versions[version - 1].blocks.reduce(0, +)
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(4, 4)
        append(bytes.count, version < 10 ? 8 : 16)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, room * 8 - bits.count))
        while bits.count % 8 != 0 { bits.append(false) }
        var words = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        var filler: UInt8 = 0xEC
        while words.count < room {
            words.append(filler)
            filler = filler == 0xEC ? 0x11 : 0xEC
        }
        return words
    }

    private static func interleaved(_ data: [UInt8], _ version: (correction: Int, blocks: [Int])) -> [UInt8] {
        var blocks: [[UInt8]] = [], start = 0
        for count in version.blocks {
            blocks.append(Array(data[start..<start + count]))
            start += count
        }
        let corrections = blocks.map { correction($0, count: version.correction) }
        var words: [UInt8] = []
        for place in 0..<(version.blocks.max() ?? 0) { words += blocks.compactMap { place < $0.count ? $0[place] : nil } }
        for place in 0..<version.correction { words += corrections.map { $0[place] } }
        return words
    }

    /// The rest of a division by Reed and Solomon's polynomial over GF(256) with 0x11D.
    static func correction(_ data: [UInt8], count: Int) -> [UInt8] {
        var generator: [UInt8] = [1], root: UInt8 = 1
        for _ in 0..<count {
            var next = generator + [0]
            for index in generator.indices { next[index + 1] ^= multiplied(generator[index], root) }
            generator = next
            root = multiplied(root, 2)
        }
        var rest = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ rest[0]
            rest.removeFirst()
            rest.append(0)
            for index in 0..<count { rest[index] ^= multiplied(generator[index + 1], factor) }
        }
        return rest
    }

    private static func multiplied(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (a, b, product) = (Int(a), b, 0)
        while b > 0 {
            if b & 1 == 1 { product ^= a }
            a <<= 1
            if a & 0x100 != 0 { a ^= 0x11D }
            b >>= 1
        }
        return UInt8(product)
    }

    /// Two rows in a line of half blocks, dark on light whatever the terminal's colours, with the quiet zone of four modules.
    public var text: String {
        func isDark(_ x: Int, _ y: Int) -> Bool {
            (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
        }
        return stride(from: -4, to: size + 4, by: 2).map { y in
            let cells = (-4..<size + 4).map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            // White on black: the light modules are ink.
            return "\u{1B}[97;40m" + cells.joined() + "\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
