/// The entries of a sample description (ISO/IEC 14496-12, 12; 14496-14, -15, -30; QuickTime).
enum SampleEntryBoxes {
    /// The layout of an entry, by its own kind where that is known, else by the kind of media of the track.
    static func layout(_ type: String, handler: String) -> BoxLayout? {
        if let layout = others[type] { return layout }
        switch handler {
        case "vide", "pict", "auxv": return visual(videoNames[type] ?? "Video")
        case "soun": return audio(audioNames[type] ?? "Audio")
        default:
            if let name = videoNames[type] { return visual(name) }
            if let name = audioNames[type] { return audio(name) }
            return handler.isEmpty ? nil : plain("Sample Entry")
        }
    }

    private static let videoNames = [
        "avc1": "AVC (H.264)", "avc2": "AVC, extractors", "avc3": "AVC, parameter sets in the samples", "avc4": "AVC, extractors",
        "hvc1": "HEVC (H.265)", "hev1": "HEVC, parameter sets in the samples", "hvc2": "HEVC, extractors",
        "hev2": "HEVC, extractors",
        "dvh1": "Dolby Vision, HEVC", "dvhe": "Dolby Vision, HEVC", "dva1": "Dolby Vision, AVC", "dvav": "Dolby Vision, AVC",
        "dav1": "Dolby Vision, AV1", "av01": "AV1", "vp08": "VP8", "vp09": "VP9", "mp4v": "MPEG-4 Visual",
        "encv": "Encrypted video",
        "vvc1": "VVC (H.266)", "vvi1": "VVC, parameter sets in the samples", "s263": "H.263", "mjpa": "Motion JPEG A",
        "mjpb": "Motion JPEG B",
        "jpeg": "JPEG", "png ": "PNG", "apcn": "ProRes 422", "apch": "ProRes 422 HQ", "apcs": "ProRes 422 LT",
        "apco": "ProRes 422 Proxy",
        "ap4h": "ProRes 4444", "ap4x": "ProRes 4444 XQ", "resv": "Restricted video", "rle ": "QuickTime Animation",
        "SVQ3": "Sorenson 3",
        "FFV1": "FFV1", "raw ": "Uncompressed", "dvc ": "DV", "mp1v": "MPEG-1 video", "mp2v": "MPEG-2 video", "evc1": "EVC",
    ]

    private static let audioNames = [
        "mp4a": "MPEG-4 audio", "enca": "Encrypted audio", "ac-3": "AC-3", "ec-3": "E-AC-3", "ac-4": "AC-4", "Opus": "Opus",
        "fLaC": "FLAC", "alac": "ALAC", "samr": "AMR, narrow band", "sawb": "AMR, wide band", "dtsc": "DTS", "dtsh": "DTS-HD",
        "dtsl": "DTS-HD Lossless", "dtse": "DTS Express", "dtsx": "DTS:X", "mlpa": "Dolby TrueHD", "mhm1": "MPEG-H 3D Audio",
        "mha1": "MPEG-H 3D Audio", "twos": "PCM, big endian", "sowt": "PCM, little endian", "lpcm": "PCM", "ipcm": "PCM",
        "fpcm": "PCM, floating point",
        "in24": "PCM, 24 bits", "in32": "PCM, 32 bits", "fl32": "PCM, floating point", "fl64": "PCM, floating point",
        "ulaw": "µ-law",
        "alaw": "A-law", ".mp3": "MP3", "iamf": "Immersive Audio", "ima4": "IMA ADPCM", "MAC3": "MACE 3:1", "MAC6": "MACE 6:1",
        "NONE": "PCM, 8 bits", "spex": "Speex", "usac": "USAC",
    ]

    private static func start(_ reader: inout FieldReader) {
        reader.skip(6)
        reader.number("data_reference_index", 2)
    }

    private static func plain(_ title: String, _ read: @escaping @Sendable (inout FieldReader) -> Void = { _ in }) -> BoxLayout {
        BoxLayout(title, holdsBoxes: true) { reader, _ in
            start(&reader)
            read(&reader)
        }
    }

    private static func visual(_ title: String) -> BoxLayout {
        plain(title) { reader in
            reader.number("version", 2)
            reader.number("revision_level", 2)
            reader.fourLetters("vendor")
            reader.number("temporal_quality", 4)
            reader.number("spatial_quality", 4)
            reader.number("width", 2, unit: "pixels")
            reader.number("height", 2, unit: "pixels")
            reader.fixed("horizresolution", 4, fraction: 16, unit: "pixels/inch", isSigned: false)
            reader.fixed("vertresolution", 4, fraction: 16, unit: "pixels/inch", isSigned: false)
            reader.number("data_size", 4)
            reader.number("frame_count", 2)
            guard let name = reader.take(32, for: "compressorname"), let length = name.first else { return }
            reader.add(
                "compressorname",
                FieldValue(stranger: String(decoding: name.dropFirst().prefix(Int(min(31, length))), as: UTF8.self)))
            reader.number("depth", 2, unit: "bits") {
                [0x18: "colour without alpha", 0x20: "colour with alpha", 0x28: "grey"][$0] ?? ""
            }
            reader.signed("pre_defined", 2) { $0 == -1 ? "no colour table" : "" }
        }
    }

    private static func audio(_ title: String) -> BoxLayout {
        plain(title) { reader in
            let version = reader.number("version", 2)
            reader.number("revision_level", 2)
            reader.fourLetters("vendor")
            reader.number("channelcount", 2)
            reader.number("samplesize", 2, unit: "bits")
            reader.signed("compression_id", 2)
            reader.number("packet_size", 2)
            reader.fixed("samplerate", 4, fraction: 16, unit: "Hz", isSigned: false)
            if version == 1 {
                reader.number("samples_per_packet", 4)
                reader.number("bytes_per_packet", 4)
                reader.number("bytes_per_frame", 4)
                reader.number("bytes_per_sample", 4)
            } else if version == 2 {
                reader.number("size_of_struct_only", 4)
                if let bits = reader.raw(8, for: "audio_sample_rate") {
                    reader.add("audio_sample_rate", .number(Double(bitPattern: bits)), unit: "Hz")
                }
                reader.number("num_audio_channels", 4)
                reader.skip(4)
                reader.number("const_bits_per_channel", 4)
                reader.number("format_specific_flags", 4)
                reader.number("const_bytes_per_audio_packet", 4)
                reader.number("const_LPCM_frames_per_audio_packet", 4)
            }
        }
    }

    private static let others: [String: BoxLayout] = [
        "tx3g": timedText,
        "text": BoxLayout("QuickTime Text") { reader, _ in
            start(&reader)
            reader.number("display_flags", 4)
            reader.number("text_justification", 4)
            reader.remainder("style")
        },
        "wvtt": plain("WebVTT"),
        "stpp": plain("XML Subtitles (TTML)") { reader in
            for name in ["namespace", "schema_location", "auxiliary_mime_types"] { reader.text(name) }
        },
        "sbtt": plain("Text Subtitles") { reader in
            reader.text("content_encoding")
            reader.text("mime_format")
        },
        "stxt": plain("Text") { reader in
            reader.text("content_encoding")
            reader.text("mime_format")
        },
        "metx": plain("XML Metadata") { reader in
            for name in ["content_encoding", "namespace", "schema_location"] { reader.text(name) }
        },
        "mett": plain("Text Metadata") { reader in for name in ["content_encoding", "mime_format"] { reader.text(name) } },
        "urim": plain("Metadata by URI"), "mebx": plain("Metadata by keys"), "mp4s": plain("MPEG-4 Systems"),
        "c608": plain("Captions CEA-608"), "c708": plain("Captions CEA-708"), "dvbs": plain("DVB Subtitles"),
        "tmcd": plain("Time Code") { reader in
            reader.skip(4)
            reader.flags("flags", 4, [(1, "drop frame"), (2, "24 hour maximum"), (4, "negative times"), (8, "counter")])
            reader.number("timescale", 4, unit: "ticks a second")
            reader.number("frame_duration", 4, unit: "ticks")
            reader.number("number_of_frames", 1, unit: "frames a second")
            reader.skip(1)
        },
        "rtp ": plain("RTP Hints") { reader in
            reader.number("hinttrackversion", 2)
            reader.number("highestcompatibleversion", 2)
            reader.number("maxpacketsize", 4, unit: "bytes")
        },
    ]

    private static let timedText = plain("3GPP Timed Text") { reader in
        reader.flags(
            "displayFlags", 4, [(0x20, "scroll in"), (0x40, "scroll out"), (0x20000, "fill the region"), (0x40000000, "forced")])
        reader.signed("horizontal_justification", 1)
        reader.signed("vertical_justification", 1)
        reader.bytes("background_color_rgba", 4)
        for name in ["top", "left", "bottom", "right"] { reader.signed("box_" + name, 2, unit: "pixels") }
        reader.number("startChar", 2)
        reader.number("endChar", 2)
        reader.number("font_ID", 2)
        reader.flags("face_style_flags", 1, [(1, "bold"), (2, "italic"), (4, "underline")])
        reader.number("font_size", 1, unit: "pixels")
        reader.bytes("text_color_rgba", 4)
    }
}
