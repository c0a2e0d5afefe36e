/// Texts of digital broadcasts (ETSI EN 300 468, annex A): a selector in front says which table the bytes are of. Pure; never traps.
enum BroadcastText {
    /// Parts of ISO 8859 from 0xA0 on; a space stands for what a part does not have.
    private static let parts: [Int: [Unicode.Scalar]] = [
        2: " Ą˘Ł¤ĽŚ§¨ŠŞŤŹ ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
        3: " Ħ˘£¤ Ĥ§¨İŞĞĴ  Ż°ħ²³´µĥ·¸ışğĵ½ żÀÁÂ ÄĊĈÇÈÉÊËÌÍÎÏ ÑÒÓÔĠÖ×ĜÙÚÛÜŬŜßàáâ äċĉçèéêëìíîï ñòóôġö÷ĝùúûüŭŝ˙",
        4: " ĄĸŖ¤ĨĻ§¨ŠĒĢŦ Ž¯°ą˛ŗ´ĩļˇ¸šēģŧŊžŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎĪĐŅŌĶÔÕÖ×ØŲÚÛÜŨŪßāáâãäåæįčéęëėíîīđņōķôõö÷øųúûüũū˙",
        9: " ¡¢£¤¥¦§¨©ª«¬ ®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ",
        10: " ĄĒĢĪĨĶ§ĻĐŠŦŽ ŪŊ°ąēģīĩķ·ļđšŧž―ūŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎÏÐŅŌÓÔÕÖŨØŲÚÛÜÝÞßāáâãäåæįčéęëėíîïðņōóôõöũøųúûüýþĸ",
        11: " กขฃคฅฆงจฉชซฌ ฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะัาำิีึืฺุู    ฿เแโใไๅๆ็่้๊๋์ํ๎๏๐๑๒๓๔๕๖๗๘๙๚๛    ",
        13: " ”¢£¤„¦§Ø©Ŗ«¬ ®Æ°±²³“µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž’",
        14: " Ḃḃ£ĊċḊ§Ẁ©ẂḋỲ ®ŸḞḟĠġṀṁ¶ṖẁṗẃṠỳẄẅṡÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏŴÑÒÓÔÕÖṪØÙÚÛÜÝŶßàáâãäåæçèéêëìíîïŵñòóôõöṫøùúûüýŷÿ",
        15: " ¡¢£€¥Š§š©ª«¬ ®¯°±²³Žµ¶·ž¹º»ŒœŸ¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
        16: " ĄąŁ€„Š§š©Ș«Ź źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ",
    ].mapValues { (text: String) in Array(text.unicodeScalars) }

    /// The longest text of a descriptor.
    private static let limit = 4096

    /// The text; what a table does not have is left out, and so are tables that are not known.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = bytes.prefix(limit)
        guard let first = bytes.first else { return "" }
        let rest = bytes.dropFirst()
        switch first {
        case 0x01...0x0B: return part(Int(first) + 4, rest)
        case 0x10:
            guard rest.count >= 2 else { return "" }
            return part(Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1]), rest.dropFirst(2))
        case 0x11: return wide(rest)
        case 0x15: return spaced(String(decoding: rest, as: UTF8.self).unicodeScalars)
        case 0x1F: return ""
        case 0x20...0xFF: return latin(bytes)
        default: return ""
        }
    }

    /// A part of ISO 8859 by its number.
    private static func part(_ number: Int, _ bytes: ArraySlice<UInt8>) -> String {
        let older: [Int: EBUText.Table] = [5: .cyrillic, 6: .arabic, 7: .greek, 8: .hebrew]
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            if let control = control(byte) {
                scalars.append(contentsOf: control.unicodeScalars)
            } else if byte < 0xA0 {
                continue
            } else if let table = older[number] {
                if let scalar = EBUText.scalar(byte, table) { scalars.append(scalar) }
            } else if number == 1 {
                scalars.append(Unicode.Scalar(byte))
            } else if let table = parts[number] {
                scalars.append(table[Int(byte) - 0xA0])
            }
        }
        return String(scalars)
    }

    /// ISO 6937 with the sign of the euro: accents are bytes before their letters.
    private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
        var scalars = String.UnicodeScalarView(), accent: Unicode.Scalar?
        for byte in bytes {
            if (0xC0...0xCF).contains(byte) {
                accent = EBUText.accents[Int(byte) - 0xC0]
                continue
            }
            if let control = control(byte) {
                scalars.append(contentsOf: control.unicodeScalars)
            } else if byte >= 0xA0, let scalar = byte == 0xA4 ? "\u{20AC}" : EBUText.scalar(byte, .latin) {
                scalars.append(scalar)
            } else {
                continue
            }
            if let mark = accent { scalars.append(mark) }
            accent = nil
        }
        return String(scalars)
    }

    /// ASCII as it is, ends of lines as spaces, marks of emphasis and other controls as nothing; nil for the letters of a table.
    private static func control(_ byte: UInt8) -> String? {
        switch byte {
        case 0x20..<0x7F: String(Unicode.Scalar(byte))
        case 0x8A: " "
        case 0x00..<0xA0: ""
        default: nil
        }
    }

    /// Two bytes a letter.
    private static func wide(_ bytes: ArraySlice<UInt8>) -> String {
        var units: [UInt16] = []
        for place in stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2) {
            units.append(UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]))
        }
        return spaced(String(decoding: units, as: UTF16.self).unicodeScalars)
    }

    /// The controls of the wide tables lie in a private area.
    private static func spaced(_ scalars: String.UnicodeScalarView) -> String {
        var result = String.UnicodeScalarView()
        for scalar in scalars {
            switch scalar.value {
            case 0xE08A, 0x8A: result.append(" ")
            case 0xE080...0xE09F, 0x80...0x9F: continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
