import AetherCore

/// The four letters of a kind, as people read them: bytes that are no ASCII that prints are escaped, `©` is kept.
enum BoxName {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
            case 0xA9: text += "©"
            default: text += "\\x" + FieldValue.hex([byte])
            }
        }
        return text
    }
}
