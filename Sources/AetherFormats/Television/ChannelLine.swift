/// The words of a `#EXTM3U` or `#EXTINF` line: `-1 tvg-id="a" group-title="News, World",Name, with a comma`. Pure; never traps.
struct ChannelLine {
    /// A word and its value as places in the bytes.
    struct Attribute {
        let key, value: Range<Int>
    }

    /// The number behind `#EXTINF:`; empty on other lines.
    private(set) var duration = 0..<0
    private(set) var attributes: [Attribute] = []
    /// The text behind the comma that ends the attributes; empty where there is none.
    private(set) var name = 0..<0

    /// 64 words: four times as many as any list was seen to have.
    private static let attributeLimit = 64
    private static let quote = UInt8(ascii: "\""), single = UInt8(ascii: "'"), comma = UInt8(ascii: ","),
        equals = UInt8(ascii: "=")

    /// Reads the part of a line behind its tag.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, hasDuration: Bool) {
        var place = line.lowerBound
        if hasDuration {
            while place < line.upperBound, !Self.isSpace(bytes[place]), bytes[place] != Self.comma { place += 1 }
            duration = line.lowerBound..<place
        }
        while place < line.upperBound {
            let byte = bytes[place]
            if byte == Self.comma {
                name = place + 1..<line.upperBound
                return
            }
            if Self.isSpace(byte) {
                place += 1
                continue
            }
            let start = place
            while place < line.upperBound, bytes[place] != Self.equals, bytes[place] != Self.comma, !Self.isSpace(bytes[place]) {
                place += 1
            }
            guard place < line.upperBound, bytes[place] == Self.equals else { continue }
            let key = start..<place
            place += 1
            let value = Self.value(bytes, &place, line.upperBound)
            if attributes.count < Self.attributeLimit { attributes.append(Attribute(key: key, value: value)) }
        }
    }

    /// A value in quotes, which ends at the quote that a space, a comma or the end of the line follows: some lists have quotes inside. One
    /// without quotes ends at a space or a comma.
    private static func value(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int, _ end: Int) -> Range<Int> {
        guard place < end, bytes[place] == quote || bytes[place] == single else {
            let start = place
            while place < end, !isSpace(bytes[place]), bytes[place] != comma { place += 1 }
            return start..<place
        }
        let mark = bytes[place], start = place + 1
        var scan = start, first: Int?
        while scan < end {
            if bytes[scan] == mark {
                first = first ?? scan
                if scan + 1 == end || isSpace(bytes[scan + 1]) || bytes[scan + 1] == comma { break }
                // The next word begins without a space between.
                if beginsWord(bytes, scan + 1, end) { break }
            }
            scan += 1
        }
        // A quote that is never closed ends at the comma before the name.
        let stop = scan < end ? scan : first ?? (bytes[start..<end].lastIndex(of: comma) ?? end)
        place = min(end, stop < end && bytes[stop] == mark ? stop + 1 : stop)
        return start..<max(start, stop)
    }

    /// Whether `word=` stands there.
    private static func beginsWord(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var place = start
        while place < end, (0x61...0x7A).contains(bytes[place] | 0x20) || bytes[place] == UInt8(ascii: "-") { place += 1 }
        return place > start && place < end && bytes[place] == equals
    }

    /// The value of a word, whatever its case; nil where it is not there.
    func value(_ key: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        attributes.first { Self.isEqual(bytes, $0.key, key) }?.value
    }

    /// Whether bytes are these ASCII letters, in whatever case.
    static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
        range.count == word.utf8CodeUnitCount && hasPrefix(bytes, range, word)
    }

    /// Whether bytes begin with these ASCII letters, in whatever case.
    static func hasPrefix(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count >= word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for offset in word.indices where lower(bytes[range.lowerBound + offset]) != lower(word[offset]) { return false }
            return true
        }
    }

    static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Without spaces at both ends.
    static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var low = range.lowerBound, high = range.upperBound
        while low < high, isSpace(bytes[low]) { low += 1 }
        while high > low, isSpace(bytes[high - 1]) { high -= 1 }
        return low..<high
    }
}
