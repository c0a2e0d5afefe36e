/// The sequence header of AV1 (AV1 specification, 5.5).
enum AV1SequenceHeader {
    private static let kinds = [
        1: "sequence header", 2: "temporal delimiter", 3: "frame header", 4: "tile group", 5: "metadata", 6: "frame",
        7: "redundant frame header",
        8: "tile list", 15: "padding",
    ]

    /// The kinds of the units in bytes, with their sizes, and where each payload lies. At most 64.
    static func units(_ bytes: [UInt8]) -> [(type: Int, name: String, payload: Range<Int>)] {
        var units: [(type: Int, name: String, payload: Range<Int>)] = [], place = 0
        while place < bytes.count, units.count < 64 {
            let head = bytes[place], type = Int(head >> 3 & 15)
            place += head & 4 != 0 ? 2 : 1
            var size = bytes.count - place
            if head & 2 != 0 {
                size = 0
                for shift in 0..<8 where place < bytes.count {
                    let byte = bytes[place]
                    place += 1
                    size |= Int(byte & 0x7F) << (7 * shift)
                    if byte & 0x80 == 0 { break }
                }
            }
            guard place <= bytes.count, size >= 0 else { break }
            let end = min(bytes.count, place + min(size, bytes.count))
            units.append((type, kinds[type] ?? "OBU \(type)", place..<end))
            place = end
        }
        return units
    }

    static func read(_ bytes: [UInt8]) -> (name: String, fields: [InspectedField], isWhole: Bool) {
        guard let unit = units(bytes).first(where: { $0.type == 1 }) else {
            let first = units(bytes).first
            return (first?.name ?? "nothing", [], first != nil)
        }
        var bits = BitFields(Array(bytes[unit.payload]))
        bits.add("obu_type", .integer(1), meaning: unit.name)
        header(&bits)
        return (unit.name, bits.fields, !bits.isOverrun)
    }

    private static func header(_ bits: inout BitFields) {
        let profile = bits.number("seq_profile", 3) { [0: "Main", 1: "High", 2: "Professional"][$0] ?? "" }
        bits.flag("still_picture")
        let isReduced = bits.flag("reduced_still_picture_header")
        if isReduced {
            bits.number("seq_level_idx", 5, meaning: level)
        } else if !points(&bits) {
            return
        }
        let across = bits.number("frame_width_bits_minus_1", 4), down = bits.number("frame_height_bits_minus_1", 4)
        bits.number("max_frame_width_minus_1", across + 1) { "\($0 + 1) pixels" }
        bits.number("max_frame_height_minus_1", down + 1) { "\($0 + 1) pixels" }
        if !isReduced, bits.flag("frame_id_numbers_present_flag") {
            bits.number("delta_frame_id_length_minus_2", 4)
            bits.number("additional_frame_id_length_minus_1", 3)
        }
        for name in ["use_128x128_superblock", "enable_filter_intra", "enable_intra_edge_filter"] { bits.flag(name) }
        if !isReduced { tools(&bits) }
        for name in ["enable_superres", "enable_cdef", "enable_restoration"] { bits.flag(name) }
        colour(&bits, profile)
        bits.flag("film_grain_params_present")
    }

    private static func level(_ index: Int) -> String {
        index < 24 ? "level \(2 + index / 4).\(index % 4)" : index == 31 ? "no limit" : ""
    }

    /// Timing and operating points; false where they end too early.
    private static func points(_ bits: inout BitFields) -> Bool {
        var hasModel = false, delay = 0
        if bits.flag("timing_info_present_flag") {
            bits.number("num_units_in_display_tick", 32)
            bits.number("time_scale", 32)
            if bits.flag("equal_picture_interval") { bits.golomb("num_ticks_per_picture_minus_1") }
            hasModel = bits.flag("decoder_model_info_present_flag")
            if hasModel {
                delay = bits.number("buffer_delay_length_minus_1", 5)
                bits.number("num_units_in_decoding_tick", 32)
                bits.number("buffer_removal_time_length_minus_1", 5)
                bits.number("frame_presentation_time_length_minus_1", 5)
            }
        }
        let isDelayed = bits.flag("initial_display_delay_present_flag")
        let count = bits.number("operating_points_cnt_minus_1", 5)
        for _ in 0...count {
            guard !bits.isOverrun else { return false }
            bits.number("operating_point_idc", 12)
            if bits.number("seq_level_idx", 5, meaning: level) > 7 { bits.number("seq_tier", 1) }
            if hasModel, bits.raw(1) == 1 { bits.skip(2 * (delay + 1) + 1) }
            if isDelayed, bits.raw(1) == 1 { bits.skip(4) }
        }
        return true
    }

    private static func tools(_ bits: inout BitFields) {
        for name in ["enable_interintra_compound", "enable_masked_compound", "enable_warped_motion", "enable_dual_filter"] {
            bits.flag(name)
        }
        let hasOrder = bits.flag("enable_order_hint")
        if hasOrder {
            bits.flag("enable_jnt_comp")
            bits.flag("enable_ref_frame_mvs")
        }
        let force = bits.flag("seq_choose_screen_content_tools") ? 2 : bits.number("seq_force_screen_content_tools", 1)
        if force > 0, !bits.flag("seq_choose_integer_mv") { bits.flag("seq_force_integer_mv") }
        if hasOrder { bits.number("order_hint_bits_minus_1", 3) }
    }

    private static func colour(_ bits: inout BitFields, _ profile: Int) {
        let isHigh = bits.flag("high_bitdepth")
        var depth = isHigh ? 10 : 8
        if profile == 2, isHigh, bits.flag("twelve_bit") { depth = 12 }
        bits.add("BitDepth", .integer(Int64(depth)), unit: "bits", meaning: "computed")
        let isGrey = profile != 1 && bits.flag("mono_chrome")
        var codes = (primaries: 2, transfer: 2, matrix: 2)
        if bits.flag("color_description_present_flag") {
            codes.primaries = bits.number("color_primaries", 8) { ColourNames.primaries[$0] ?? "" }
            codes.transfer = bits.number("transfer_characteristics", 8) { ColourNames.transfer[$0] ?? "" }
            codes.matrix = bits.number("matrix_coefficients", 8) { ColourNames.matrix[$0] ?? "" }
        }
        if isGrey {
            bits.flag("color_range")
            return
        }
        if codes != (1, 13, 0) {
            bits.number("color_range", 1) { $0 == 1 ? "full" : "studio" }
            var (across, down) = (profile != 1, profile == 0)
            if profile == 2 {
                across = depth == 12 ? bits.flag("subsampling_x") : true
                down = depth == 12 && across ? bits.flag("subsampling_y") : false
            }
            if across, down { bits.number("chroma_sample_position", 2) }
        }
        bits.flag("separate_uv_delta_q")
    }
}
