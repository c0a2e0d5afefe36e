/// Configurations of video codecs (ISO/IEC 14496-15; AV1, VP9 and Dolby Vision in ISO base media).
enum VideoCodecBoxes {
    static let layouts: [String: BoxLayout] = [
        "avcC": avc, "hvcC": hevc, "lhvC": layered, "av1C": av1, "vpcC": vp9, "vvcC": VVCConfiguration.layout,
        "dvcC": dolby("Dolby Vision, profiles up to 7"), "dvvC": dolby("Dolby Vision, profiles 8 to 10"),
        "dvwC": dolby("Dolby Vision, profiles above 10"),
        "hvcE": BoxLayout("Dolby Vision Enhancement Layer, HEVC") { hevc.read(&$0, &$1) },
        "avcE": BoxLayout("Dolby Vision Enhancement Layer, AVC") { avc.read(&$0, &$1) },
        "d263": BoxLayout("H.263 Configuration") { reader, _ in
            reader.fourLetters("vendor")
            reader.number("decoder_version", 1)
            reader.number("h263_level", 1)
            reader.number("h263_profile", 1)
        },
        "glbl": .plain("Global Header"), "SMI ": .plain("Sorenson Decoder Settings"), "jpgC": .plain("JPEG Prefix Header"),
        "av1M": .plain("AV1 Metadata"),
    ]

    /// The names of a NAL unit's list, in order.
    private static func sets(_ name: String, _ count: UInt64, _ reader: inout FieldReader, _ kind: ParameterSet.Kind) {
        for _ in 0..<min(count, 32) {
            guard let length = reader.raw(2, for: name), let bytes = reader.take(Int(length), for: name) else { return }
            let set = ParameterSet(Array(bytes), kind)
            reader.add(name, .record(set.fields), meaning: "\(length) bytes")
            if !set.isWhole { reader.complain("\(name) ends before its fields do") }
        }
    }

    private static let avc = BoxLayout("AVC Configuration") { reader, _ in
        reader.number("configurationVersion", 1)
        let profile = reader.number("AVCProfileIndication", 1) { ProfileNames.avc[Int($0)] ?? "" }
        reader.number("profile_compatibility", 1)
        reader.number("AVCLevelIndication", 1) { "level \($0 / 10).\($0 % 10)" }
        reader.bits([("", 6), ("lengthSizeMinusOne", 2)])
        reader.bits([("", 3), ("numOfSequenceParameterSets", 5)])
        sets("sequenceParameterSet", reader.last, &reader, .avc)
        let pictures = reader.number("numOfPictureParameterSets", 1)
        sets("pictureParameterSet", pictures, &reader, .avc)
        guard [100, 110, 122, 144].contains(profile), reader.left >= 4 else { return }
        reader.bits([("", 6), ("chroma_format", 2)], meanings: ["chroma_format": CodecWords.chroma])
        reader.bits([("", 5), ("bit_depth_luma_minus8", 3)])
        reader.bits([("", 5), ("bit_depth_chroma_minus8", 3)])
        let extensions = reader.number("numOfSequenceParameterSetExt", 1)
        sets("sequenceParameterSetExt", extensions, &reader, .avc)
    }

    private static let hevc = BoxLayout("HEVC Configuration") { reader, _ in
        reader.number("configurationVersion", 1)
        reader.bits(
            [("general_profile_space", 2), ("general_tier_flag", 1), ("general_profile_idc", 5)],
            meanings: ["general_tier_flag": CodecWords.tier, "general_profile_idc": { ProfileNames.hevc[Int($0)] ?? "" }])
        reader.number("general_profile_compatibility_flags", 4)
        reader.number("general_constraint_indicator_flags", 6)
        reader.number("general_level_idc", 1) { "level \($0 / 30).\($0 % 30 / 3)" }
        reader.bits([("", 4), ("min_spatial_segmentation_idc", 12)])
        reader.bits([("", 6), ("parallelismType", 2)])
        reader.bits([("", 6), ("chromaFormat", 2)], meanings: ["chromaFormat": CodecWords.chroma])
        reader.bits([("", 5), ("bitDepthLumaMinus8", 3)])
        reader.bits([("", 5), ("bitDepthChromaMinus8", 3)])
        reader.number("avgFrameRate", 2, unit: "frames in 256 s")
        reader.bits([("constantFrameRate", 2), ("numTemporalLayers", 3), ("temporalIdNested", 1), ("lengthSizeMinusOne", 2)])
        arrays(&reader)
    }

    /// Of layers above the base: what that has said already is left out.
    private static let layered = BoxLayout("Layered HEVC Configuration") { reader, _ in
        reader.number("configurationVersion", 1)
        reader.bits([("", 4), ("min_spatial_segmentation_idc", 12)])
        reader.bits([("", 6), ("parallelismType", 2)])
        reader.bits([("", 2), ("numTemporalLayers", 3), ("temporalIdNested", 1), ("lengthSizeMinusOne", 2)])
        arrays(&reader)
    }

    private static func arrays(_ reader: inout FieldReader) {
        let arrays = reader.number("numOfArrays", 1)
        for _ in 0..<min(arrays, 32) where !reader.isOver {
            reader.bits(
                [("array_completeness", 1), ("", 1), ("NAL_unit_type", 6)],
                meanings: ["NAL_unit_type": { NALNames.hevc(Int($0)) }])
            let type = reader.last, count = reader.number("numNalus", 2)
            sets(NALNames.hevc(Int(type)), count, &reader, .hevc)
        }
    }

    private static let av1 = BoxLayout("AV1 Configuration") { reader, _ in
        reader.bits([("marker", 1), ("version", 7)])
        reader.bits(
            [("seq_profile", 3), ("seq_level_idx_0", 5)],
            meanings: [
                "seq_profile": { ["Main", "High", "Professional"][at: $0] },
                "seq_level_idx_0": { $0 == 31 ? "any level" : "level \(2 + $0 / 4).\($0 % 4)" },
            ])
        reader.bits(
            [
                ("seq_tier_0", 1), ("high_bitdepth", 1), ("twelve_bit", 1), ("monochrome", 1), ("chroma_subsampling_x", 1),
                ("chroma_subsampling_y", 1), ("chroma_sample_position", 2),
            ],
            meanings: [
                "seq_tier_0": CodecWords.tier, "high_bitdepth": { $0 == 0 ? "8 bits" : "10 bits or 12" },
                "chroma_subsampling_x": CodecWords.halved, "chroma_subsampling_y": CodecWords.halved,
                "chroma_sample_position": { ["unknown", "left, between two rows", "at the luma sample", "reserved"][at: $0] },
            ])
        reader.bits([("", 3), ("initial_presentation_delay_present", 1), ("initial_presentation_delay_minus_one", 4)])
        guard reader.left > 0, let header = reader.take(reader.rest.count, for: "configOBUs") else { return }
        let set = ParameterSet(Array(header), .av1)
        reader.add("configOBUs", .record(set.fields), meaning: "\(header.count) bytes")
    }

    private static let vp9 = BoxLayout("VP Codec Configuration") { reader, _ in
        reader.full()
        reader.number("profile", 1) {
            ["8 bits, 4:2:0", "8 bits, other chroma", "10 or 12 bits, 4:2:0", "10 or 12 bits, other chroma"][at: $0]
        }
        reader.number("level", 1) { "level \($0 / 10).\($0 % 10)" }
        reader.bits(
            [("bitDepth", 4), ("chromaSubsampling", 3), ("videoFullRangeFlag", 1)],
            meanings: [
                "bitDepth": { "\($0) bits" }, "videoFullRangeFlag": { $0 == 0 ? "limited" : "full" },
                "chromaSubsampling": { ["4:2:0, between two rows", "4:2:0, at the luma sample", "4:2:2", "4:4:4"][at: $0] },
            ])
        reader.code("colourPrimaries", 1, ColourNames.primaries)
        reader.code("transferCharacteristics", 1, ColourNames.transfer)
        reader.code("matrixCoefficients", 1, ColourNames.matrix)
        let size = reader.number("codecInitializationDataSize", 2, unit: "bytes")
        if size > 0 { reader.bytes("codecInitializationData", Int(size)) }
    }

    private static func dolby(_ title: String) -> BoxLayout {
        BoxLayout(title) { reader, _ in
            reader.number("dv_version_major", 1)
            reader.number("dv_version_minor", 1)
            reader.bits(
                [("dv_profile", 7), ("dv_level", 6), ("rpu_present_flag", 1), ("el_present_flag", 1), ("bl_present_flag", 1)],
                meanings: [
                    "dv_profile": { "profile \($0)" }, "rpu_present_flag": { $0 == 0 ? "no metadata" : "metadata" },
                    "el_present_flag": { $0 == 0 ? "no enhancement layer" : "enhancement layer" },
                    "bl_present_flag": { $0 == 0 ? "no base layer" : "base layer" },
                ])
            reader.bits(
                [("dv_bl_signal_compatibility_id", 4), ("dv_md_compression", 2), ("", 26)],
                meanings: [
                    "dv_bl_signal_compatibility_id": {
                        ["none", "HDR10", "SDR", "", "HLG", "", "Ultra HD Blu-ray"][at: $0]
                    },
                    "dv_md_compression": { ["none", "limited", "reserved", "extended"][at: $0] },
                ])
        }
    }
}

extension FieldReader {
    /// The number that was read last; 0 where none was.
    var last: UInt64 { if case .integer(let number)? = fields.last?.value { UInt64(clamping: number) } else { 0 } }
}

/// Words for numbers that several configurations have.
enum CodecWords {
    static func chroma(_ number: UInt64) -> String { ["monochrome", "4:2:0", "4:2:2", "4:4:4"][at: number] }
    static func tier(_ number: UInt64) -> String { number == 0 ? "Main tier" : "High tier" }
    static func halved(_ number: UInt64) -> String { number == 0 ? "as many as luma" : "half as many as luma" }
}

extension [String] {
    /// Empty behind the end.
    subscript(at place: UInt64) -> String { place < UInt64(count) ? self[Int(place)] : "" }
}
