/// The configuration of immersive audio (IAMF 1.1, AOMedia): descriptors in open bitstream units.
enum ImmersiveAudioBoxes {
    static let layouts: [String: BoxLayout] = [
        "iacb": BoxLayout("IAMF Configuration") { reader, _ in
            reader.number("configurationVersion", 1)
            reader.leb128("configOBUs_size", unit: "bytes")
            for _ in 0..<64 where reader.left > 0 && !reader.isOver { unit(&reader) }
        }
    ]

    private static let names = [
        0: "Codec Config", 1: "Audio Element", 2: "Mix Presentation", 3: "Parameter Block", 4: "Temporal Delimiter",
        5: "Audio Frame",
        31: "IA Sequence Header",
    ]
    private static let profiles = [0: "Simple", 1: "Base", 2: "Base-Enhanced"]
    /// Of a `loudspeaker_layout` of a channel-based element (section 3.6.2).
    private static let speakers = [
        0: "mono", 1: "stereo", 2: "5.1", 3: "5.1.2", 4: "5.1.4", 5: "7.1", 6: "7.1.2", 7: "7.1.4", 8: "3.1.2", 9: "binaural",
        15: "expanded",
    ]
    /// Of a `sound_system` of a mix (section 3.7.6), letters of ITU-R BS.2051.
    private static let systems = [
        0: "A, stereo", 1: "B, 5.1", 2: "C, 5.1.2", 3: "D, 5.1.4", 4: "E, 4+5+1", 5: "F, 3+7+0", 6: "G, 4+9+0", 7: "H, 9+10+3",
        8: "I, 7.1",
        9: "J, 7.1.4", 10: "7.1.2", 11: "3.1.2", 12: "mono",
    ]

    /// A unit: its head, then its fields as one record. A unit that its size cuts is said to be damaged.
    private static func unit(_ reader: inout FieldReader) {
        guard let head = reader.raw(1, for: "obu_type"), let size = reader.rawLEB128(for: "obu_size") else { return }
        let type = Int(head >> 3)
        let name = names[type] ?? "OBU \(type)"
        guard let body = reader.take(Int(clamping: size), for: name) else { return }
        var fields = FieldReader(body)
        if head & 2 != 0 {
            fields.leb128("num_samples_to_trim_at_end", unit: "samples")
            fields.leb128("num_samples_to_trim_at_start", unit: "samples")
        }
        if head & 1 != 0 {
            let length = fields.leb128("extension_header_size", unit: "bytes")
            fields.bytes("extension_header", Int(clamping: length))
        }
        switch type {
        case 31: sequence(&fields)
        case 0: codec(&fields)
        case 1: element(&fields)
        case 2: mix(&fields)
        default: break
        }
        fields.remainder("rest")
        reader.add(name, .record(fields.fields), meaning: "\(size) bytes")
        if let sentence = fields.damage.first { reader.complain("\(name): \(sentence)") }
    }

    private static func sequence(_ reader: inout FieldReader) {
        reader.fourLetters("ia_code")
        reader.code("primary_profile", 1, profiles)
        reader.code("additional_profile", 1, profiles)
    }

    private static func codec(_ reader: inout FieldReader) {
        reader.leb128("codec_config_id")
        let codec = reader.fourLetters("codec_id")
        reader.leb128("num_samples_per_frame", unit: "samples")
        reader.signed("audio_roll_distance", 2, unit: "frames")
        switch codec {
        case "Opus":
            reader.number("version", 1)
            reader.number("output_channel_count", 1)
            reader.number("pre_skip", 2, unit: "samples at 48000 Hz")
            reader.number("input_sample_rate", 4, unit: "Hz")
            reader.fixed("output_gain", 2, fraction: 8, unit: "dB")
            reader.number("mapping_family", 1)
        case "ipcm":
            reader.flags("sample_format_flags", 1, [(1, "little endian")])
            reader.number("sample_size", 1, unit: "bits")
            reader.number("sample_rate", 4, unit: "Hz")
        case "fLaC":
            while reader.left >= 4, !reader.isOver {
                reader.bits([("last_metadata_block_flag", 1), ("block_type", 7), ("length", 24)])
                FLACFields.block(&reader)
            }
        case "mp4a": Descriptors.read(&reader)
        default: break
        }
    }

    // MARK: - Elements

    private static func element(_ reader: inout FieldReader) {
        reader.leb128("audio_element_id")
        reader.bits(
            [("audio_element_type", 3), ("", 5)],
            meanings: ["audio_element_type": { ["channels", "scene"].dropFirst(Int($0)).first ?? "" }])
        let type = reader.last
        reader.leb128("codec_config_id")
        let streams = reader.leb128("num_substreams")
        reader.rows("audio_substream_ids", count: streams) { $0.leb128("audio_substream_id") }
        let parameters = reader.leb128("num_parameters")
        reader.rows("parameters", count: parameters) { row in
            switch row.leb128("param_definition_type") {
            case 1:
                definition(&row)
                row.bits([("dmixp_mode", 3), ("", 5)])
                row.bits([("default_w", 4), ("", 4)])
            case 2: definition(&row)
            default:
                let size = row.leb128("param_definition_size", unit: "bytes")
                row.bytes("param_definition", Int(clamping: size))
            }
        }
        switch type {
        case 0: layers(&reader)
        case 1: ambisonics(&reader)
        default:
            let size = reader.leb128("audio_element_config_size", unit: "bytes")
            reader.bytes("audio_element_config", Int(clamping: size))
        }
    }

    private static func layers(_ reader: inout FieldReader) {
        reader.bits([("num_layers", 3), ("", 5)])
        let layers = reader.last
        reader.rows("layers", count: layers) { row in
            row.bits(
                [("loudspeaker_layout", 4), ("output_gain_is_present_flag", 1), ("recon_gain_is_present_flag", 1), ("", 2)],
                meanings: ["loudspeaker_layout": { speakers[Int($0)] ?? "" }])
            let values = row.fields.suffix(3).map(\.value)
            row.number("substream_count", 1)
            row.number("coupled_substream_count", 1)
            if values.dropFirst().first == .integer(1) {
                row.bits([("output_gain_flags", 6), ("", 2)])
                row.fixed("output_gain", 2, fraction: 8, unit: "dB")
            }
            if values.first == .integer(15) { row.number("expanded_loudspeaker_layout", 1) }
        }
    }

    private static func ambisonics(_ reader: inout FieldReader) {
        let mode = reader.leb128("ambisonics_mode") { ["mono", "projection"].dropFirst(Int(clamping: $0)).first ?? "" }
        guard mode < 2 else { return }
        let channels = reader.number("output_channel_count", 1)
        let streams = reader.number("substream_count", 1)
        if mode == 0 { return reader.table("channel_mapping", count: channels, stride: 1) { $0.number("substream", 1) } }
        let coupled = reader.number("coupled_substream_count", 1)
        reader.table("demixing_matrix", count: (streams + coupled) * channels, stride: 2) {
            $0.fixed("weight", 2, fraction: 15)
        }
    }

    // MARK: - Mixes

    private static func mix(_ reader: inout FieldReader) {
        reader.leb128("mix_presentation_id")
        let labels = reader.leb128("count_label")
        reader.rows("annotations_language", count: labels) { $0.text("language") }
        reader.rows("localized_presentation_annotations", count: labels) { $0.text("annotation") }
        let mixes = reader.leb128("num_sub_mixes")
        reader.rows("sub_mixes", count: mixes) { row in
            let elements = row.leb128("num_audio_elements")
            row.rows("audio_elements", count: elements) { element in
                element.leb128("audio_element_id")
                element.rows("localized_element_annotations", count: labels) { $0.text("annotation") }
                element.bits(
                    [("headphones_rendering_mode", 2), ("", 6)],
                    meanings: ["headphones_rendering_mode": { $0 == 0 ? "stereo" : $0 == 1 ? "binaural" : "" }])
                let size = element.leb128("rendering_config_extension_size", unit: "bytes")
                element.bytes("rendering_config_extension", Int(clamping: size))
                gain("element_mix_gain", &element)
            }
            gain("output_mix_gain", &row)
            let layouts = row.leb128("num_layouts")
            row.rows("layouts", count: layouts, layout)
        }
        guard reader.left > 0 else { return }
        let tags = reader.number("num_tags", 1)
        reader.rows("tags", count: tags) { tag in
            tag.text("tag_name")
            tag.text("tag_value")
        }
    }

    private static func layout(_ row: inout FieldReader) {
        row.bits(
            [("layout_type", 2), ("sound_system", 4), ("", 2)],
            meanings: [
                "layout_type": { $0 == 2 ? "loudspeakers" : $0 == 3 ? "binaural" : "" },
                "sound_system": { systems[Int($0)] ?? "" },
            ])
        let info = row.flags("info_type", 1, [(1, "true peak"), (2, "anchored loudness")])
        row.fixed("integrated_loudness", 2, fraction: 8, unit: "LKFS")
        row.fixed("digital_peak", 2, fraction: 8, unit: "dBFS")
        if info & 1 != 0 { row.fixed("true_peak", 2, fraction: 8, unit: "dBFS") }
        if info & 2 != 0 {
            let anchors = row.number("num_anchored_loudness", 1)
            row.table("anchored_loudness", count: anchors, stride: 3) { anchor in
                anchor.code("anchor_element", 1, [1: "dialogue", 2: "album"])
                anchor.fixed("anchored_loudness", 2, fraction: 8, unit: "LKFS")
            }
        }
        if info > 3 {
            let size = row.leb128("info_type_size", unit: "bytes")
            row.bytes("info_type_bytes", Int(clamping: size))
        }
    }

    private static func gain(_ name: String, _ reader: inout FieldReader) {
        definition(&reader)
        reader.fixed("default_\(name)", 2, fraction: 8, unit: "dB")
    }

    /// How often a parameter changes (section 3.6.1).
    private static func definition(_ reader: inout FieldReader) {
        reader.leb128("parameter_id")
        reader.leb128("parameter_rate", unit: "Hz")
        reader.bits([("param_definition_mode", 1), ("", 7)])
        guard reader.last == 0 else { return }
        reader.leb128("duration", unit: "ticks")
        guard reader.leb128("constant_subblock_duration", unit: "ticks") == 0 else { return }
        let blocks = reader.leb128("num_subblocks")
        reader.rows("subblock_durations", count: blocks) { $0.leb128("subblock_duration", unit: "ticks") }
    }
}

extension FieldReader {
    /// An unsigned number in groups of 7 bits, the lowest first, 8 bytes at most; without a field.
    mutating func rawLEB128(for name: String) -> UInt64? {
        var value: UInt64 = 0
        for place in 0..<8 {
            guard let byte = raw(1, for: name) else { return nil }
            value |= (byte & 0x7F) << UInt64(7 * place)
            if byte & 0x80 == 0 { break }
        }
        return value
    }

    /// An unsigned number in groups of 7 bits.
    @discardableResult
    mutating func leb128(_ name: String, unit: String = "", meaning: (UInt64) -> String = { _ in "" }) -> UInt64 {
        guard let value = rawLEB128(for: name) else { return 0 }
        add(name, FieldValue(value), unit: unit, meaning: meaning(value))
        return value
    }
}
