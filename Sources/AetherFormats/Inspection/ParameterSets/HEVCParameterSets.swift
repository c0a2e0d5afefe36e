/// Parameter sets of H.265 (ITU-T H.265, 7.3.2).
enum HEVCParameterSets {
    /// Reads a unit with its head; returns its kind.
    static func read(_ bits: inout BitFields) -> String {
        bits.skip(1)
        let type = bits.number("nal_unit_type", 6, meaning: NALNames.hevc)
        let layer = bits.number("nuh_layer_id", 6)
        bits.number("nuh_temporal_id_plus1", 3)
        switch type {
        case 32: videoSet(&bits)
        case 33 where layer == 0: sequence(&bits)
        case 34 where layer == 0: pictureSet(&bits)
        default: break
        }
        return NALNames.hevc(type)
    }

    private static func profileTierLevel(_ bits: inout BitFields, layers: Int) {
        bits.number("general_profile_space", 2)
        bits.number("general_tier_flag", 1) { $0 == 1 ? "High" : "Main" }
        bits.number("general_profile_idc", 5) { ProfileNames.hevc[$0] ?? "" }
        bits.number("general_profile_compatibility_flags", 32)
        for name in ["progressive_source", "interlaced_source", "non_packed_constraint", "frame_only_constraint"] {
            bits.flag("general_\(name)_flag")
        }
        bits.skip(44)
        bits.number("general_level_idc", 8) { "level \($0 / 30).\($0 % 30 / 3)" }
        guard layers > 0 else { return }
        var present: [(profile: Bool, level: Bool)] = []
        for _ in 0..<layers { present.append((bits.raw(1) == 1, bits.raw(1) == 1)) }
        bits.skip((8 - layers) * 2)
        for layer in present { bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    }

    private static func ordering(_ bits: inout BitFields, layers: Int) {
        let all = bits.flag("sub_layer_ordering_info_present_flag")
        for _ in (all ? 0 : layers)...layers where !bits.isOverrun {
            bits.golomb("max_dec_pic_buffering_minus1")
            bits.golomb("max_num_reorder_pics")
            bits.golomb("max_latency_increase_plus1")
        }
    }

    private static func videoSet(_ bits: inout BitFields) {
        bits.number("vps_video_parameter_set_id", 4)
        bits.flag("vps_base_layer_internal_flag")
        bits.flag("vps_base_layer_available_flag")
        bits.number("vps_max_layers_minus1", 6)
        let layers = bits.number("vps_max_sub_layers_minus1", 3)
        bits.flag("vps_temporal_id_nesting_flag")
        bits.skip(16)
        profileTierLevel(&bits, layers: layers)
        ordering(&bits, layers: layers)
        bits.number("vps_max_layer_id", 6)
        let sets = bits.golomb("vps_num_layer_sets_minus1")
        guard sets == 0 else { return }
        if bits.flag("vps_timing_info_present_flag") {
            let ticks = bits.number("vps_num_units_in_tick", 32)
            bits.number("vps_time_scale", 32) { ticks > 0 ? "\(Double($0) / Double(ticks)) frames a second" : "" }
        }
    }

    private static func sequence(_ bits: inout BitFields) {
        bits.number("sps_video_parameter_set_id", 4)
        let layers = bits.number("sps_max_sub_layers_minus1", 3)
        bits.flag("sps_temporal_id_nesting_flag")
        profileTierLevel(&bits, layers: layers)
        bits.golomb("sps_seq_parameter_set_id")
        let format = bits.golomb("chroma_format_idc") { [0: "4:0:0", 1: "4:2:0", 2: "4:2:2", 3: "4:4:4"][$0] ?? "" }
        if format == 3 { bits.flag("separate_colour_plane_flag") }
        let width = bits.golomb("pic_width_in_luma_samples"), height = bits.golomb("pic_height_in_luma_samples")
        var crop = (left: 0, right: 0, top: 0, bottom: 0)
        if bits.flag("conformance_window_flag") {
            crop.left = bits.golomb("conf_win_left_offset")
            crop.right = bits.golomb("conf_win_right_offset")
            crop.top = bits.golomb("conf_win_top_offset")
            crop.bottom = bits.golomb("conf_win_bottom_offset")
        }
        bits.golomb("bit_depth_luma_minus8")
        bits.golomb("bit_depth_chroma_minus8")
        let order = bits.golomb("log2_max_pic_order_cnt_lsb_minus4")
        ordering(&bits, layers: layers)
        for name in [
            "log2_min_luma_coding_block_size_minus3", "log2_diff_max_min_luma_coding_block_size",
            "log2_min_luma_transform_block_size_minus2",
            "log2_diff_max_min_luma_transform_block_size", "max_transform_hierarchy_depth_inter",
            "max_transform_hierarchy_depth_intra",
        ] { bits.golomb(name) }
        if bits.flag("scaling_list_enabled_flag"), bits.flag("sps_scaling_list_data_present_flag") { scaling(&bits) }
        bits.flag("amp_enabled_flag")
        bits.flag("sample_adaptive_offset_enabled_flag")
        if bits.flag("pcm_enabled_flag") { pulse(&bits) }
        let across = format == 1 || format == 2 ? 2 : 1, down = format == 1 ? 2 : 1
        guard references(&bits) else { return }
        if bits.flag("long_term_ref_pics_present_flag") {
            let count = bits.golomb("num_long_term_ref_pics_sps")
            for _ in 0..<min(count, 32) { bits.skip(order + 4 + 1) }
        }
        bits.flag("sps_temporal_mvp_enabled_flag")
        bits.flag("strong_intra_smoothing_enabled_flag")
        if bits.flag("vui_parameters_present_flag") { usability(&bits) }
        guard !bits.isOverrun else { return }
        AVCParameterSets.size(&bits, width - (crop.left + crop.right) * across, height - (crop.top + crop.bottom) * down)
    }

    private static func pulse(_ bits: inout BitFields) {
        bits.number("pcm_sample_bit_depth_luma_minus1", 4)
        bits.number("pcm_sample_bit_depth_chroma_minus1", 4)
        bits.golomb("log2_min_pcm_luma_coding_block_size_minus3")
        bits.golomb("log2_diff_max_min_pcm_luma_coding_block_size")
        bits.flag("pcm_loop_filter_disabled_flag")
    }

    private static func scaling(_ bits: inout BitFields) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard bits.raw(1) == 1 else {
                    _ = bits.rawGolomb()
                    continue
                }
                if size > 1 { _ = bits.rawGolomb() }
                for _ in 0..<min(64, 1 << (4 + size * 2)) where !bits.isOverrun { _ = bits.rawGolomb() }
            }
        }
    }

    /// The short-term reference sets, which only a reading of each leads past. False: they contradict themselves.
    private static func references(_ bits: inout BitFields) -> Bool {
        let count = bits.golomb("num_short_term_ref_pic_sets")
        guard count <= 64 else { return false }
        var sizes: [Int] = []
        for index in 0..<count {
            guard !bits.isOverrun else { return false }
            if index > 0, bits.raw(1) == 1 {
                _ = bits.raw(1)
                _ = bits.rawGolomb()
                var size = 0
                for _ in 0...sizes[index - 1] {
                    if bits.raw(1) == 1 { size += 1 } else if bits.raw(1) == 1 { size += 1 }
                }
                sizes.append(size)
                continue
            }
            let before = bits.rawGolomb(), behind = bits.rawGolomb()
            guard before <= 16, behind <= 16 else { return false }
            for _ in 0..<(before + behind) {
                _ = bits.rawGolomb()
                _ = bits.raw(1)
            }
            sizes.append(before + behind)
        }
        return true
    }

    private static func usability(_ bits: inout BitFields) {
        VideoUsability.look(&bits)
        bits.flag("neutral_chroma_indication_flag")
        bits.flag("field_seq_flag")
        bits.flag("frame_field_info_present_flag")
        if bits.flag("default_display_window_flag") {
            for side in ["left", "right", "top", "bottom"] { bits.golomb("def_disp_win_\(side)_offset") }
        }
        guard bits.flag("vui_timing_info_present_flag") else { return }
        let ticks = bits.number("vui_num_units_in_tick", 32)
        bits.number("vui_time_scale", 32) { ticks > 0 ? "\(Double($0) / Double(ticks)) frames a second" : "" }
    }

    private static func pictureSet(_ bits: inout BitFields) {
        bits.golomb("pps_pic_parameter_set_id")
        bits.golomb("pps_seq_parameter_set_id")
        bits.flag("dependent_slice_segments_enabled_flag")
        bits.flag("output_flag_present_flag")
        bits.number("num_extra_slice_header_bits", 3)
        bits.flag("sign_data_hiding_enabled_flag")
        bits.flag("cabac_init_present_flag")
        bits.golomb("num_ref_idx_l0_default_active_minus1")
        bits.golomb("num_ref_idx_l1_default_active_minus1")
        bits.signedGolomb("init_qp_minus26")
        bits.flag("constrained_intra_pred_flag")
        bits.flag("transform_skip_enabled_flag")
        if bits.flag("cu_qp_delta_enabled_flag") { bits.golomb("diff_cu_qp_delta_depth") }
        bits.signedGolomb("pps_cb_qp_offset")
        bits.signedGolomb("pps_cr_qp_offset")
        bits.flag("pps_slice_chroma_qp_offsets_present_flag")
        bits.flag("weighted_pred_flag")
        bits.flag("weighted_bipred_flag")
        bits.flag("transquant_bypass_enabled_flag")
        bits.flag("tiles_enabled_flag")
        bits.flag("entropy_coding_sync_enabled_flag")
    }
}
