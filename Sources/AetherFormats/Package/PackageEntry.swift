import AetherCore

/// A finished file of a package, as a line of its journal. A written entry can be read again; all of it is checked when it is read.
public struct PackageEntry: Sendable, Equatable {
    /// The kinds of file.
    public enum Kind: String, Sendable {
        case segment
        /// An init section.
        case map
        /// The first bytes of a file that is fetched piece by piece.
        case piece
        /// A segment that no server has: there is no file.
        case gap
    }

    /// The kind.
    public var kind: Kind
    /// The number of the rendition's folder, from 1.
    public var rendition: Int
    /// Its number in the rendition; for pieces, the offset of the first byte.
    public var number: Int64
    /// Its place on the axis and its length, in nanoseconds.
    public var start: Int64 = 0, duration: Int64 = 0
    /// The name in the folder; "" for a gap.
    public var file = ""
    /// The size in bytes.
    public var size: Int64 = 0
    /// CRC-32 of the bytes.
    public var checksum: UInt32 = 0
    /// The server's tag for this version of the file; nil where the server sends none.
    public var tag: String?
    /// The stretch of one clock that it belongs to.
    public var continuity: Int64 = 0
    /// The number of the init section before it; nil for none.
    public var map: Int64?
    /// The moment of its first frame in milliseconds since 1970; nil where it is unknown.
    public var clock: Int64?
    /// The key that it is still encrypted with; nil for none.
    public var key: Key?

    /// A key by the name of its file, and how it is used.
    public struct Key: Sendable, Equatable {
        /// The number of its file in the package, from 1.
        public var number: Int
        /// The name of a `SegmentCipher`, "SAMPLE-AES" or "SAMPLE-AES-CTR".
        public var method: String
        /// 16 bytes; nil where the media says it.
        public var vector: [UInt8]?

        /// A key.
        public init(number: Int, method: String, vector: [UInt8]?) {
            (self.number, self.method, self.vector) = (number, method, vector)
        }
    }

    /// An entry.
    public init(_ kind: Kind, rendition: Int, number: Int64) {
        (self.kind, self.rendition, self.number) = (kind, rendition, number)
    }

    /// Behind its last frame, in nanoseconds.
    public var end: Int64 { start.addingReportingOverflow(duration).partialValue }
}

extension PackageEntry {
    /// The entry as a line of JSON, with its line break.
    public var line: String {
        var members: [JSON.Members.Member] = [
            ("kind", .string(kind.rawValue)), ("rendition", .integer(Int64(rendition))), ("number", .string("\(number)")),
        ]
        if kind == .segment || kind == .gap {
            members += [
                ("start", .string("\(start)")), ("duration", .string("\(duration)")), ("continuity", .string("\(continuity)")),
            ]
        }
        if kind != .gap {
            members += [
                ("file", .string(file)), ("size", .integer(size)), ("crc32", .string(String(checksum, radix: 16))),
            ]
        }
        if let tag { members.append(("etag", .string(tag))) }
        if let map { members.append(("map", .string("\(map)"))) }
        if let clock { members.append(("clock", .integer(clock))) }
        if let key {
            members += [("key", .integer(Int64(key.number))), ("method", .string(key.method))]
            if let vector = key.vector { members.append(("iv", .string(Self.hexadecimal(vector)))) }
        }
        return JSON.object(JSON.Members(members)).line + "\n"
    }

    /// An entry that was written; nil for what is none.
    init?(_ json: JSON) {
        guard let kind = json["kind"]?.text.flatMap({ Kind(rawValue: $0) }), let rendition = json["rendition"]?.integer,
            (1...PackageJournal.renditionLimit).contains(rendition), let number = Self.whole(json["number"])
        else { return nil }
        self.init(kind, rendition: rendition, number: number)
        if kind == .segment || kind == .gap {
            guard let start = Self.whole(json["start"]), let duration = Self.whole(json["duration"]), duration >= 0,
                !start.addingReportingOverflow(duration).overflow, let continuity = Self.whole(json["continuity"])
            else { return nil }
            (self.start, self.duration, self.continuity) = (start, duration, continuity)
        }
        if kind != .gap {
            guard let file = json["file"]?.text, PackageName.isFile(file), let size = json["size"]?.integer, size >= 0,
                let checksum = json["crc32"]?.text.flatMap({ UInt32($0, radix: 16) })
            else { return nil }
            (self.file, self.size, self.checksum) = (file, Int64(size), checksum)
        }
        tag = json["etag"]?.text.map { String($0.prefix(256)) }
        map = Self.whole(json["map"])
        clock = json["clock"]?.integer.map { Int64($0) }
        if let number = json["key"]?.integer {
            guard (1...PackageJournal.keyLimit).contains(number), let method = json["method"]?.text,
                SegmentCipher(rawValue: method) != nil || ["SAMPLE-AES", "SAMPLE-AES-CTR"].contains(method)
            else { return nil }
            key = Key(number: number, method: method, vector: json["iv"]?.text.flatMap { Self.vector($0) })
        }
    }

    /// Written as a text: JSON's numbers are exact to 2^53 only.
    private static func whole(_ json: JSON?) -> Int64? { json?.text.flatMap { Int64($0) } }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func vector(_ text: String) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == 32, text.utf8.count == 32 else { return nil }
        return (0..<16).map { UInt8(digits[2 * $0] * 16 + digits[2 * $0 + 1]) }
    }
}
