import Glibc

/// Makes UTF-8 of the bytes of a text file whose character set is not stated: by its byte order mark, by being UTF-8, by the pattern of
/// zeros that UTF-16 has, else by the guess at its letters, which blocks on the box of this process, where it has one.
public enum TextEncoding {
    /// The encoding of a text's bytes, by iconv's name. `language`: the language by the file, which helps where the text is short.
    public static func detect(_ bytes: [UInt8], language: String? = nil) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return "UTF-8" }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return "UTF-32LE" }
        if bytes.starts(with: [0xFF, 0xFE]) { return "UTF-16LE" }
        if bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16BE" }
        if let wide = zeros(in: bytes.prefix(4096)) { return wide }
        if isUTF8(bytes) { return hasJapaneseEscape(bytes) ? "ISO-2022-JP" : "UTF-8" }
        let tally = bytes.withUnsafeBufferPointer { SubtitleBytes.tally($0) }
        // UTF-8 that was hurt somewhere: in another character set few pairs of bytes look like it.
        if tally.letters > 4 * tally.broken { return "UTF-8" }
        return legacy(bytes, language: language)
    }

    /// The encoding of bytes that are known not to be Unicode.
    static func legacy(_ bytes: [UInt8], language: String?) -> String {
        let guess = guess(bytes.prefix(1 << 20))
        guard let language, let usual = usual(in: language), guess.map({ !usual.contains($0) }) ?? true else {
            return guess ?? "WINDOWS-1252"
        }
        // Of a few words uchardet names any; those of the language are tried first.
        return usual.first { isReadable(bytes, as: $0) } ?? guess ?? "WINDOWS-1252"
    }

    /// The text as UTF-8 without a byte order mark. What cannot be read becomes U+FFFD. `encoding` nil: found out.
    public static func utf8(_ bytes: [UInt8], encoding: String? = nil, language: String? = nil) -> [UInt8] {
        let name = encoding ?? detect(bytes, language: language)
        let result = name == "UTF-8" ? repaired(bytes) : converted(bytes, from: name) ?? latin1(bytes)
        return result.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(result.dropFirst(3)) : result
    }

    // MARK: - Finding out

    /// Western text in UTF-16 has a zero in every other byte.
    private static func zeros(in bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count >= 8 else { return nil }
        var even = 0, odd = 0
        for index in bytes.indices where bytes[index] == 0 { if index % 2 == 0 { even += 1 } else { odd += 1 } }
        let pairs = bytes.count / 2
        let high = stride(from: bytes.startIndex + 2, to: bytes.endIndex - 1, by: 4).count {
            bytes[$0] == 0 && bytes[$0 + 1] == 0 && (bytes[$0 - 2] != 0 || bytes[$0 - 1] != 0)
        }
        if high * 10 > bytes.count / 4 * 9 { return "UTF-32LE" }
        if let wide = breaks(in: bytes) { return wide }
        if odd * 10 > pairs * 4, even * 10 < pairs { return "UTF-16LE" }
        if even * 10 > pairs * 4, odd * 10 < pairs { return "UTF-16BE" }
        return nil
    }

    /// Chinese in UTF-16 has few zeros, but lines still end and times are in digits: half of those pairs is zero, always the same half.
    private static func breaks(in bytes: ArraySlice<UInt8>) -> String? {
        var low = 0, high = 0, lowBreaks = 0, highBreaks = 0
        for index in stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2) {
            let (first, second) = (bytes[index], bytes[index + 1])
            if second == 0, 0x09...0x7E ~= first { low += 1 }
            if first == 0, 0x09...0x7E ~= second { high += 1 }
            if second == 0, first == 0x0A || first == 0x0D { lowBreaks += 1 }
            if first == 0, second == 0x0A || second == 0x0D { highBreaks += 1 }
        }
        if lowBreaks >= 2, low >= 16, high * 8 < low { return "UTF-16LE" }
        if highBreaks >= 2, high >= 16, low * 8 < high { return "UTF-16BE" }
        return nil
    }

    /// ISO 2022 switches to two bytes a character by an escape, all in ASCII's range.
    private static func hasJapaneseEscape(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast(2).contains { bytes[$0] == 0x1B && bytes[$0 + 1] == 0x24 && [0x40, 0x42].contains(bytes[$0 + 2]) }
    }

    /// Of Central Europe's two, ISO's has letters where that of Windows has signs, which stand beside no letter.
    private static func isCentralEuropeOfISO(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.contains(where: { 0x80...0x9F ~= $0 }) else { return false }
        func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || 0x41...0x5A ~= byte || byte >= 0xC0 }
        let letters: Set<UInt8> = [0xA1, 0xA6, 0xA9, 0xAC, 0xB1, 0xB6]
        return zip(bytes, bytes.dropFirst()).contains { pair in
            letters.contains(pair.0) && isLetter(pair.1) || letters.contains(pair.1) && isLetter(pair.0)
        }
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    private static func guess(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let name = CharacterSetGuess.of(Array(bytes)) else { return nil }
        switch name {
        // The C1 controls of ISO 8859-1 are quotes and dashes in what Windows wrote, and files are from there.
        case "ISO-8859-1", "ISO-8859-15": return bytes.contains { 0x80...0x9F ~= $0 } ? "WINDOWS-1252" : name
        case "MAC-CENTRALEUROPE": return "MACCENTRALEUROPE"
        case "MAC-CYRILLIC": return "MAC-CYRILLIC"
        case "WINDOWS-1250": return isCentralEuropeOfISO(bytes) ? "ISO-8859-2" : name
        // The Ukrainian letters are frames in the Russian set, which no subtitle has.
        case "KOI8-R": return "KOI8-U"
        // iconv's own Shift-JIS lacks what Windows adds.
        case "SHIFT_JIS": return "CP932"
        default: return name
        }
    }

    // MARK: - Converting

    static func converted(_ bytes: [UInt8], from name: String) -> [UInt8]? {
        let converter = iconv_open("UTF-8", name)
        guard converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count * 2)
        var input = bytes
        var room = [UInt8](repeating: 0, count: 16 << 10)
        input.withUnsafeMutableBytes { raw in
            var next = raw.baseAddress?.assumingMemoryBound(to: CChar.self), left = raw.count
            while left > 0 {
                let status = room.withUnsafeMutableBytes { target in
                    var end = target.baseAddress?.assumingMemoryBound(to: CChar.self), free = target.count
                    let status = iconv(converter, &next, &left, &end, &free)
                    let code = errno
                    result.append(contentsOf: target.prefix(target.count - free))
                    return status == -1 ? code : 0
                }
                if status == 0 || status == E2BIG { continue }
                // Not a character: one byte is stepped over.
                result.append(contentsOf: [0xEF, 0xBF, 0xBD])
                if status == EINVAL || left == 0 { break }
                next = next.map { $0 + 1 }
                left -= 1
            }
        }
        // Letters that a mark may follow (Hebrew, Vietnamese) are held back until the end is said.
        room.withUnsafeMutableBytes { target in
            var end = target.baseAddress?.assumingMemoryBound(to: CChar.self), free = target.count
            _ = iconv(converter, nil, nil, &end, &free)
            result.append(contentsOf: target.prefix(target.count - free))
        }
        return result
    }

    private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        isUTF8(bytes) ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static func latin1(_ bytes: [UInt8]) -> [UInt8] {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return Array(String(text).utf8)
    }
}
