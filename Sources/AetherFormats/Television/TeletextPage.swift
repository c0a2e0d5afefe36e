/// A page of teletext that is sent: in the headers of packets of DVB (EN 300 472) by their numbers (EN 300 706, 9.3.1).
public struct TeletextPage: Sendable, Hashable, Comparable {
    /// 100 … 899.
    public let number: Int
    /// It is marked as subtitles.
    public let isSubtitle: Bool

    /// A page.
    public init(_ number: Int, isSubtitle: Bool) { (self.number, self.isSubtitle) = (number, isSubtitle) }

    /// By their numbers.
    public static func < (a: TeletextPage, b: TeletextPage) -> Bool {
        (a.number, a.isSubtitle ? 0 : 1) < (b.number, b.isSubtitle ? 0 : 1)
    }

    /// The pages that begin in a payload, in its order.
    public static func headers(in payload: [UInt8]) -> [TeletextPage] {
        guard let identifier = payload.first, 0x10...0x1F ~= identifier else { return [] }
        var pages: [TeletextPage] = [], rest = payload.dropFirst()
        while rest.count >= 2 {
            let kind = rest[rest.startIndex], length = Int(rest[rest.startIndex + 1])
            let unit = rest.dropFirst(2).prefix(length)
            rest = rest.dropFirst(2 + length)
            // Teletext, and teletext for subtitles.
            if kind == 0x02 || kind == 0x03, unit.count == 44, let page = header(Array(unit.dropFirst(2))) { pages.append(page) }
        }
        return pages
    }

    /// That of a line; nil for another line than a page's first, for what was damaged, and for pages in hexadecimal numbers, which are not shown.
    private static func header(_ line: [UInt8]) -> TeletextPage? {
        let numbers = line.prefix(8).compactMap(nibble)
        guard numbers.count == 8 else { return nil }
        let address = numbers[0] | numbers[1] << 4
        guard address >> 3 == 0, numbers[2] < 10, numbers[3] < 10 else { return nil }
        let magazine = address & 7 == 0 ? 8 : address & 7
        return TeletextPage(magazine * 100 + numbers[3] * 10 + numbers[2], isSubtitle: numbers[7] & 8 != 0)
    }

    /// The four bits of a byte in the Hamming code of 8.2, whose first bit is sent first: in DVB the highest. nil where one is wrong.
    private static func nibble(_ byte: UInt8) -> Int? {
        let bits = (0..<8).map { Int(byte >> UInt8(7 - $0)) & 1 }
        let (first, second, third, fourth) = (bits[1], bits[3], bits[5], bits[7])
        let isWhole =
            bits[0] == 1 ^ first ^ third ^ fourth && bits[2] == 1 ^ first ^ second ^ fourth
            && bits[4] == 1 ^ first ^ second ^ third
            && bits.reduce(0, ^) == 1
        return isWhole ? first | second << 1 | third << 2 | fourth << 3 : nil
    }
}
