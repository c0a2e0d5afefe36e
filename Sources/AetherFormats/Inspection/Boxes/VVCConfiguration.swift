/// The configuration of H.266 (ISO/IEC 14496-15, 11.2.4.2).
enum VVCConfiguration {
    static let layout = BoxLayout("VVC Configuration") { reader, _ in
        reader.full()
        reader.bits([("", 5), ("LengthSizeMinusOne", 2), ("ptl_present_flag", 1)])
        if reader.last == 1 { profile(&reader) }
        let arrays = reader.number("num_of_arrays", 1)
        for _ in 0..<min(arrays, 32) where !reader.isOver {
            reader.bits(
                [("array_completeness", 1), ("", 2), ("NAL_unit_type", 5)], meanings: ["NAL_unit_type": { NALNames.vvc(Int($0)) }]
            )
            let type = Int(reader.last)
            // Decoding capability and operating point information are there once: their count is left out.
            let count = [12, 13].contains(type) ? 1 : reader.number("num_nalus", 2)
            for _ in 0..<min(count, 32) where !reader.isOver {
                guard let length = reader.raw(2, for: NALNames.vvc(type)) else { return }
                reader.bytes(NALNames.vvc(type), Int(length), meaning: "\(length) bytes")
            }
        }
    }

    /// Profile, tier, level, and the largest frame.
    private static func profile(_ reader: inout FieldReader) {
        reader.bits(
            [("ols_idx", 9), ("num_sublayers", 3), ("constant_frame_rate", 2), ("chroma_format_idc", 2)],
            meanings: [
                "chroma_format_idc": CodecWords.chroma,
                "constant_frame_rate": { ["not known", "constant", "constant in each layer"][at: $0] },
            ])
        let layers =
            reader.fields.last { $0.name == "num_sublayers" }.flatMap {
                if case .integer(let count) = $0.value { Int(count) } else { nil }
            } ?? 0
        reader.bits([("bit_depth_minus8", 3), ("", 5)], meanings: ["bit_depth_minus8": { "\($0 + 8) bits" }])
        reader.bits([("", 2), ("num_bytes_constraint_info", 6)])
        let constraints = Int(reader.last)
        reader.bits(
            [("general_profile_idc", 7), ("general_tier_flag", 1)],
            meanings: ["general_profile_idc": { profiles[Int($0)] ?? "" }, "general_tier_flag": CodecWords.tier])
        reader.number("general_level_idc", 1, meaning: level)
        // The two flags are the first bits of the constraints' bytes.
        if constraints > 0, let first = reader.rest.first {
            reader.add("ptl_frame_only_constraint_flag", FieldValue(UInt64(first >> 7)))
            reader.add("ptl_multi_layer_enabled_flag", FieldValue(UInt64(first >> 6 & 1)))
            reader.bytes("general_constraint_info", constraints)
        }
        if layers > 1, let flags = reader.raw(1, for: "ptl_sublayer_level_present_flag") {
            for layer in stride(from: layers - 2, through: 0, by: -1) where flags >> UInt64(7 - (layers - 2 - layer)) & 1 == 1 {
                reader.number("sublayer_level_idc_\(layer)", 1, meaning: level)
            }
        }
        let others = reader.number("ptl_num_sub_profiles", 1)
        reader.table("general_sub_profile_idc", count: others, stride: 4) { $0.number("general_sub_profile_idc", 4) }
        reader.number("max_picture_width", 2, unit: "pixels")
        reader.number("max_picture_height", 2, unit: "pixels")
        reader.number("avg_frame_rate", 2, unit: "frames in 256 s")
    }

    private static func level(_ number: UInt64) -> String { "level \(number / 16).\(number % 16 / 3)" }

    private static let profiles = [
        1: "Main 10", 2: "Main 12", 10: "Main 12 Intra", 17: "Multilayer Main 10", 33: "Main 10 4:4:4", 34: "Main 12 4:4:4",
        65: "Main 10 Still Picture", 97: "Main 10 4:4:4 Still Picture",
    ]
}
