/// The memory that the regions of a DVB stream make libavcodec allocate: it makes room for 256 of any size, and a copy of each as often as the page
/// names it, before it looks whether there is a bitmap.
struct DVBRegions {
    /// Pixels by the region's number.
    private var areas: [UInt8: Int] = [:]
    /// The regions of the newest page, one for each time that they are named.
    private var shown: [UInt8] = []

    /// Four bitmaps of the largest size.
    static let pixelLimit = 4 * SubtitleBounds.pixelLimit

    /// Whether a packet stays within bounds; one that does not is not to be decoded and changes nothing here.
    mutating func admits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var next = self
        next.read(bytes)
        guard next.pixelCount <= Self.pixelLimit else { return false }
        self = next
        return true
    }

    /// The regions, or what the page shows of them, whichever is more.
    var pixelCount: Int { max(areas.values.reduce(0, +), shown.reduce(0) { $0 + (areas[$1] ?? 0) }) }

    /// Segments: 0x0F, a type, a page, a length (EN 300 743, 7.2).
    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        func word(_ index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
        var start = 0
        while start + 6 <= bytes.count, bytes[start] == 0x0F {
            let body = start + 6, end = min(bytes.count, body + word(start + 4))
            switch bytes[start + 1] {
            case 0x10: shown = stride(from: body + 2, to: end - 5, by: 6).map { bytes[$0] }
            case 0x11 where end - body >= 6: areas[bytes[body]] = word(body + 2) * word(body + 4)
            default: break
            }
            start = body + word(start + 4)
        }
    }
}

/// The largest size of subtitles.
enum SubtitleBounds {
    /// 4096×2176 is the largest bitmap of a disc: more pixels of a subtitle are not kept, a larger one is made smaller.
    static let pixelLimit = 4096 * 2176
    /// The pixels that libavcodec allocates where a PGS stream (two objects at once) asks for them: a byte each, 64 MB.
    static let decodedLimit = 8192 * 8192
}
