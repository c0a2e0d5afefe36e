import CHarfBuzz

/// Letters and their marks by Unicode's canonical equivalence: "é" is one scalar or two. Pure, of any thread.
///
/// By HarfBuzz, which libass needs anyway: the standard library keeps its own tables to itself, and those of Foundation bring ICU's 34 MB.
public enum CanonicalText {
    /// Marks apart from their letters, in canonical order (normalization form D).
    public static func decomposed(_ text: String) -> String {
        var parts: [Unicode.Scalar] = []
        parts.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII { parts.append(scalar) } else { takeApart(scalar, into: &parts) }
        }
        order(&parts)
        var result = String.UnicodeScalarView()
        result.append(contentsOf: parts)
        return String(result)
    }

    /// Marks joined to their letters where Unicode has a scalar for both (normalization form C).
    public static func composed(_ text: String) -> String {
        let tables = hb_unicode_funcs_get_default()
        var result: [Unicode.Scalar] = []
        // The letter that marks may still be joined to, and the class of the mark before: one of the same class stands in the way.
        var letter: Int?
        var last: UInt8 = 0
        for scalar in decomposed(text).unicodeScalars {
            let kind = markClass(scalar)
            if let letter, last < kind || last == 0 && letter == result.count - 1 {
                var whole: hb_codepoint_t = 0
                if hb_unicode_compose(tables, result[letter].value, scalar.value, &whole) != 0, let whole = Unicode.Scalar(whole)
                {
                    result[letter] = whole
                    continue
                }
            }
            if kind == 0 { letter = result.count }
            last = kind
            result.append(scalar)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: result)
        return String(text)
    }

    private static func takeApart(_ scalar: Unicode.Scalar, into parts: inout [Unicode.Scalar]) {
        var first: hb_codepoint_t = 0, second: hb_codepoint_t = 0
        guard hb_unicode_decompose(hb_unicode_funcs_get_default(), scalar.value, &first, &second) != 0,
            let letter = Unicode.Scalar(first), letter != scalar
        else {
            parts.append(scalar)
            return
        }
        takeApart(letter, into: &parts)
        if second != 0, let mark = Unicode.Scalar(second) { takeApart(mark, into: &parts) }
    }

    /// Marks of one letter by their classes; those of one class stay as they are.
    private static func order(_ scalars: inout [Unicode.Scalar]) {
        for index in scalars.indices.dropFirst() {
            let kind = markClass(scalars[index])
            var place = index
            while kind != 0, place > 0, markClass(scalars[place - 1]) > kind {
                scalars.swapAt(place, place - 1)
                place -= 1
            }
        }
    }

    /// 0 for what is no mark.
    static func markClass(_ scalar: Unicode.Scalar) -> UInt8 {
        scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
    }
}
