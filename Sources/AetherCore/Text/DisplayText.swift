/// Text from strangers (titles, tags, subtitles, file names, error texts) made safe to show.
///
/// Removed: C0 and C1 controls, DEL, Unicode format characters that change the direction of
/// text around them (U+202A–202E, U+2066–2069), line and paragraph separators, and noncharacters. So nothing that reaches a
/// terminal can be an escape sequence or leave the cell it belongs to.
public enum DisplayText {
    /// One line: line breaks and tabs become single spaces, ends are trimmed, at most `limit` characters (an ellipsis marks a cut).
    public static func singleLine(_ text: String, limit: Int = 500) -> String {
        if isPlain(text, limit: limit) { return text }
        var result = String.UnicodeScalarView()
        var count = 0
        var pendingSpace = false
        for scalar in text.unicodeScalars {
            if isSpace(scalar) || isLineBreak(scalar) {
                pendingSpace = !result.isEmpty
                continue
            }
            let scalar = PathText.isStrayByte(scalar) ? "\u{FFFD}" : scalar
            if isUnsafe(scalar) { continue }
            if count + (pendingSpace ? 1 : 0) >= limit {
                result.append("…")
                break
            }
            if pendingSpace {
                result.append(" ")
                count += 1
                pendingSpace = false
            }
            result.append(scalar)
            count += 1
        }
        return String(result)
    }

    /// Safe as it is: ASCII that prints, without spaces to be taken away. Most file names are, and ten thousand of them are listed at once.
    private static func isPlain(_ text: String, limit: Int) -> Bool {
        guard text.utf8.count <= limit else { return false }
        var last = UInt8(ascii: " ")
        for byte in text.utf8 {
            guard (0x20...0x7E).contains(byte), byte != 0x20 || last != 0x20 else { return false }
            last = byte
        }
        return last != 0x20 || text.isEmpty
    }

    /// Several lines, each made safe; at most `lineLimit` lines of at most `limit` characters.
    public static func lines(_ text: String, limit: Int = 500, lineLimit: Int = 16) -> [String] {
        var lines: [String] = []
        for line in text.unicodeScalars.split(
            maxSplits: lineLimit * 4, omittingEmptySubsequences: false, whereSeparator: isLineBreak)
        {
            let safe = singleLine(String(line), limit: limit)
            if !safe.isEmpty { lines.append(safe) }
            if lines.count == lineLimit { break }
        }
        return lines
    }

    /// A text of our own with strangers' words in it, on its way to a terminal: as it is, with its line breaks, tabs and spaces, but
    /// without what must never get there.
    public static func printable(_ text: String) -> String {
        let isSafe = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !isUnsafe($0) && !PathText.isStrayByte($0) }
        if isSafe { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if PathText.isStrayByte(scalar) {
                result.append("\u{FFFD}")
            } else if scalar == "\n" || scalar == "\t" || !isUnsafe(scalar) {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether a scalar must never reach a terminal.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029, 0x200E, 0x200F, 0x061C, 0xFEFF: true
        case 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar.value == 0xA0 }

    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
