import Glibc

/// The lines of a playlist, one after the other, without copying: empty ones and comments are left out.
struct HLSLines {
    /// A line.
    enum Line {
        /// A tag that is known, and where its value stands, behind the colon.
        case tag(HLSTag, value: Range<Int>)
        /// An address.
        case address(Range<Int>)
    }

    let bytes: [UInt8]
    private var position: Int
    /// The line that was given last, from 1.
    private(set) var number = 0

    /// 64 KB: a key in a `data:` address is the longest in use.
    static let lengthLimit = 64 << 10
    /// 32 MB: 200 000 segments with addresses of 100 bytes are 24 MB.
    static let sizeLimit = 32 << 20

    /// The lines of a document. Throws for what is no playlist at all.
    init(_ bytes: [UInt8]) throws(StreamFault) {
        guard bytes.count <= Self.sizeLimit else { throw StreamFault(.tooLarge(limit: Self.sizeLimit)) }
        let bytes = Self.unified(bytes)
        self.bytes = bytes
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        position = bytes.starts(with: mark) ? 3 : 0
        guard let first = bytes[position...].firstIndex(where: { $0 > 0x20 }) else { throw StreamFault(.empty) }
        guard bytes[first...].starts(with: Array("#EXTM3U".utf8)) else {
            throw StreamFault(bytes[first] == UInt8(ascii: "<") ? .webPage : .notAPlaylist)
        }
    }

    /// The next line; nil at the end. Throws `.tooLong`.
    mutating func next() throws(StreamFault) -> Line? {
        let count = bytes.count
        while position < count {
            var start = position, end = lineEnd(from: position)
            position = end + 1
            number += 1
            guard end - start <= Self.lengthLimit else { throw StreamFault(.tooLong, line: number) }
            while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
            while start < end, bytes[start] <= 0x20 { start += 1 }
            if start == end { continue }
            guard bytes[start] == UInt8(ascii: "#") else { return .address(start..<end) }
            // "#EXT"; whatever else begins so is a comment.
            guard end - start > 4, bytes[start + 1] == 0x45, bytes[start + 2] == 0x58, bytes[start + 3] == 0x54 else { continue }
            var colon = start + 4
            while colon < end, bytes[colon] != UInt8(ascii: ":") { colon += 1 }
            if let tag = HLSTag(bytes, (start + 1)..<colon) { return .tag(tag, value: min(colon + 1, end)..<end) }
        }
        return nil
    }

    /// Lines that end as those of old systems do, with a return alone, as all others end. A line feed stands in the first lines, or nowhere.
    private static func unified(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.prefix(lengthLimit).contains(0x0D), !bytes.prefix(lengthLimit).contains(0x0A) else { return bytes }
        return bytes.map { $0 == 0x0D ? 0x0A : $0 }
    }

    private func lineEnd(from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
                return bytes.count
            }
            return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
        }
    }

    /// Whether the same bytes stand at both places.
    func areSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count
            && bytes.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return true }
                return memcmp(base + one.lowerBound, base + other.lowerBound, one.count) == 0
            }
    }

    /// Whether the last line ends with a line break.
    var isEnded: Bool { bytes.last == 0x0A || bytes.last == 0x0D }
}
