/// HTML's names of characters, of which WebVTT has all. Those of Latin-1 are known without their semicolon, too, as every browser reads them.
enum CharacterReference {
    /// U+00A0 to U+00FF, in order.
    private static let latin: [Substring] =
        """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil \
        sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute \
        Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc \
        atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide \
        oslash ugrave uacute ucirc uuml yacute thorn yuml
        """.split(separator: " ")
    private static let bare: [Substring: Unicode.Scalar] = {
        var names: [Substring: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "AMP": "&", "LT": "<", "GT": ">",
        ]
        for (offset, name) in latin.enumerated() { names[name] = Unicode.Scalar(UInt8(0xA0 + offset)) }
        return names
    }()
    /// The references that need their semicolon.
    private static let closed: [Substring: Unicode.Scalar] = [
        "apos": "'", "lrm": "\u{200E}", "rlm": "\u{200F}", "hellip": "…", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’",
        "ldquo": "“", "rdquo": "”", "sbquo": "‚", "bdquo": "„", "lsaquo": "‹", "rsaquo": "›", "bull": "•", "euro": "€",
        "trade": "™",
        "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}", "zwj": "\u{200D}", "zwnj": "\u{200C}", "oelig": "œ",
        "OElig": "Œ",
    ]
    /// The longest name of Latin-1.
    private static let bareLimit = 6
    private static let closedLimit = 12

    /// The character that a reference at the front of a text (behind its `&`) stands for, and the reference's length; nil for none.
    static func read(_ text: Substring.UnicodeScalarView) -> (scalar: Unicode.Scalar, length: Int)? {
        let head = text.prefix(closedLimit)
        if let end = head.firstIndex(of: ";") {
            let name = Substring(head[..<end]), length = head.distance(from: head.startIndex, to: end) + 1
            if let scalar = closed[name] ?? bare[name] ?? XMLScanner.entity(name) { return (scalar, length) }
        }
        if let number = number(head) { return number }
        let letters = head.prefix { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        for length in stride(from: min(bareLimit, letters.count), through: 2, by: -1) {
            if let scalar = bare[Substring(letters.prefix(length))] { return (scalar, length) }
        }
        return nil
    }

    /// `#8230` or `#x2026`, its semicolon left out.
    private static func number(_ head: Substring.UnicodeScalarView) -> (scalar: Unicode.Scalar, length: Int)? {
        guard head.first == "#" else { return nil }
        let isHex = head.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
        let digits = head.dropFirst(isHex ? 2 : 1).prefix { Character($0).isHexDigit && (isHex || Character($0).isWholeNumber) }
        guard let value = UInt32(Substring(digits), radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(value) else {
            return nil
        }
        let length = (isHex ? 2 : 1) + digits.count
        return (scalar, length + (head.dropFirst(length).first == ";" ? 1 : 0))
    }
}
