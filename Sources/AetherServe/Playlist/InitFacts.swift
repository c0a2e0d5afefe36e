import AetherFormats

/// The facts of a track that a playlist states. They are read out of its init section, so that they are true of the bytes that are served.
/// Pure; made for our own init sections, and bounded for any other.
struct InitFacts: Equatable {
    /// By RFC 6381: "avc1.640028".
    private(set) var codecs = ""
    /// Of Dolby Vision beside a base layer that others play, with its brand: "dvh1.08.06/db1p".
    private(set) var supplemental: String?
    /// SDR, PQ or HLG.
    private(set) var range = "SDR"

    init(_ bytes: [UInt8]) {
        var contents = bytes[...]
        for kind in ["moov", "trak", "mdia", "minf", "stbl", "stsd"] {
            guard let box = BoxReader(contents).first(where: { $0.kind == kind }) else { return }
            contents = box.body
        }
        guard let entry = BoxReader(contents.dropFirst(8)).first(where: { _ in true }) else { return }
        let isVideo = ["avc1", "hvc1", "hev1", "dvh1", "av01", "vp09"].contains(entry.kind)
        var boxes: [String: ArraySlice<UInt8>] = [:]
        for box in BoxReader(entry.body.dropFirst(isVideo ? 78 : 28)) where boxes.count < 64 {
            boxes[box.kind] = boxes[box.kind] ?? box.body
        }
        // A name that could not stand in a playlist is none.
        guard entry.kind.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x2C }) else { return }
        codecs = Self.name(entry.kind, boxes) ?? entry.kind
        if isVideo { readLight(entry.kind, boxes) }
    }

    private mutating func readLight(_ kind: String, _ boxes: [String: ArraySlice<UInt8>]) {
        if let colour = boxes["colr"].map({ Array($0) }), colour.count >= 8,
            colour.starts(with: "nclx".utf8) || colour.starts(with: "nclc".utf8)
        {
            range = colour[7] == 16 ? "PQ" : colour[7] == 18 ? "HLG" : "SDR"
        }
        guard let record = (boxes["dvcC"] ?? boxes["dvvC"]).map({ Array($0) }), record.count >= 5 else { return }
        let profile = record[2] >> 1, level = (record[2] & 1) << 5 | record[3] >> 3, compatibility = record[4] >> 4
        let name = "\(profile == 10 ? "dav1" : profile == 9 ? "dva1" : "dvh1").\(Self.two(profile)).\(Self.two(level))"
        if kind == "dvh1" || profile == 5 {
            (codecs, range) = (name, "PQ")
            return
        }
        guard let brand = [1: "db1p", 2: "db2g", 4: "db4h"][compatibility] else { return }
        supplemental = "\(name)/\(brand)"
        range = compatibility == 4 ? "HLG" : compatibility == 1 ? "PQ" : range
    }

    private static func name(_ kind: String, _ boxes: [String: ArraySlice<UInt8>]) -> String? {
        func body(_ kind: String, _ least: Int) -> [UInt8]? {
            boxes[kind].flatMap { $0.count >= least ? Array($0) : nil }
        }
        switch kind {
        case "avc1": return body("avcC", 4).map { "avc1." + $0[1...3].map { hex($0) }.joined() }
        case "hvc1", "hev1", "dvh1": return body("hvcC", 13).map { high(kind == "hev1" ? kind : "hvc1", $0) }
        case "av01":
            return body("av1C", 3).map { openMedia($0) }
        case "vp09": return body("vpcC", 7).map { "vp09." + [$0[4], $0[5], $0[6] >> 4].map { two($0) }.joined(separator: ".") }
        case "mp4a": return body("esds", 5).map { elementary($0) }
        default: return nil
        }
    }

    private static func openMedia(_ record: [UInt8]) -> String {
        let isDeep = record[2] & 0x40 != 0, isTwelve = record[2] & 0x20 != 0, isHigh = record[2] & 0x80 != 0
        let depth: UInt8 = isDeep ? (isTwelve ? 12 : 10) : 8
        let level = two(record[1] & 31), tier = isHigh ? "H" : "M"
        return "av01.\(record[1] >> 5).\(level)\(tier).\(two(depth))"
    }

    /// ISO/IEC 14496-15, E.3: the profile, its compatibilities from the last bit to the first, tier and level, constraints without zeros behind.
    private static func high(_ kind: String, _ record: [UInt8]) -> String {
        let space = ["", "A", "B", "C"][Int(record[1] >> 6)]
        let flags = record[2..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var turned: UInt32 = 0
        for bit in 0..<UInt32(32) where flags >> bit & 1 != 0 { turned |= 1 << (31 - bit) }
        var constraints = Array(record[6..<12])
        while constraints.last == 0 { constraints.removeLast() }
        let isHigh = record[1] & 0x20 != 0, profile = record[1] & 31
        var parts = ["\(kind).\(space)\(profile)", String(turned, radix: 16, uppercase: true)]
        parts.append("\(isHigh ? "H" : "L")\(record[12])")
        parts += constraints.map { String($0, radix: 16, uppercase: true) }
        return parts.joined(separator: ".")
    }

    /// ISO/IEC 14496-1: descriptors in descriptors, the object type in the second, the audio object type in the third.
    private static func elementary(_ bytes: [UInt8]) -> String {
        var place = 4, kind: UInt8 = 0
        /// Enters the descriptor of a tag.
        func enter(_ tag: UInt8) -> Bool {
            guard place < bytes.count, bytes[place] == tag else { return false }
            place += 1
            for _ in 0..<4 where place < bytes.count {
                place += 1
                if bytes[place - 1] & 0x80 == 0 { break }
            }
            return true
        }
        guard enter(3) else { return "mp4a" }
        guard place + 3 <= bytes.count else { return "mp4a" }
        let flags = bytes[place + 2]
        place += 3 + (flags & 0x80 != 0 ? 2 : 0) + (flags & 0x20 != 0 ? 2 : 0)
        guard enter(4), place + 13 < bytes.count else { return "mp4a" }
        kind = bytes[place]
        place += 13
        guard kind == 0x40, enter(5), place + 1 < bytes.count else { return "mp4a.\(hex(kind))" }
        var object = Int(bytes[place] >> 3)
        if object == 31 { object = 32 + Int(bytes[place] & 7) << 3 + Int(bytes[place + 1] >> 5) }
        return "mp4a.40.\(object)"
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: false) }
    private static func two(_ value: UInt8) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
