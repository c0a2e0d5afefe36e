/// The columns of a Unicode scalar in a terminal.
///
/// Our own table and not `wcwidth`, which depends on the process's locale and knows nothing in "C".
public enum ScalarWidth {
    /// 0 for combining marks, joiners and selectors, 2 for East Asian wide and emoji, else 1. Controls count as 0.
    public static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) ? 0 : 1 }
        if isZero(scalar) { return 0 }
        return value >= 0x1100 && isWide(scalar) ? 2 : 1
    }

    /// Blocks of East Asian wide and full-width scalars, first and last, ascending.
    private static let wide: [(first: UInt32, last: UInt32)] = [
        (0x1100, 0x115F), (0x2329, 0x232A), (0x2E80, 0x303E), (0x3041, 0x3247), (0x3250, 0x4DBF), (0x4E00, 0xA4CF),
        (0xA960, 0xA97F), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE10, 0xFE19), (0xFE30, 0xFE6F), (0xFF01, 0xFF60),
        (0xFFE0, 0xFFE6), (0x16FE0, 0x18D08), (0x1AFF0, 0x1B2FF), (0x1F200, 0x1F265), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD),
    ]

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        var low = 0, high = wide.count
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].last < scalar.value { low = middle + 1 } else { high = middle }
        }
        if low < wide.count, wide[low].first <= scalar.value { return true }
        // Regional indicators have the property but are narrow alone.
        return scalar.properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    private static func isZero(_ scalar: Unicode.Scalar) -> Bool {
        // Vowels and finals of Hangul syllables written in parts join the wide consonant before them.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return true
        default: return false
        }
    }
}
