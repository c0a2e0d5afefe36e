/// The encodings that every reader of XML knows (XML 1.0, 4.3.3).
enum XMLEncoding {
    /// A document as UTF-8: one of UTF-16 by its byte order mark, or by the zero beside its first character, is converted; any other is as it was.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 4 else { return bytes }
        let isBig: Bool, start: Int
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF): (isBig, start) = (true, 2)
        case (0xFF, 0xFE): (isBig, start) = (false, 2)
        case (0x00, 0x3C): (isBig, start) = (true, 0)
        case (0x3C, 0x00): (isBig, start) = (false, 0)
        default: return bytes
        }
        let units = (0..<(bytes.count - start) / 2).lazy.map { number in
            let place = start + 2 * number
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
