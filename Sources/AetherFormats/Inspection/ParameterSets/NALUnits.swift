import AetherCore

/// The NAL units of an access unit.
enum NALUnits {
    /// Units of a packet that are listed.
    private static let limit = 1024

    /// Where the units lie: behind lengths of `prefix` bytes, or, with 0, behind start codes.
    static func list(_ bytes: [UInt8], prefix: Int) -> [Range<Int>] {
        if prefix == 0 || bytes.starts(with: [0, 0, 0, 1]) && prefix != 4 { return started(bytes) }
        var units: [Range<Int>] = [], place = 0
        while place + prefix <= bytes.count, units.count < limit {
            let length = bytes[place..<(place + prefix)].reduce(0) { $0 << 8 | Int($1) }
            let end = min(bytes.count, place + prefix + length)
            if end > place + prefix { units.append((place + prefix)..<end) }
            place += prefix + length
        }
        return units
    }

    private static func started(_ bytes: [UInt8]) -> [Range<Int>] {
        var units: [Range<Int>] = [], open: Int?, place = 0
        while units.count < limit, let found = BytePattern.startCode.first(in: bytes, from: place) {
            place = found
            if let open, open < place { units.append(open..<(place > open && bytes[place - 1] == 0 ? place - 1 : place)) }
            open = place + 3
            place += 3
        }
        if let open, open < bytes.count, units.count < limit { units.append(open..<bytes.count) }
        return units.filter { !$0.isEmpty }
    }

    static func unit(_ bytes: [UInt8], at offset: Int, size: Int, isHEVC: Bool) -> CodecInspection.Unit {
        let head = bytes.first ?? 0
        let type = isHEVC ? Int(head >> 1 & 63) : Int(head & 31)
        let name = isHEVC ? NALNames.hevc(type) : NALNames.avc(type)
        var fields: [InspectedField] = []
        switch (isHEVC, type) {
        case (false, 1), (false, 5): fields = slice(bytes)
        case (false, 7), (false, 8): fields = ParameterSet(bytes, .avc).fields
        case (true, 32), (true, 33), (true, 34): fields = ParameterSet(bytes, .hevc).fields
        case (false, 6): fields = messages(bytes, head: 1)
        case (true, 39), (true, 40): fields = messages(bytes, head: 2)
        case (true, 0...21): fields = segment(bytes, type)
        default: break
        }
        return CodecInspection.Unit(name: name, offset: offset, size: size, fields: fields)
    }

    private static let sliceTypes = ["P", "B", "I", "SP", "SI"]

    private static func slice(_ bytes: [UInt8]) -> [InspectedField] {
        var bits = BitFields(escaped: Array(bytes.prefix(64)))
        bits.skip(8)
        bits.golomb("first_mb_in_slice")
        bits.golomb("slice_type") { sliceTypes[$0 % 5] }
        bits.golomb("pic_parameter_set_id")
        return bits.fields
    }

    /// The type of a slice segment stands behind fields that the sets give lengths to; those of the first segment are plain.
    private static func segment(_ bytes: [UInt8], _ type: Int) -> [InspectedField] {
        var bits = BitFields(escaped: Array(bytes.prefix(64)))
        bits.skip(16)
        let isFirst = bits.flag("first_slice_segment_in_pic_flag")
        if (16...23).contains(type) { bits.flag("no_output_of_prior_pics_flag") }
        bits.golomb("slice_pic_parameter_set_id")
        if isFirst { bits.golomb("slice_type") { ["B", "P", "I"].indices.contains($0) ? ["B", "P", "I"][$0] : "" } }
        return bits.fields
    }

    /// The messages of a SEI unit: their kinds, and of those that are registered by whom.
    private static func messages(_ bytes: [UInt8], head: Int) -> [InspectedField] {
        var plain = plainBytes(Array(bytes.dropFirst(head)))[...], fields: [InspectedField] = []
        while plain.count > 2, fields.count < 32 {
            var type = 0, size = 0
            while plain.first == 0xFF, type < 1 << 16 {
                type += 255
                plain = plain.dropFirst()
            }
            type += Int(plain.popFirst() ?? 0)
            while plain.first == 0xFF, size < 1 << 24 {
                size += 255
                plain = plain.dropFirst()
            }
            size += Int(plain.popFirst() ?? 0)
            let body = Array(plain.prefix(size))
            fields.append(InspectedField(NALNames.sei(type), .bytes(Array(body.prefix(32))), meaning: meaning(type, body)))
            plain = plain.dropFirst(size)
        }
        return fields
    }

    private static func meaning(_ type: Int, _ body: [UInt8]) -> String {
        switch type {
        case 4 where body.count >= 8 && body[0] == 0xB5:
            let provider = Int(body[1]) << 8 | Int(body[2]), mark = Array(body[3..<7])
            if provider == 0x31, mark == Array("GA94".utf8) {
                return body[7] == 3 ? "captions (CEA-608, CEA-708)" : "ATSC user data"
            }
            if provider == 0x3C, body[3] == 0, body[4] == 1, body[5] == 4 { return "HDR10+" }
            if provider == 0x3B { return "Dolby Vision" }
            return "provider \(provider)"
        case 5 where body.count >= 16:
            let text = String(decoding: body.dropFirst(16).prefix { $0 >= 0x20 && $0 < 0x7F }.prefix(120), as: UTF8.self)
            return UUIDText.text(body.prefix(16)) + (text.isEmpty ? "" : " " + text)
        default: return "\(body.count) bytes"
        }
    }

    private static func plainBytes(_ bytes: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = [], zeros = 0
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            plain.append(byte)
        }
        return plain
    }
}

/// The uncompressed header of a frame of VP9 (VP9 bitstream, 6.2), as far as a key frame's size.
enum VP9Header {
    static func fields(_ bytes: [UInt8]) -> [InspectedField] {
        var bits = BitFields(Array(bytes.prefix(64)))
        guard bits.raw(2) == 2 else { return [] }
        let profile = bits.raw(1) | bits.raw(1) << 1
        bits.add("profile", .integer(Int64(profile)))
        if profile == 3 { bits.skip(1) }
        if bits.flag("show_existing_frame") {
            bits.number("frame_to_show_map_idx", 3)
            return bits.fields
        }
        let isInter = bits.number("frame_type", 1) { $0 == 0 ? "key frame" : "other" } == 1
        bits.flag("show_frame")
        bits.flag("error_resilient_mode")
        guard !isInter, bits.number("frame_sync_code", 24) == 0x49_83_42 else { return bits.fields }
        if profile >= 2 { bits.flag("ten_or_twelve_bit") }
        let space = bits.number("color_space", 3) {
            ["unknown", "BT.601", "BT.709", "SMPTE 170", "SMPTE 240", "BT.2020", "reserved", "RGB"][$0]
        }
        if space != 7 {
            bits.flag("color_range")
            if profile == 1 || profile == 3 {
                bits.flag("subsampling_x")
                bits.flag("subsampling_y")
                bits.skip(1)
            }
        } else if profile == 1 || profile == 3 {
            bits.skip(1)
        }
        bits.number("frame_width_minus_1", 16) { "\($0 + 1) pixels" }
        bits.number("frame_height_minus_1", 16) { "\($0 + 1) pixels" }
        return bits.fields
    }
}
