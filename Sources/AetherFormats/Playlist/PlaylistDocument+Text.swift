/// The letters of a list.
extension PlaylistDocument {
    /// The text of UTF-8 with or without a mark, of UTF-16, or else of the letters that it is likely to be in, which are told then.
    static func text(_ bytes: [UInt8]) -> (text: String, letters: ListLetters?) {
        if let text = utf16(bytes) { return (text, nil) }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if let text = String(validating: body, as: UTF8.self) { return (text, nil) }
        let letters = ListLetters(body)
        return (letters.text(body), letters)
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

    /// Text of UTF-16 by its byte order mark, or by the zero beside its first letter; nil for any other.
    static func utf16(_ bytes: [UInt8]) -> String? {
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
