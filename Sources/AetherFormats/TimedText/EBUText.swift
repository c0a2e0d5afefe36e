import AetherCore

/// The text field of EBU Tech 3264: characters of one of five tables, teletext's colours, italics, underlines and line ends.
enum EBUText {
    /// Character code tables, by their numbers.
    enum Table: Int {
        /// ISO 6937: accents are bytes before their letters.
        case latin
        /// ISO 8859-5, -6, -7 and -8.
        case cyrillic, arabic, greek, hebrew
    }

    /// The text with its looks; nil for none.
    static func body(_ bytes: [UInt8], _ table: Table, isTeletext: Bool) -> SubtitleCue.Body? {
        var lines = StyledLines()
        var color: SubtitleColor?, isItalic = false, isUnderlined = false
        var accent: Unicode.Scalar?
        for byte in bytes {
            let look = SubtitleTextRun("", color: color, isItalic: isItalic, isUnderlined: isUnderlined)
            switch byte {
            case 0x00...0x07:
                color = byte == 7 ? nil : colors[Int(byte)]
                lines.append(" ", look)
            // Boxes, double height and the like take a cell, as on the screen.
            case 0x08...0x1F: lines.append(" ", look)
            case 0x80: isItalic = true
            case 0x81: isItalic = false
            case 0x82: isUnderlined = true
            case 0x83: isUnderlined = false
            case 0x8A:
                lines.append("\n", look)
                // Each row of teletext begins white.
                if isTeletext { color = nil }
            case 0x84...0x9F: continue
            case 0xC0...0xCF where table == .latin: accent = accents[Int(byte) - 0xC0]
            default:
                guard let scalar = scalar(byte, table) else { continue }
                lines.append(scalar, look)
                if let mark = accent { lines.append(mark, look) }
                accent = nil
            }
        }
        return lines.body
    }

    private static let colors: [SubtitleColor] = [
        SubtitleColor(r: 0, g: 0, b: 0), SubtitleColor(r: 255, g: 0, b: 0), SubtitleColor(r: 0, g: 255, b: 0),
        SubtitleColor(r: 255, g: 255, b: 0), SubtitleColor(r: 0, g: 0, b: 255), SubtitleColor(r: 255, g: 0, b: 255),
        SubtitleColor(r: 0, g: 255, b: 255),
    ]

    static func scalar(_ byte: UInt8, _ table: Table) -> Unicode.Scalar? {
        if byte < 0x7F { return table == .latin && byte == 0x24 ? "¤" : Unicode.Scalar(byte) }
        if byte == 0xA0 { return " " }
        guard byte > 0xA0 else { return nil }
        let value = UInt32(byte)
        switch table {
        case .latin: return latin[byte]
        case .cyrillic:
            switch byte {
            case 0xAD: return nil
            case 0xF0: return "№"
            case 0xFD: return "§"
            default: return Unicode.Scalar(value + 0x0360)
            }
        case .arabic:
            let isLetter = byte == 0xAC || byte == 0xBB || byte == 0xBF || 0xC1...0xDA ~= byte || 0xE0...0xF2 ~= byte
            return isLetter ? Unicode.Scalar(value + 0x0560) : byte == 0xA4 ? "¤" : nil
        case .greek:
            if let sign = greekSigns[byte] { return sign }
            let isLetter = 0xB4...0xB6 ~= byte || 0xB8...0xBA ~= byte || byte == 0xBC || 0xBE...0xFE ~= byte && byte != 0xD2
            return isLetter ? Unicode.Scalar(value + 0x02D0) : nil
        case .hebrew:
            if 0xE0...0xFA ~= byte { return Unicode.Scalar(value + 0x04F0) }
            return byte == 0xAA ? "×" : byte == 0xBA ? "÷" : 0xA2...0xBE ~= byte ? Unicode.Scalar(value) : nil
        }
    }

    /// From 0xC0 on, as marks that follow their letter.
    static let accents: [Unicode.Scalar?] = [
        nil, "\u{300}", "\u{301}", "\u{302}", "\u{303}", "\u{304}", "\u{306}", "\u{307}", "\u{308}", nil, "\u{30A}", "\u{327}",
        nil, "\u{30B}",
        "\u{328}", "\u{30C}",
    ]

    private static let greekSigns: [UInt8: Unicode.Scalar] = [
        0xA1: "‘", 0xA2: "’", 0xA3: "£", 0xA6: "¦", 0xA7: "§", 0xA8: "¨", 0xA9: "©", 0xAB: "«", 0xAC: "¬", 0xAF: "―", 0xB0: "°",
        0xB1: "±",
        0xB2: "²", 0xB3: "³", 0xB7: "·", 0xBB: "»", 0xBD: "½",
    ]

    private static let latin: [UInt8: Unicode.Scalar] = {
        var table: [UInt8: Unicode.Scalar] = [:]
        func fill(_ first: UInt8, _ scalars: String) {
            for (offset, scalar) in scalars.unicodeScalars.enumerated() where scalar != " " {
                table[first + UInt8(offset)] = scalar
            }
        }
        fill(0xA1, "¡¢£$¥ §¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿")
        fill(0xD0, "―¹®©™♪¬¦    ⅛⅜⅝⅞ΩÆĐªĦ ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ")
        return table
    }()
}
