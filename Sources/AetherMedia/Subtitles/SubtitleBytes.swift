import AetherCore

/// Makes the bytes of subtitle texts such that libavformat and libavcodec give all of them: the one stops reading a file at a zero and
/// cuts lines at 4095 bytes, within a letter too; the other throws away a text with one byte that is not UTF-8.
public enum SubtitleBytes {
    /// Longest line of a SubRip file that is given on, in bytes; ten times what a person can read.
    static let lineLimit = 4000

    /// Without control characters but line breaks and tabs, and in UTF-8: what is not becomes one U+FFFD in a row.
    public static func printable(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBufferPointer { printable($0) } ?? bytes }

    /// The printable bytes; nil where they are so already.
    static func printable(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard !isPrintable(bytes) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0, isBroken = false
        while index < bytes.count {
            let length = self.length(bytes, at: index)
            if length == 0 {
                if !isBroken { result.append(contentsOf: [0xEF, 0xBF, 0xBD]) }
            } else if !isControl(bytes[index]) {
                result.append(contentsOf: bytes[index..<index + length])
            }
            isBroken = length == 0
            index += max(1, length)
        }
        return result
    }

    /// A text of MP4: its length stands before it and places counted in letters behind it, so every byte keeps its place. nil where it is
    /// printable already, or in UTF-16.
    static func masked(movText bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.count > 2 else { return nil }
        let end = min(bytes.count, 2 + Int(bytes[0]) << 8 + Int(bytes[1]))
        let text = UnsafeBufferPointer(rebasing: bytes[2..<end])
        guard !text.starts(with: [0xFE, 0xFF]), !text.starts(with: [0xFF, 0xFE]), !isPrintable(text) else { return nil }
        var result = Array(bytes), index = 0
        while index < text.count {
            let length = self.length(text, at: index)
            if length == 0 { result[index + 2] = UInt8(ascii: "?") } else if isControl(text[index]) { result[index + 2] = 0x20 }
            index += max(1, length)
        }
        return result
    }

    /// The length of a text within `limit` bytes, without half a letter at the end.
    static func fitting(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int {
        guard bytes.count > limit else { return bytes.count }
        return (max(1, limit - 3)...limit).last { bytes[$0] & 0xC0 != 0x80 } ?? limit
    }

    /// A SubRip file with its endless lines cut, each between two letters. Other texts as they are: they may have all of it in one line.
    public static func withoutEndlessLines(_ text: [UInt8]) -> [UInt8] {
        guard text.split(separator: 0x0A, omittingEmptySubsequences: false).contains(where: { $0.count > lineLimit }),
            isSubRip(text)
        else { return text }
        return text.withUnsafeBufferPointer { text in
            var result: [UInt8] = [], start = 0
            while start < text.count {
                let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
                let line = UnsafeBufferPointer(rebasing: text[start..<end])
                result.append(contentsOf: line.prefix(fitting(line, limit: lineLimit)))
                if end < text.count { result.append(text[end]) }
                start = end + 1
            }
            return result
        }
    }

    /// A SubRip file whose cues have no numbers, with them: libavformat knows it by its first one, and takes a text of digits alone for one. Other
    /// texts as they are.
    public static func numbered(_ text: [UInt8]) -> [UInt8] {
        let first = lines(of: text).first { line in text[line].contains { (0x21...0x7E).contains($0) } }
        guard let first, isTimes(text[first]) else { return text }
        var result: [UInt8] = [], number = 0
        result.reserveCapacity(text.count + text.count / 8)
        for line in lines(of: text) {
            if isTimes(text[line]) {
                number += 1
                result.append(contentsOf: "\(number)\n".utf8)
            }
            result.append(contentsOf: text[line])
        }
        return result
    }

    /// Each with its line feed.
    private static func lines(of text: [UInt8]) -> some Sequence<Range<Int>> {
        sequence(state: 0) { (start: inout Int) -> Range<Int>? in
            guard start < text.count else { return nil }
            let end = text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
            defer { start = end }
            return start..<end
        }
    }

    /// Whether a line is that of a cue's times: "00:00:01,000 --> 00:00:02,500".
    private static func isTimes(_ line: ArraySlice<UInt8>) -> Bool {
        let head = line.drop { $0 <= 0x20 || $0 >= 0x80 }.prefix(64)
        guard let arrow = BytePattern(" --> ").first(in: head) else { return false }
        let (from, to) = (head.prefix(arrow), head.dropFirst(arrow + 5))
        return from.count >= 7 && from.allSatisfy { isDigit($0) || ":,. ".utf8.contains($0) } && to.first.map(isDigit) ?? false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// SubRip's arrow stands between times near the beginning; WebVTT has the same, and no limit.
    private static func isSubRip(_ text: [UInt8]) -> Bool {
        let head = text.prefix(64 << 10)
        guard !head.starts(with: Array("WEBVTT".utf8)) else { return false }
        return BytePattern(" --> ").first(in: head) != nil
    }

    /// Whether bytes can be a text: without zeros, or with few controls and in UTF-8.
    public static func isText(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.contains(0)
            || bytes.count(where: isControl) <= 1 + bytes.count / 16 && String(validating: bytes, as: UTF8.self) != nil
    }

    /// Letters of several bytes that are right, and bytes that belong to none.
    static func tally(_ bytes: UnsafeBufferPointer<UInt8>) -> (letters: Int, broken: Int) {
        var tally = (letters: 0, broken: 0), index = 0
        while index < bytes.count {
            let length = self.length(bytes, at: index)
            if length == 0 { tally.broken += 1 } else if length > 1 { tally.letters += 1 }
            index += max(1, length)
        }
        return tally
    }

    // MARK: - UTF-8

    private static func isPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if isControl(bytes[index]) { return false }
            let length = self.length(bytes, at: index)
            if length == 0 { return false }
            index += length
        }
        return true
    }

    /// Below the space but for tabs and line breaks, and DEL. C1 controls are letters here; no screen gets them.
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x09 || 0x0E...0x1F ~= byte || byte == 0x7F }

    /// Bytes of the letter at a place; 0 for none: continuations alone, overlong forms, surrogates, what ends too early, and U+FFFE, which
    /// libavcodec takes for broken.
    private static func length(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let first = bytes[index], left = bytes.count - index
        if first < 0x80 { return 1 }
        guard 0xC2...0xF4 ~= first else { return 0 }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard left >= length, (1..<length).allSatisfy({ bytes[index + $0] & 0xC0 == 0x80 }) else { return 0 }
        let second = bytes[index + 1]
        switch first {
        case 0xE0: return second >= 0xA0 ? length : 0
        case 0xED: return second <= 0x9F ? length : 0
        case 0xEF: return second == 0xBF && bytes[index + 2] == 0xBE ? 0 : length
        case 0xF0: return second >= 0x90 ? length : 0
        case 0xF4: return second <= 0x8F ? length : 0
        default: return length
        }
    }
}
