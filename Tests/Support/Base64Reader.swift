/// RFC 4648, strictly.
public enum Base64Reader {
    /// The bytes; nil when a letter is none, or the padding is wrong.
    public static func read(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0, count = 0, padding = 0
        for letter in text {
            let value: UInt8
            switch letter {
            case 0x41...0x5A: value = letter - 0x41
            case 0x61...0x7A: value = letter - 0x61 + 26
            case 0x30...0x39: value = letter - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            case 0x3D:
                padding += 1
                value = 0
            default: return nil
            }
            if padding > 2 || padding > 0 && letter != 0x3D { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                for shift: UInt32 in [16, 8, 0] { result.append(UInt8(truncatingIfNeeded: bits >> shift)) }
                bits = 0
            }
        }
        return result.dropLast(padding)
    }
}
