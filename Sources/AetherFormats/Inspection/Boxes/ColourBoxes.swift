/// Colours, shape and place of video (ISO/IEC 14496-12, 12.1; QuickTime; CTA-861.3; spherical video).
enum ColourBoxes {
    static let layouts: [String: BoxLayout] = [
        "colr": BoxLayout("Colour Information") { reader, _ in
            let type = reader.fourLetters("colour_type") {
                ["nclx": "code points", "nclc": "code points (QuickTime)", "prof": "ICC profile", "rICC": "ICC profile"][$0] ?? ""
            }
            guard type == "nclx" || type == "nclc" else { return reader.remainder("profile") }
            reader.code("colour_primaries", 2, ColourNames.primaries)
            reader.code("transfer_characteristics", 2, ColourNames.transfer)
            reader.code("matrix_coefficients", 2, ColourNames.matrix)
            if type == "nclx" { reader.bits([("full_range_flag", 1), ("", 7)]) }
        },
        "pasp": BoxLayout("Pixel Aspect Ratio") { reader, _ in
            reader.number("hSpacing", 4)
            reader.number("vSpacing", 4)
        },
        "clap": BoxLayout("Clean Aperture") { reader, _ in
            for name in ["cleanApertureWidth", "cleanApertureHeight"] {
                reader.number(name + "N", 4)
                reader.number(name + "D", 4)
            }
            for name in ["horizOff", "vertOff"] {
                reader.signed(name + "N", 4)
                reader.number(name + "D", 4)
            }
        },
        "fiel": BoxLayout("Fields") { reader, _ in
            reader.code("field_count", 1, [1: "progressive", 2: "interlaced"])
            reader.code(
                "field_ordering", 1,
                [0: "unknown", 1: "top first", 6: "bottom first", 9: "top displayed first", 14: "bottom displayed first"])
        },
        "gama": BoxLayout("Gamma") { reader, _ in reader.fixed("gamma", 4, fraction: 16) },
        "clli": BoxLayout("Content Light Level") { reader, _ in
            reader.number("max_content_light_level", 2, unit: "cd/m²")
            reader.number("max_pic_average_light_level", 2, unit: "cd/m²")
        },
        "CoLL": BoxLayout("Content Light Level") { reader, _ in
            reader.full()
            reader.number("maxCLL", 2, unit: "cd/m²")
            reader.number("maxFALL", 2, unit: "cd/m²")
        },
        "mdcv": BoxLayout("Mastering Display Colour Volume") { reader, _ in
            for name in ["green", "blue", "red"] {
                reader.number("display_primaries_x_\(name)", 2, unit: "× 0.00002")
                reader.number("display_primaries_y_\(name)", 2, unit: "× 0.00002")
            }
            reader.number("white_point_x", 2, unit: "× 0.00002")
            reader.number("white_point_y", 2, unit: "× 0.00002")
            reader.number("max_display_mastering_luminance", 4, unit: "× 0.0001 cd/m²")
            reader.number("min_display_mastering_luminance", 4, unit: "× 0.0001 cd/m²")
        },
        "SmDm": BoxLayout("Mastering Display Metadata") { reader, _ in
            reader.full()
            for name in ["red", "green", "blue", "white"] {
                reader.number("\(name)_x", 2, unit: "/ 65536")
                reader.number("\(name)_y", 2, unit: "/ 65536")
            }
            reader.number("luminance_max", 4, unit: "/ 256 cd/m²")
            reader.number("luminance_min", 4, unit: "/ 16384 cd/m²")
        },
        "cclv": .plain("Content Colour Volume"),
        "amve": BoxLayout("Ambient Viewing Environment") { reader, _ in
            reader.number("ambient_illuminance", 4, unit: "× 0.0001 lux")
            reader.number("ambient_light_x", 2, unit: "× 0.00002")
            reader.number("ambient_light_y", 2, unit: "× 0.00002")
        },
        "st3d": BoxLayout("Stereoscopic 3D") { reader, _ in
            reader.full()
            reader.code(
                "stereo_mode", 1, [0: "mono", 1: "top and bottom", 2: "left and right", 3: "own mesh", 4: "right and left"])
        },
        "sv3d": .holder("Spherical Video"), "proj": .holder("Projection"),
        "svhd": BoxLayout("Spherical Video Header") { reader, _ in
            reader.full()
            reader.text("metadata_source")
        },
        "prhd": BoxLayout("Projection Header") { reader, _ in
            reader.full()
            for name in ["pose_yaw_degrees", "pose_pitch_degrees", "pose_roll_degrees"] {
                reader.fixed(name, 4, fraction: 16, unit: "°")
            }
        },
        "equi": BoxLayout("Equirectangular Projection") { reader, _ in
            reader.full()
            for side in ["top", "bottom", "left", "right"] { reader.number("projection_bounds_\(side)", 4) }
        },
        "cbmp": BoxLayout("Cubemap Projection") { reader, _ in
            reader.full()
            reader.number("layout", 4)
            reader.number("padding", 4)
        },
        "vexu": .holder("Video Extended Usage"), "eyes": .holder("Stereo View"), "cams": .holder("Stereo Cameras"),
        "cmfy": .holder("Stereo Comfort"),
        "stri": BoxLayout("Stereo View Information") { reader, _ in
            reader.full()
            reader.bits([
                ("", 4), ("eye_views_reversed", 1), ("has_additional_views", 1), ("has_right_eye_view", 1),
                ("has_left_eye_view", 1),
            ])
        },
        "hero": BoxLayout("Hero Eye") { reader, _ in
            reader.full()
            reader.code("hero_eye_indicator", 1, [0: "none", 1: "left", 2: "right"])
        },
        "blin": BoxLayout("Stereo Baseline") { reader, _ in
            reader.full()
            reader.number("baseline_value", 4, unit: "µm")
        },
        "dadj": BoxLayout("Disparity Adjustment") { reader, _ in
            reader.full()
            reader.signed("disparity_adjustment", 4, unit: "× 0.0001 of the width")
        },
        "prji": BoxLayout("Projection Kind") { reader, _ in
            reader.full()
            reader.fourLetters("projection_kind")
        },
        "hfov": BoxLayout("Horizontal Field of View") { reader, _ in reader.number("field_of_view", 4, unit: "× 0.001°") },
    ]
}

/// The code points of ITU-T H.273.
enum ColourNames {
    static let primaries = [
        1: "BT.709", 2: "not stated", 4: "BT.470 M", 5: "BT.601, 625 lines", 6: "BT.601, 525 lines", 7: "SMPTE 240M", 8: "film",
        9: "BT.2020", 10: "XYZ", 11: "DCI-P3", 12: "Display P3", 22: "EBU 3213",
    ]
    static let transfer = [
        1: "BT.709", 2: "not stated", 4: "gamma 2.2", 5: "gamma 2.8", 6: "BT.601", 7: "SMPTE 240M", 8: "linear",
        9: "logarithm 100:1",
        10: "logarithm 316:1", 11: "xvYCC", 12: "BT.1361", 13: "sRGB", 14: "BT.2020, 10 bits", 15: "BT.2020, 12 bits", 16: "PQ",
        17: "DCI",
        18: "HLG",
    ]
    static let matrix = [
        0: "RGB", 1: "BT.709", 2: "not stated", 4: "FCC", 5: "BT.601, 625 lines", 6: "BT.601, 525 lines", 7: "SMPTE 240M",
        8: "YCgCo",
        9: "BT.2020", 10: "BT.2020, constant luminance", 11: "SMPTE 2085", 12: "derived", 13: "derived, constant luminance",
        14: "ICtCp",
    ]
}
