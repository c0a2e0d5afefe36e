import AetherCore

/// The descriptors of programs, streams and services.
enum TransportDescriptor {
    private static let names = [
        2: "video_stream_descriptor", 3: "audio_stream_descriptor", 5: "registration_descriptor",
        6: "data_stream_alignment_descriptor",
        9: "CA_descriptor", 0x0A: "ISO_639_language_descriptor", 0x0E: "maximum_bitrate_descriptor",
        0x1B: "MPEG-4_video_descriptor",
        0x1C: "MPEG-4_audio_descriptor", 0x25: "metadata_pointer_descriptor", 0x26: "metadata_descriptor",
        0x28: "AVC_video_descriptor",
        0x2A: "AVC_timing_and_HRD_descriptor", 0x38: "HEVC_video_descriptor", 0x48: "service_descriptor",
        0x4D: "short_event_descriptor",
        0x52: "stream_identifier_descriptor", 0x56: "teletext_descriptor", 0x59: "subtitling_descriptor", 0x6A: "AC-3_descriptor",
        0x7A: "enhanced_AC-3_descriptor", 0x7B: "DTS_descriptor", 0x7C: "AAC_descriptor", 0x7F: "extension_descriptor",
        0x81: "AC-3_audio_descriptor", 0x86: "caption_service_descriptor", 0x8A: "cue_identifier_descriptor",
        0xB0: "DOVI_video_stream_descriptor",
    ]

    private static let types = [
        1: "MPEG-1 video", 2: "MPEG-2 video", 3: "MPEG-1 audio", 4: "MPEG-2 audio", 5: "private sections", 6: "private data",
        0x0F: "AAC, ADTS",
        0x10: "MPEG-4 video", 0x11: "AAC, LATM", 0x15: "metadata in PES", 0x1B: "AVC (H.264)", 0x1C: "MPEG-4 audio", 0x20: "MVC",
        0x21: "JPEG 2000",
        0x24: "HEVC (H.265)", 0x2D: "MPEG-H 3D Audio", 0x33: "VVC (H.266)", 0x42: "AVS", 0x80: "PCM", 0x81: "AC-3", 0x82: "DTS",
        0x83: "TrueHD",
        0x84: "E-AC-3", 0x85: "DTS-HD", 0x86: "SCTE 35", 0x87: "E-AC-3", 0x90: "PGS", 0xC1: "AC-3, encrypted",
        0xCF: "AAC, encrypted",
        0xDB: "AVC, encrypted", 0xEA: "VC-1",
    ]

    /// The kind of a stream by its type, and where that says nothing, by its descriptors.
    static func kind(_ type: Int, _ descriptors: [InspectedBox]) -> String {
        guard type == 6 else { return types[type] ?? "stream type \(type)" }
        for box in descriptors {
            switch box.type {
            case "AC-3_descriptor": return "AC-3"
            case "enhanced_AC-3_descriptor": return "E-AC-3"
            case "DTS_descriptor": return "DTS"
            case "AAC_descriptor": return "AAC"
            case "teletext_descriptor": return "teletext"
            case "subtitling_descriptor": return "DVB subtitles"
            case "registration_descriptor": if case .text(let name)? = box[field: "format_identifier"] { return name }
            default: break
            }
        }
        return "private data"
    }

    static func boxes(_ bytes: ArraySlice<UInt8>, offset: Int64) -> [InspectedBox] {
        var rest = bytes, boxes: [InspectedBox] = []
        while rest.count >= 2, boxes.count < 128 {
            let tag = Int(rest[rest.startIndex]), length = Int(rest[rest.startIndex + 1])
            var box = InspectedBox(names[tag] ?? "descriptor \(tag)", offset: offset, size: Int64(2 + length), headLength: 2)
            var reader = FieldReader(rest.dropFirst(2).prefix(length), size: Int64(length))
            reader.add("descriptor_tag", .integer(Int64(tag)))
            read(tag, &reader)
            (box.fields, box.damage) = (reader.fields, reader.damage)
            if rest.count < 2 + length { box.damage.append("it says \(length) bytes, and \(rest.count - 2) are left") }
            boxes.append(box)
            rest = rest.dropFirst(2 + length)
        }
        return boxes
    }

    private static func read(_ tag: Int, _ reader: inout FieldReader) {
        switch tag {
        case 5:
            reader.fourLetters("format_identifier")
            if reader.left > 0 { reader.remainder("additional_identification_info") }
        case 9:
            reader.number("CA_system_ID", 2)
            reader.bits([("", 3), ("CA_PID", 13)])
        case 0x0A:
            while reader.left >= 4, !reader.isOver {
                reader.text("ISO_639_language_code", bytes: 3)
                reader.code("audio_type", 1, [0: "undefined", 1: "clean effects", 2: "hearing impaired", 3: "visual impaired"])
            }
        case 0x0E:
            reader.bits([("", 2), ("maximum_bitrate", 22)])
        case 0x28:
            reader.number("profile_idc", 1) { ProfileNames.avc[Int($0)] ?? "" }
            reader.number("constraint_flags", 1)
            reader.number("level_idc", 1) { "level \($0 / 10).\($0 % 10)" }
        case 0x48:
            reader.number("service_type", 1)
            for name in ["service_provider_name", "service_name"] {
                let length = reader.number(name + "_length", 1)
                guard let bytes = reader.take(Int(length), for: name) else { return }
                // A first byte below 0x20 names a table of characters.
                let text = String(decoding: bytes.drop { $0 < 0x20 }, as: UTF8.self)
                reader.add(name, FieldValue(stranger: text))
            }
        case 0x52: reader.number("component_tag", 1)
        case 0x56, 0x59:
            while reader.left >= (tag == 0x56 ? 5 : 8), !reader.isOver {
                reader.text("ISO_639_language_code", bytes: 3)
                if tag == 0x56 {
                    reader.bits([("teletext_type", 5), ("teletext_magazine_number", 3)])
                    reader.number("teletext_page_number", 1)
                } else {
                    reader.number("subtitling_type", 1)
                    reader.number("composition_page_id", 2)
                    reader.number("ancillary_page_id", 2)
                }
            }
        case 0xB0:
            reader.number("dv_version_major", 1)
            reader.number("dv_version_minor", 1)
            reader.bits([
                ("dv_profile", 7), ("dv_level", 6), ("rpu_present_flag", 1), ("el_present_flag", 1), ("bl_present_flag", 1),
            ])
        default: if reader.left > 0 { reader.remainder("data") }
        }
    }
}
