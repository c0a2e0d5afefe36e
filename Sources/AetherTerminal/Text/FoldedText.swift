/// Text as it is searched: without case, accents and widths. Pure, of any thread.
public enum FoldedText {
    /// Two texts that a person takes for the same one when typing have the same folded text: "Élan" and "elan", "STRASSE" and "Straße".
    public static func of(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x41...0x5A: bytes.append(UInt8(scalar.value) + 0x20)
            case 0..<0x80: bytes.append(UInt8(scalar.value))
            case 0x80..<0x590: bytes += table[Int(scalar.value) - 0x80]
            // Dashes, quotation marks and dots.
            case 0x2010..<0x2060: bytes += UTF8.encode(scalar).map(Array.init) ?? []
            // Marks may have to be brought into their order.
            default: return folded(text)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Latin, Greek and Cyrillic letters, folded, from U+0080 on: a list of subtitles has a hundred thousand of them.
    private static let table = (UInt32(0x80)..<0x590).map { value in
        Unicode.Scalar(value).map { Array(folded(String(Character($0))).utf8) } ?? []
    }

    private static func folded(_ text: String) -> String {
        var wide = String.UnicodeScalarView(), letters = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { wide.append(FoldedText.wide(scalar)) }
        for scalar in CanonicalText.decomposed(String(wide)).unicodeScalars where !isAccent(scalar) { letters.append(scalar) }
        // By way of capitals: ß becomes ss, and a sigma at a word's end one inside. They come from small letters: ẞ is its own capital.
        return String(letters).lowercased().uppercased().lowercased()
    }

    /// The marks above, below or through a letter. Marks of other classes make another letter: the voicing of kana, vowels of Hebrew
    /// and Arabic, tones of Thai.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        let kind = CanonicalText.markClass(scalar)
        return kind == 1 || kind >= 200
    }

    /// A scalar of the width that is usual for it.
    private static func wide(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0xFF61...0xFF9F: katakana[Int(scalar.value - 0xFF61)]
        case 0x3000: " "
        default: scalar
        }
    }

    /// U+FF61 to U+FF9F in full width, the two marks as combining ones.
    private static let katakana = Array(
        "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
            .unicodeScalars)
}
