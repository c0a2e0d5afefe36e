/// Bytes as people look at them.
public enum HexDump {
    /// Two digits a byte, without spaces.
    public static func digits(_ bytes: some Sequence<UInt8>) -> String { FieldValue.hex(bytes) }

    /// Lines of `width` bytes: the offset, the digits, and the letters of ASCII.
    public static func lines(_ bytes: some Collection<UInt8>, at offset: Int64, width: Int = 16) -> [String] {
        let width = max(1, width)
        let all = Array(bytes)
        return stride(from: 0, to: all.count, by: width).map { start in
            let row = all[start..<min(all.count, start + width)]
            let place = String(offset + Int64(start), radix: 16)
            var line = String(repeating: "0", count: max(0, 8 - place.count)) + place + " "
            for index in 0..<width {
                if index == 8 { line += " " }
                line += index < row.count ? " " + FieldValue.hex([row[row.startIndex + index]]) : "   "
            }
            return line + "  "
                + String(String.UnicodeScalarView(row.map { (0x20...0x7E).contains($0) ? Unicode.Scalar($0) : "." }))
        }
    }
}
