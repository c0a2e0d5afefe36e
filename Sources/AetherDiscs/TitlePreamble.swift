import AetherFormats

/// A sector of a program stream that holds an empty packet of one stream, and padding.
enum TitlePreamble {
    /// `code`: the number of the stream within private stream 1.
    static func sector(code: Int) -> [UInt8] {
        // A clock of zero, the highest rate.
        var bytes: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xC3, 0xF8]
        bytes += [0, 0, 1, 0xBD, 0, 4, 0x80, 0, 0, UInt8(truncatingIfNeeded: code)]
        let rest = DiscSector.size - bytes.count - 6
        bytes += [0, 0, 1, 0xBE, UInt8(rest >> 8), UInt8(rest & 0xFF)]
        return bytes + [UInt8](repeating: 0xFF, count: rest)
    }
}
