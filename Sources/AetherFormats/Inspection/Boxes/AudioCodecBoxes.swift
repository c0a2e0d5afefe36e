/// Configurations of audio codecs (ISO/IEC 14496-14, ETSI TS 102 366 and 103 190, Opus, FLAC, ALAC, DTS, Dolby TrueHD).
enum AudioCodecBoxes {
    static let layouts: [String: BoxLayout] = [
        "esds": BoxLayout("Elementary Stream Descriptor") { reader, _ in
            reader.full()
            Descriptors.read(&reader)
        },
        "dac3": ac3, "dec3": eac3, "dac4": ac4, "dOps": opus, "ddts": dts,
        "dfLa": BoxLayout("FLAC Configuration") { reader, _ in
            reader.full()
            while reader.left >= 4, !reader.isOver {
                reader.bits([("last_metadata_block_flag", 1), ("block_type", 7), ("length", 24)])
                FLACFields.block(&reader)
            }
        },
        "alac": BoxLayout("ALAC Configuration") { reader, _ in
            reader.full()
            reader.number("frameLength", 4, unit: "samples")
            for name in ["compatibleVersion", "bitDepth", "pb", "mb", "kb", "numChannels"] { reader.number(name, 1) }
            reader.number("maxRun", 2)
            reader.number("maxFrameBytes", 4, unit: "bytes")
            reader.number("avgBitRate", 4, unit: "bit/s")
            reader.number("sampleRate", 4, unit: "Hz")
        },
        "dmlp": BoxLayout("MLP Configuration") { reader, _ in
            reader.number("format_info", 4)
            reader.bits([("peak_data_rate", 15), ("", 1)])
            reader.skip(4)
        },
        "damr": BoxLayout("AMR Configuration") { reader, _ in
            reader.fourLetters("vendor")
            for name in ["decoder_version", "mode_set_high", "mode_set_low", "mode_change_period", "frames_per_sample"] {
                reader.number(name, 1)
            }
        },
        "mhaC": BoxLayout("MPEG-H Configuration") { reader, _ in
            reader.number("configurationVersion", 1)
            reader.number("mpegh3daProfileLevelIndication", 1)
            reader.number("referenceChannelLayout", 1)
            let length = reader.number("mpegh3daConfigLength", 2, unit: "bytes")
            reader.bytes("mpegh3daConfig", Int(length))
        },
        "btrt": BoxLayout("Bit Rate") { reader, _ in
            reader.number("bufferSizeDB", 4, unit: "bytes")
            reader.number("maxBitrate", 4, unit: "bit/s")
            reader.number("avgBitrate", 4, unit: "bit/s")
        },
        "pcmC": BoxLayout("PCM Configuration") { reader, _ in
            reader.full()
            reader.flags("format_flags", 1, [(1, "little endian")])
            reader.number("PCM_sample_size", 1, unit: "bits")
        },
        "chan": BoxLayout("Audio Channel Layout") { reader, _ in
            reader.full()
            reader.number("channelLayoutTag", 4) { "\($0 & 0xFFFF) channels" }
            reader.number("channelBitmap", 4)
            let count = reader.number("numberChannelDescriptions", 4)
            reader.table("channelDescriptions", count: count, stride: 20) { row in
                row.number("channelLabel", 4)
                row.number("channelFlags", 4)
                row.skip(12)
            }
        },
        "chnl": BoxLayout("Channel Layout") { reader, _ in
            reader.full()
            reader.flags("stream_structure", 1, [(1, "channels"), (2, "objects")])
            reader.number("definedLayout", 1)
            reader.remainder("layout")
        },
        "srat": BoxLayout("Sampling Rate") { reader, _ in
            reader.full()
            reader.number("sampling_rate", 4, unit: "Hz")
        },
        "wave": .holder("QuickTime Sound Settings"),
        "enda": BoxLayout("Byte Order") { reader, _ in reader.code("littleEndian", 2, [0: "big endian", 1: "little endian"]) },
        "ludt": .holder("Loudness"), "tlou": .plain("Track Loudness"), "alou": .plain("Album Loudness"),
    ]

    private static let rates = [0: "48000 Hz", 1: "44100 Hz", 2: "32000 Hz"]
    private static let modes = [0: "1+1", 1: "1/0", 2: "2/0", 3: "3/0", 4: "2/1", 5: "3/1", 6: "2/2", 7: "3/2"]
    private static let ac3Rates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]

    private static let ac3 = BoxLayout("AC-3 Configuration") { reader, _ in
        guard let bytes = reader.take(3, for: "dac3") else { return }
        var bits = BitFields(Array(bytes))
        bits.number("fscod", 2) { rates[$0] ?? "" }
        bits.number("bsid", 5)
        bits.number("bsmod", 3)
        bits.number("acmod", 3) { modes[$0] ?? "" }
        bits.number("lfeon", 1)
        bits.number("bit_rate_code", 5) { $0 < ac3Rates.count ? "\(ac3Rates[$0]) kbit/s" : "" }
        reader.add(contentsOf: bits.fields)
    }

    private static let eac3 = BoxLayout("E-AC-3 Configuration") { reader, _ in
        guard let bytes = reader.take(reader.rest.count, for: "dec3") else { return }
        var bits = BitFields(Array(bytes))
        bits.number("data_rate", 13, unit: "kbit/s")
        let streams = bits.number("num_ind_sub", 3) + 1
        for _ in 0..<streams {
            bits.number("fscod", 2) { rates[$0] ?? "" }
            bits.number("bsid", 5)
            bits.skip(1)
            bits.number("asvc", 1)
            bits.number("bsmod", 3)
            bits.number("acmod", 3) { modes[$0] ?? "" }
            bits.number("lfeon", 1)
            bits.skip(3)
            if bits.number("num_dep_sub", 4) > 0 { bits.number("chan_loc", 9) } else { bits.skip(1) }
        }
        if bits.left >= 16 {
            bits.skip(7)
            if bits.number("flag_ec3_extension_type_a", 1, meaning: { $0 == 1 ? "Dolby Atmos" : "" }) == 1 {
                bits.number("complexity_index_type_a", 8)
            }
        }
        reader.add(contentsOf: bits.fields)
        if bits.isOverrun { reader.complain("it ends before its fields do") }
    }

    private static let ac4 = BoxLayout("AC-4 Configuration") { reader, _ in
        guard let bytes = reader.take(reader.rest.count, for: "dac4") else { return }
        var bits = BitFields(Array(bytes))
        bits.number("ac4_dsi_version", 3)
        bits.number("bitstream_version", 7)
        bits.number("fs_index", 1) { $0 == 1 ? "48000 Hz" : "44100 Hz" }
        bits.number("frame_rate_index", 4)
        bits.number("n_presentations", 9)
        reader.add(contentsOf: bits.fields)
        reader.add("presentations", .bytes(Array(bytes.dropFirst(3).prefix(64))))
    }

    private static let opus = BoxLayout("Opus Configuration") { reader, _ in
        reader.number("Version", 1)
        let channels = reader.number("OutputChannelCount", 1)
        reader.number("PreSkip", 2, unit: "samples at 48000 Hz")
        reader.number("InputSampleRate", 4, unit: "Hz")
        reader.fixed("OutputGain", 2, fraction: 8, unit: "dB")
        guard reader.number("ChannelMappingFamily", 1) != 0 else { return }
        reader.number("StreamCount", 1)
        reader.number("CoupledCount", 1)
        reader.table("ChannelMapping", count: channels, stride: 1) { $0.number("channel", 1) }
    }

    private static let dts = BoxLayout("DTS Configuration") { reader, _ in
        reader.number("DTSSamplingFrequency", 4, unit: "Hz")
        reader.number("maxBitrate", 4, unit: "bit/s")
        reader.number("avgBitrate", 4, unit: "bit/s")
        reader.number("pcmSampleDepth", 1, unit: "bits")
        guard let bytes = reader.take(7, for: "ddts") else { return }
        var bits = BitFields(Array(bytes))
        bits.number("FrameDuration", 2) { [512, 1024, 2048, 4096].indices.contains($0) ? "\(512 << $0) samples" : "" }
        for (name, count) in [
            ("StreamConstruction", 5), ("CoreLFEPresent", 1), ("CoreLayout", 6), ("CoreSize", 14), ("StereoDownmix", 1),
            ("RepresentationType", 3), ("ChannelLayout", 16), ("MultiAssetFlag", 1), ("LBRDurationMod", 1),
        ] { bits.number(name, count) }
        reader.add(contentsOf: bits.fields)
    }
}
