/// The colours of a DVD's subtitles as a decoder wants them. Pure.
public enum DiscPalette {
    /// The header of a decoder: the size of the frame and sixteen colours in hexadecimal digits.
    public static func header(_ palette: [UInt32], width: Int, height: Int) -> [UInt8] {
        let colours = palette.prefix(16).map { colour -> String in
            let digits = String(rgb(colour), radix: 16)
            return String(repeating: "0", count: 6 - digits.count) + digits
        }
        return Array("size: \(width)x\(height)\npalette: \(colours.joined(separator: ", "))\n".utf8)
    }

    /// A colour 0x00YYCrCb of ITU-R BT.601 in its narrow range as 0x00RRGGBB.
    public static func rgb(_ colour: UInt32) -> UInt32 {
        let y = 1.164383 * (Double(colour >> 16 & 0xFF) - 16)
        let red = Double(colour >> 8 & 0xFF) - 128, blue = Double(colour & 0xFF) - 128
        func level(_ value: Double) -> UInt32 { UInt32(min(max(value.rounded(), 0), 255)) }
        return level(y + 1.596027 * red) << 16 | level(y - 0.391762 * blue - 0.812968 * red) << 8 | level(y + 2.017232 * blue)
    }
}
