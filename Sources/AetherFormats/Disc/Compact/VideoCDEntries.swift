import AetherCore

/// The tables of a Video CD or Super Video CD: INFO.VCD and ENTRIES.VCD, or INFO.SVD and ENTRIES.SVD. Pure.
public struct VideoCDEntries: Sendable, Equatable {
    /// A point that a person can go to.
    public struct Entry: Sendable, Equatable {
        /// The disc's number of the track.
        public let track: Int
        /// The sector of the disc, behind the two seconds before the first.
        public let sector: Int
    }
    /// The points in the order of the disc.
    public let entries: [Entry]
    /// Sectors of the disc that the tables lie in.
    public static let infoSector = 150, entriesSector = 151
    /// 500 by the standard.
    private static let limit = 500

    /// Reads the table of entries; nil where the bytes are something else. Entries that cannot be are left out.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 12, ["ENTRYVCD", "ENTRYSVD"].contains(where: { bytes.starts(with: $0.utf8) }) else { return nil }
        let count = min(Self.limit, Int(bytes[10]) << 8 | Int(bytes[11]), (bytes.count - 12) / 4)
        entries = (0..<count).compactMap { index in
            let digits = bytes[(12 + index * 4)..<(16 + index * 4)].map(Self.number)
            guard let track = digits[0], let minute = digits[1], let second = digits[2], let frame = digits[3], 1...99 ~= track,
                second < 60, frame < 75
            else { return nil }
            let sector = (minute * 60 + second) * 75 + frame - 150
            return sector >= 0 ? Entry(track: track, sector: sector) : nil
        }
    }

    /// The kind of disc and its name by the table of information; nil where the bytes are something else.
    public static func info(_ bytes: [UInt8]) -> (kind: DiscKind, album: String)? {
        let kind: DiscKind
        if bytes.starts(with: "VIDEO_CD".utf8) {
            kind = .video
        } else if bytes.starts(with: "SUPERVCD".utf8) || bytes.starts(with: "HQ-VCD".utf8) {
            kind = .superVideo
        } else {
            return nil
        }
        guard bytes.count >= 26 else { return (kind, "") }
        return (kind, DisplayText.singleLine(String(decoding: bytes[10..<26].prefix { $0 != 0 }, as: UTF8.self), limit: 16))
    }

    /// Two decimal digits in a byte.
    private static func number(_ byte: UInt8) -> Int? {
        byte & 15 < 10 && byte >> 4 < 10 ? Int(byte >> 4) * 10 + Int(byte & 15) : nil
    }
}
