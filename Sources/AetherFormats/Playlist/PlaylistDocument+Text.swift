/// The letters of a list.
extension PlaylistDocument {
    /// UTF-8 with or without a mark, UTF-16, else Latin-1: every byte is the scalar of its number.
    static func text(_ bytes: [UInt8]) -> String {
        if let text = utf16(bytes) { return text }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if let text = String(validating: body, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        for byte in body { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }

    /// Ends of lines are found among the bytes: character by character a list of 100 000 entries takes ten times as long.
    static func lines(_ text: String) -> [Substring] {
        text.utf8.split { $0 == 0x0A || $0 == 0x0D }.map { Substring($0) }
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" || character == "\r" }
        let front = text.drop(while: isSpace)
        guard let last = front.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(front[...last])
    }

    /// Neither UTF-8 nor UTF-16.
    static func isLatin1(_ bytes: [UInt8]) -> Bool { utf16(bytes) == nil && String(validating: bytes, as: UTF8.self) == nil }

    /// Text of UTF-16 by its byte order mark, or by the zero beside its first letter; nil for any other.
    private static func utf16(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 2 else { return nil }
        let isBig: Bool, start: Int
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF): (isBig, start) = (true, 2)
        case (0xFF, 0xFE): (isBig, start) = (false, 2)
        case (0, 1...0x7F): (isBig, start) = (true, 0)
        case (1...0x7F, 0): (isBig, start) = (false, 0)
        default: return nil
        }
        let units = stride(from: start, to: bytes.count - 1, by: 2).lazy.map { place in
            let first = UInt16(bytes[place]), second = UInt16(bytes[place + 1])
            return isBig ? first << 8 | second : second << 8 | first
        }
        return String(decoding: Array(units), as: UTF16.self)
    }
}
