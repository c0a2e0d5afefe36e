import AetherCore

/// A subtitle file of EBU Tech 3264 (`.stl`): a block of 1024 bytes about the program, then blocks of 128 bytes, of which one or more make
/// a subtitle. Bounded: blocks, characters; a file that breaks off gives the subtitles before the break.
public struct EBUDocument: Sendable, Equatable {
    /// The cues in the file's order.
    public let cues: [TimedTextCue]
    /// ISO 639-2/B; nil where the file's code is not in the list.
    public let language: String?

    /// More subtitles than a day of talking has.
    private static let blockLimit = 100_000
    private static let headerSize = 1024, blockSize = 128

    /// Reads a file; nil for bytes of another format.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize, let header = Header(bytes[..<Self.headerSize]) else { return nil }
        var cues: [TimedTextCue] = [], pending = Pending()
        var start = Self.headerSize
        while start + Self.blockSize <= bytes.count, start / Self.blockSize < Self.blockLimit {
            let block = Block(bytes[start..<start + Self.blockSize])
            start += Self.blockSize
            if let cue = pending.take(block, header) { cues.append(cue) }
        }
        self.cues = cues
        language = Self.languages[header.language]
    }

    // MARK: - Blocks

    private struct Header {
        let framesPerSecond: Int64
        let isTeletext: Bool
        let table: EBUText.Table
        let language: UInt8
        /// The time code at which the program starts.
        let origin: Int64
        let rows: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            let bytes = Array(bytes)
            func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
            func number(_ range: Range<Int>) -> Int? { Int(text(range).filter { $0 != " " }) }
            guard text(3..<6) == "STL", text(8..<11) == ".01", let rate = number(6..<8), (1...60).contains(rate) else {
                return nil
            }
            framesPerSecond = Int64(rate)
            isTeletext = bytes[11] == 0x31 || bytes[11] == 0x32
            table = EBUText.Table(rawValue: number(12..<14) ?? 0) ?? .latin
            language = UInt8(text(14..<16), radix: 16) ?? 0
            let parts = [number(256..<258), number(258..<260), number(260..<262), number(262..<264)].map { Int64($0 ?? 0) }
            origin = Self.nanoseconds(parts, rate: Int64(rate))
            rows = min(max(2, isTeletext ? 23 : number(253..<255) ?? 23), 99)
        }

        func time(_ parts: ArraySlice<UInt8>) -> Int64 { Self.nanoseconds(parts.map { Int64($0) }, rate: framesPerSecond) }

        private static func nanoseconds(_ parts: [Int64], rate: Int64) -> Int64 {
            (parts[0] * 3600 + parts[1] * 60 + parts[2]) * 1_000_000_000 + parts[3] * 1_000_000_000 / rate
        }
    }

    private struct Block {
        let subtitle: UInt16
        /// 0xFF: the last of a subtitle; up to 0xEF one of several; else the maker's own.
        let extensionNumber: UInt8
        let times: ArraySlice<UInt8>
        let row, justification: Int
        let isComment: Bool
        let text: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) {
            let first = bytes.startIndex
            subtitle = UInt16(bytes[first + 1]) | UInt16(bytes[first + 2]) << 8
            extensionNumber = bytes[first + 3]
            times = bytes[(first + 5)..<(first + 13)]
            (row, justification) = (Int(bytes[first + 13]), Int(bytes[first + 14]))
            isComment = bytes[first + 15] == 1
            text = bytes[(first + 16)...]
        }
    }

    /// A subtitle whose last block has not come yet.
    private struct Pending {
        private var subtitle: UInt16?
        private var text: [UInt8] = []
        /// 240 blocks of 112 bytes are the most that a subtitle can have; no line needs 20.
        private static let textLimit = 20 * 112

        mutating func take(_ block: Block, _ header: Header) -> TimedTextCue? {
            guard !block.isComment, block.extensionNumber <= 0xEF || block.extensionNumber == 0xFF else { return nil }
            if subtitle != block.subtitle { (subtitle, text) = (block.subtitle, []) }
            if text.count < Self.textLimit { text += block.text }
            guard block.extensionNumber == 0xFF else { return nil }
            defer { (subtitle, text) = (nil, []) }
            let first = block.times.startIndex
            var start = header.time(block.times[first..<first + 4]), end = header.time(block.times[(first + 4)...])
            // A program begins at 10:00:00:00 on tape and at 0 in a file.
            if start >= header.origin { (start, end) = (start - header.origin, end - header.origin) }
            guard end > start, let body = EBUText.body(text, header.table, isTeletext: header.isTeletext) else { return nil }
            return TimedTextCue(
                start: MediaTime(nanoseconds: start), end: MediaTime(nanoseconds: end), body: body,
                placement: EBUDocument.placement(block, rows: header.rows))
        }
    }

    /// Rows of the lower half are where subtitles are anyway.
    private static func placement(_ block: Block, rows: Int) -> SubtitleTextPlacement? {
        let column = block.justification == 1 ? 1 : block.justification == 3 ? 3 : 2
        let isHigh = block.row > 0 && block.row * 5 < rows * 2
        let alignment = (isHigh ? 6 : 0) + column
        return alignment == 2 ? nil : SubtitleTextPlacement(alignment: alignment)
    }

    /// EBU Tech 3264, appendix 3: the languages of Europe.
    private static let languages: [UInt8: String] = [
        0x01: "alb", 0x02: "bre", 0x03: "cat", 0x04: "hrv", 0x05: "wel", 0x06: "cze", 0x07: "dan", 0x08: "ger", 0x09: "eng",
        0x0A: "spa",
        0x0B: "epo", 0x0C: "est", 0x0D: "baq", 0x0E: "fao", 0x0F: "fre", 0x10: "fry", 0x11: "gle", 0x12: "gla", 0x13: "glg",
        0x14: "ice",
        0x15: "ita", 0x16: "sme", 0x17: "lat", 0x18: "lav", 0x19: "ltz", 0x1A: "lit", 0x1B: "hun", 0x1C: "mlt", 0x1D: "dut",
        0x1E: "nor",
        0x1F: "oci", 0x20: "pol", 0x21: "por", 0x22: "rum", 0x23: "roh", 0x24: "srp", 0x25: "slo", 0x26: "slv", 0x27: "fin",
        0x28: "swe",
        0x29: "tur", 0x2A: "dut", 0x2B: "wln",
    ]
}
