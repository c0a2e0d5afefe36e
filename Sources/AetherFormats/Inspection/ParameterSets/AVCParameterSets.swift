/// Parameter sets of H.264 (ITU-T H.264, 7.3.2).
enum AVCParameterSets {
    /// Reads a unit with its head; returns its kind.
    static func read(_ bits: inout BitFields) -> String {
        bits.skip(1)
        bits.number("nal_ref_idc", 2)
        let type = bits.number("nal_unit_type", 5, meaning: NALNames.avc)
        switch type {
        case 7, 15: sequence(&bits)
        case 8: pictureSet(&bits)
        default: break
        }
        return NALNames.avc(type)
    }

    private static let highProfiles: Set = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    private static func sequence(_ bits: inout BitFields) {
        let profile = bits.number("profile_idc", 8) { ProfileNames.avc[$0] ?? "" }
        for number in 0..<6 { bits.flag("constraint_set\(number)_flag") }
        bits.skip(2)
        bits.number("level_idc", 8) { "level \($0 / 10).\($0 % 10)" }
        bits.golomb("seq_parameter_set_id")
        var format = 1
        if highProfiles.contains(profile) {
            format = bits.golomb("chroma_format_idc") {
                ["4:0:0", "4:2:0", "4:2:2", "4:4:4"].indices.contains($0) ? ["4:0:0", "4:2:0", "4:2:2", "4:4:4"][$0] : ""
            }
            if format == 3 { bits.flag("separate_colour_plane_flag") }
            bits.golomb("bit_depth_luma_minus8")
            bits.golomb("bit_depth_chroma_minus8")
            bits.flag("qpprime_y_zero_transform_bypass_flag")
            if bits.flag("seq_scaling_matrix_present_flag") { scaling(&bits, format == 3 ? 12 : 8) }
        }
        bits.golomb("log2_max_frame_num_minus4")
        let order = bits.golomb("pic_order_cnt_type")
        if order == 0 {
            bits.golomb("log2_max_pic_order_cnt_lsb_minus4")
        } else if order == 1 {
            bits.flag("delta_pic_order_always_zero_flag")
            bits.signedGolomb("offset_for_non_ref_pic")
            bits.signedGolomb("offset_for_top_to_bottom_field")
            let count = bits.golomb("num_ref_frames_in_pic_order_cnt_cycle")
            for _ in 0..<min(count, 255) where !bits.isOverrun { bits.signedGolomb("offset_for_ref_frame") }
        }
        bits.golomb("max_num_ref_frames")
        bits.flag("gaps_in_frame_num_value_allowed_flag")
        let width = bits.golomb("pic_width_in_mbs_minus1") { "\(($0 + 1) * 16) pixels" }
        let height = bits.golomb("pic_height_in_map_units_minus1")
        let isProgressive = bits.flag("frame_mbs_only_flag")
        if !isProgressive { bits.flag("mb_adaptive_frame_field_flag") }
        bits.flag("direct_8x8_inference_flag")
        var crop = (left: 0, right: 0, top: 0, bottom: 0)
        if bits.flag("frame_cropping_flag") {
            crop.left = bits.golomb("frame_crop_left_offset")
            crop.right = bits.golomb("frame_crop_right_offset")
            crop.top = bits.golomb("frame_crop_top_offset")
            crop.bottom = bits.golomb("frame_crop_bottom_offset")
        }
        if bits.flag("vui_parameters_present_flag") { usability(&bits) }
        guard !bits.isOverrun else { return }
        let fields = isProgressive ? 1 : 2
        let across = format == 1 || format == 2 ? 2 : 1, down = (format == 1 ? 2 : 1) * fields
        size(
            &bits, (width + 1) * 16 - (crop.left + crop.right) * across,
            (height + 1) * 16 * fields - (crop.top + crop.bottom) * down)
    }

    /// The size that follows from the fields; nothing where they contradict one another.
    static func size(_ bits: inout BitFields, _ width: Int, _ height: Int) {
        guard width > 0, height > 0, width < 1 << 24, height < 1 << 24 else { return }
        bits.add("width", .integer(Int64(width)), unit: "pixels", meaning: "computed")
        bits.add("height", .integer(Int64(height)), unit: "pixels", meaning: "computed")
    }

    private static func scaling(_ bits: inout BitFields, _ lists: Int) {
        for list in 0..<lists where bits.flag("seq_scaling_list_present_flag") {
            var last = 8, next = 8
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 && !bits.isOverrun {
                let code = bits.rawGolomb(), delta = code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
                next = (last + delta + 256) & 255
                if next != 0 { last = next }
            }
        }
    }

    /// Video usability information (annex E), the same in H.264 up to the timing.
    private static func usability(_ bits: inout BitFields) {
        VideoUsability.look(&bits)
        if bits.flag("timing_info_present_flag") {
            let ticks = bits.number("num_units_in_tick", 32)
            bits.number("time_scale", 32) { ticks > 0 ? "\(Double($0) / Double(ticks) / 2) frames a second" : "" }
            bits.flag("fixed_frame_rate_flag")
        }
        let network = bits.flag("nal_hrd_parameters_present_flag")
        if network { reference(&bits) }
        let video = bits.flag("vcl_hrd_parameters_present_flag")
        if video { reference(&bits) }
        if network || video { bits.flag("low_delay_hrd_flag") }
        bits.flag("pic_struct_present_flag")
        guard bits.flag("bitstream_restriction_flag") else { return }
        bits.flag("motion_vectors_over_pic_boundaries_flag")
        for name in [
            "max_bytes_per_pic_denom", "max_bits_per_mb_denom", "log2_max_mv_length_horizontal", "log2_max_mv_length_vertical",
            "max_num_reorder_frames", "max_dec_frame_buffering",
        ] { bits.golomb(name) }
    }

    private static func reference(_ bits: inout BitFields) {
        let count = bits.golomb("cpb_cnt_minus1")
        bits.number("bit_rate_scale", 4)
        bits.number("cpb_size_scale", 4)
        for _ in 0...min(count, 31) where !bits.isOverrun {
            bits.golomb("bit_rate_value_minus1")
            bits.golomb("cpb_size_value_minus1")
            bits.flag("cbr_flag")
        }
        bits.number("initial_cpb_removal_delay_length_minus1", 5)
        bits.number("cpb_removal_delay_length_minus1", 5)
        bits.number("dpb_output_delay_length_minus1", 5)
        bits.number("time_offset_length", 5)
    }

    private static func pictureSet(_ bits: inout BitFields) {
        bits.golomb("pic_parameter_set_id")
        bits.golomb("seq_parameter_set_id")
        bits.number("entropy_coding_mode_flag", 1) { $0 == 1 ? "CABAC" : "CAVLC" }
        bits.flag("bottom_field_pic_order_in_frame_present_flag")
        // Slice groups are of the Extended profile, which nothing makes.
        guard bits.golomb("num_slice_groups_minus1") == 0 else { return }
        bits.golomb("num_ref_idx_l0_default_active_minus1")
        bits.golomb("num_ref_idx_l1_default_active_minus1")
        bits.flag("weighted_pred_flag")
        bits.number("weighted_bipred_idc", 2)
        bits.signedGolomb("pic_init_qp_minus26")
        bits.signedGolomb("pic_init_qs_minus26")
        bits.signedGolomb("chroma_qp_index_offset")
        bits.flag("deblocking_filter_control_present_flag")
        bits.flag("constrained_intra_pred_flag")
        bits.flag("redundant_pic_cnt_present_flag")
        if bits.hasMore { bits.flag("transform_8x8_mode_flag") }
    }
}

/// The video usability information (VUI) that H.264 and H.265 share: how the decoded video is to be displayed.
enum VideoUsability {
    static func look(_ bits: inout BitFields) {
        if bits.flag("aspect_ratio_info_present_flag") {
            let ratio = bits.number("aspect_ratio_idc", 8) { ratios.indices.contains($0) ? ratios[$0] : "" }
            if ratio == 255 {
                bits.number("sar_width", 16)
                bits.number("sar_height", 16)
            }
        }
        if bits.flag("overscan_info_present_flag") { bits.flag("overscan_appropriate_flag") }
        if bits.flag("video_signal_type_present_flag") {
            bits.number("video_format", 3)
            bits.flag("video_full_range_flag")
            if bits.flag("colour_description_present_flag") {
                bits.number("colour_primaries", 8) { ColourNames.primaries[$0] ?? "" }
                bits.number("transfer_characteristics", 8) { ColourNames.transfer[$0] ?? "" }
                bits.number("matrix_coefficients", 8) { ColourNames.matrix[$0] ?? "" }
            }
        }
        if bits.flag("chroma_loc_info_present_flag") {
            bits.golomb("chroma_sample_loc_type_top_field")
            bits.golomb("chroma_sample_loc_type_bottom_field")
        }
    }

    private static let ratios = [
        "not stated", "1:1", "12:11", "10:11", "16:11", "40:33", "24:11", "20:11", "32:11", "80:33", "18:11", "15:11", "64:33",
        "160:99",
        "4:3", "3:2", "2:1",
    ]
}
