/// A parameter set of a video codec with its fields by the standard's names, or a sequence header.
public struct ParameterSet: Sendable, Equatable {
    /// The standard that a set is read by.
    public enum Kind: Sendable {
        /// H.264: a NAL unit with its head of one byte.
        case avc
        /// H.265: a NAL unit with its head of two bytes.
        case hevc
        /// AV1: open bitstream units.
        case av1
    }

    /// The kind of the unit: `SPS`, `PPS`, `VPS`, `sequence header` …
    public let name: String
    /// The fields that were read.
    public let fields: [InspectedField]
    /// All fields that the set should have are there.
    public let isWhole: Bool

    /// Reads a unit. Of a unit that is no parameter set, only the head is read.
    public init(_ bytes: [UInt8], _ kind: Kind) {
        let bytes = Array(bytes.prefix(64 << 10))
        switch kind {
        case .avc:
            var bits = BitFields(escaped: bytes)
            name = AVCParameterSets.read(&bits)
            (fields, isWhole) = (bits.fields, !bits.isOverrun)
        case .hevc:
            var bits = BitFields(escaped: bytes)
            name = HEVCParameterSets.read(&bits)
            (fields, isWhole) = (bits.fields, !bits.isOverrun)
        case .av1:
            (name, fields, isWhole) = AV1SequenceHeader.read(bytes)
        }
    }
}

/// Names of profiles.
enum ProfileNames {
    static let avc = [
        44: "CAVLC 4:4:4 Intra", 66: "Baseline", 77: "Main", 88: "Extended", 100: "High", 110: "High 10", 118: "Multiview High",
        122: "High 4:2:2", 128: "Stereo High", 244: "High 4:4:4 Predictive", 83: "Scalable Baseline", 86: "Scalable High",
    ]
    static let hevc = [1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Range Extensions", 9: "Screen Content"]
}

/// Names of the kinds of NAL units.
public enum NALNames {
    /// The name of a NAL unit of H.264, table 7-1.
    public static func avc(_ type: Int) -> String { avcNames[type] ?? "NAL \(type)" }
    /// The name of a NAL unit of H.265, table 7-1.
    public static func hevc(_ type: Int) -> String { hevcNames[type] ?? "NAL \(type)" }

    /// The name of a NAL unit of H.266, table 5.
    public static func vvc(_ type: Int) -> String { vvcNames[type] ?? "NAL \(type)" }

    private static let vvcNames = [
        0: "TRAIL_NUT", 1: "STSA_NUT", 2: "RADL_NUT", 3: "RASL_NUT", 7: "IDR_W_RADL", 8: "IDR_N_LP", 9: "CRA_NUT", 10: "GDR_NUT",
        12: "OPI", 13: "DCI", 14: "VPS", 15: "SPS", 16: "PPS", 17: "PREFIX_APS", 18: "SUFFIX_APS", 19: "PH", 20: "AUD", 21: "EOS",
        22: "EOB", 23: "PREFIX_SEI", 24: "SUFFIX_SEI", 25: "FD",
    ]

    private static let avcNames = [
        1: "slice", 2: "slice data partition A", 3: "slice data partition B", 4: "slice data partition C", 5: "IDR slice",
        6: "SEI", 7: "SPS",
        8: "PPS", 9: "access unit delimiter", 10: "end of sequence", 11: "end of stream", 12: "filler data", 13: "SPS extension",
        14: "prefix",
        15: "subset SPS", 19: "auxiliary slice", 20: "slice extension",
    ]
    private static let hevcNames = [
        0: "TRAIL_N", 1: "TRAIL_R", 2: "TSA_N", 3: "TSA_R", 4: "STSA_N", 5: "STSA_R", 6: "RADL_N", 7: "RADL_R", 8: "RASL_N",
        9: "RASL_R",
        16: "BLA_W_LP", 17: "BLA_W_RADL", 18: "BLA_N_LP", 19: "IDR_W_RADL", 20: "IDR_N_LP", 21: "CRA_NUT", 32: "VPS", 33: "SPS",
        34: "PPS",
        35: "AUD", 36: "EOS", 37: "EOB", 38: "FD", 39: "PREFIX_SEI", 40: "SUFFIX_SEI", 62: "Dolby Vision RPU",
        63: "Dolby Vision EL",
    ]

    /// The name of an SEI message.
    public static func sei(_ type: Int) -> String { seiNames[type] ?? "SEI \(type)" }

    private static let seiNames = [
        0: "buffering_period", 1: "pic_timing", 2: "pan_scan_rect", 3: "filler_payload", 4: "user_data_registered_itu_t_t35",
        5: "user_data_unregistered", 6: "recovery_point", 19: "film_grain_characteristics", 45: "frame_packing_arrangement",
        47: "display_orientation", 129: "active_parameter_sets", 130: "decoding_unit_info", 132: "decoded_picture_hash",
        136: "time_code",
        137: "mastering_display_colour_volume", 144: "content_light_level_info", 147: "alternative_transfer_characteristics",
        148: "ambient_viewing_environment",
    ]
}
