import Testing

@testable import AetherFormats

/// Configurations of codecs and items, each from a file of somebody else; the fields are those that the standards give its bytes.
@Suite struct CodecBoxTests {
    private func only(_ bytes: [UInt8]) throws -> InspectedBox { try #require(BoxTree.boxes(InspectedBytes(bytes)).first) }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.filter { !$0.isWhitespace })
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    private func record(_ box: InspectedBox, _ name: String) throws -> [InspectedField] {
        guard case .record(let fields)? = box[field: name] else { throw Missing(name: name) }
        return fields
    }

    private struct Missing: Error { let name: String }

    // MARK: - Video

    @Test func theConfigurationOfVVCHasProfileLevelAndSets() throws {
        let head = "00000000 ff 0065 5f 01 02 20 80 00 00 0140 00b8 0000"
        let config = try only(box("vvcC", bytes(head + "02 8f 0001 0003 00790 1 90 0001 0002 0081")))
        #expect(config.damage.isEmpty)
        #expect(config[field: "num_sublayers"] == .integer(6) && config[field: "bit_depth_minus8"] == .integer(2))
        #expect(config.fields.first { $0.name == "general_profile_idc" }?.meaning == "Main 10")
        #expect(config.fields.first { $0.name == "general_level_idc" }?.meaning == "level 2.0")
        #expect(config[field: "ptl_frame_only_constraint_flag"] == .integer(1))
        #expect(config[field: "max_picture_width"] == .integer(320) && config[field: "max_picture_height"] == .integer(184))
        #expect(config[field: "SPS"] == .bytes([0, 0x79, 1]) && config[field: "PPS"] == .bytes([0, 0x81]))
    }

    @Test func levelsOfSublayersOfVVCAreThoseWhoseBitIsSet() throws {
        // Three sublayers: a bit for the second, none for the first, then six reserved bits; no bytes of constraints; one sub-profile.
        let config = try only(box("vvcC", bytes("00000000 ff 0031 5f 00 02 20 80 10 01 0000002a 0010 0010 0000 01 0d 0001 ff")))
        #expect(config.damage.isEmpty)
        #expect(config[field: "num_sublayers"] == .integer(3))
        #expect(config[field: "sublayer_level_idc_1"] == .integer(16) && config[field: "sublayer_level_idc_0"] == nil)
        #expect(config[field: "general_sub_profile_idc"] == .list([.integer(42)]))
        #expect(config[field: "DCI"] == .bytes([0xFF]) && config[field: "num_nalus"] == nil)
    }

    @Test func aConfigurationThatEndsEarlyIsSaid() throws {
        let config = try only(box("vvcC", bytes("00000000 ff 0065 5f 01 02")))
        #expect(config.damage.contains { $0.contains("general_level_idc") })
    }

    @Test func lightLevelsAndDisplaysHaveTheirUnits() throws {
        let light = try only(box("clli", bytes("03e8 0190")))
        #expect(light.fields.map(\.line) == ["max_content_light_level: 1000 cd/m²", "max_pic_average_light_level: 400 cd/m²"])
        let display = try only(box("mdcv", bytes("33c2 86c4 1d4c 0bb8 84d0 3e80 3d13 4042 00989680 00000032")))
        #expect(
            display[field: "display_primaries_x_green"] == .integer(13_250)
                && display[field: "display_primaries_y_red"] == .integer(16_000))
        #expect(display[field: "max_display_mastering_luminance"] == .integer(10_000_000) && display.damage.isEmpty)
    }

    @Test func dolbyVisionHasProfileLevelAndLayers() throws {
        // Profile 8.1, level 6 with metadata and a base layer; 20 bytes of zeros follow.
        let config = try only(box("dvvC", bytes("01 00 1035 10 00000000") + [UInt8](repeating: 0, count: 16)))
        #expect(config[field: "dv_profile"] == .integer(8) && config[field: "dv_level"] == .integer(6))
        #expect(config[field: "rpu_present_flag"] == .integer(1) && config[field: "el_present_flag"] == .integer(0))
        #expect(config.fields.first { $0.name == "dv_bl_signal_compatibility_id" }?.meaning == "HDR10" && config.damage.isEmpty)
    }

    @Test func anEventHasItsTimeAndScheme() throws {
        let event = try only(
            fullBox(
                "emsg", version: 1,
                bytes("00015f90 0000000000057e40 00015f90 00000007") + Array("urn:scte:scte35:2013:bin".utf8) + [
                    0, 0x31, 0, 0xFC,
                ]))
        #expect(event[field: "timescale"] == .integer(90_000) && event[field: "presentation_time"] == .integer(360_000))
        #expect(event[field: "scheme_id_uri"] == .text("urn:scte:scte35:2013:bin") && event[field: "value"] == .text("1"))
        #expect(event[field: "message_data"] == .bytes([0xFC]))
    }

    // MARK: - Immersive audio

    /// The descriptors of iamf-tools' `7_1_4_Opus.iamf`.
    private static let descriptors = """
        f806 69616d66 0000
        0015 c801 4f707573 c007 fffc 01020138 0000bb80 0000 00
        0812 ac02 00 c801 07 00010203040506 00 20 70 07 05
        106a 2a 01 656e2d757300 44656661756c74204d69782050726573656e746174696f6e00 01 01 ac02 372e312e3400
        40 00 e707 80f702 80 0000 e607 80f702 80 0000 02 80 00 ec90 fdef a4 00 ee9f fe11
        01 69616d665f656e636f64657200 4769744875622f69616d662d746f6f6c7300
        """

    @Test func theConfigurationOfIAMFIsTakenApart() throws {
        let units = bytes(Self.descriptors)
        let config = try only(box("iacb", [1] + [0x80 | UInt8(units.count & 0x7F), UInt8(units.count >> 7)] + units))
        #expect(config.damage.isEmpty)
        #expect(config[field: "configOBUs_size"] == .integer(Int64(units.count)))
        #expect(try record(config, "IA Sequence Header").map(\.value) == [.text("iamf"), .integer(0), .integer(0)])
        let codec = try record(config, "Codec Config")
        #expect(codec.map(\.name).prefix(4) == ["codec_config_id", "codec_id", "num_samples_per_frame", "audio_roll_distance"])
        #expect(codec.map(\.value).prefix(4) == [.integer(200), .text("Opus"), .integer(960), .integer(-4)])
        #expect(codec.first { $0.name == "input_sample_rate" }?.value == .integer(48_000))
        let element = try record(config, "Audio Element")
        #expect(element.first { $0.name == "num_substreams" }?.value == .integer(7))
        guard case .list(let layers)? = element.first(where: { $0.name == "layers" })?.value,
            case .record(let layer)? = layers.first
        else { throw Missing(name: "layers") }
        #expect(layer.first?.meaning == "7.1.4" && layer.last?.value == .integer(5))
    }

    @Test func aMixOfIAMFHasItsLoudness() throws {
        let units = bytes(Self.descriptors)
        let config = try only(box("iacb", [1] + [0x80 | UInt8(units.count & 0x7F), UInt8(units.count >> 7)] + units))
        let mix = try record(config, "Mix Presentation")
        guard case .list(let mixes)? = mix.first(where: { $0.name == "sub_mixes" })?.value, case .record(let part)? = mixes.first,
            case .list(let layouts)? = part.last?.value, case .record(let first)? = layouts.first,
            case .record(let last)? = layouts.last
        else { throw Missing(name: "layouts") }
        #expect(first.first { $0.name == "sound_system" }?.meaning == "A, stereo")
        #expect(first.first { $0.name == "integrated_loudness" }?.value == .number(Double(Int16(bitPattern: 0xEC90)) / 256))
        #expect(last.first { $0.name == "sound_system" }?.meaning == "J, 7.1.4")
        #expect(mix.last?.value.text.contains("iamf_encoder") == true)
    }

    @Test func unitsOfIAMFThatLieAboutTheirSizeAreSaid() throws {
        let config = try only(box("iacb", bytes("01 08 f8 7f 69616d66 00 00")))
        #expect(!config.damage.isEmpty)
        let cut = try only(box("iacb", bytes("01 06 f804 69616d66")))
        #expect(cut.damage.contains { $0.hasPrefix("IA Sequence Header") })
    }

    // MARK: - Items

    @Test func placesOfItemsAreRead() throws {
        let location = try only(
            fullBox("iloc", bytes("4400 0002 0001 0000 0001 00000742 0000025b 0002 0000 0001 00000714 0000001d")))
        #expect(location.damage.isEmpty)
        guard case .list(let items)? = location[field: "items"], case .record(let second)? = items.last else {
            throw Missing(name: "items")
        }
        #expect(items.count == 2 && second.first?.value == .integer(2))
        #expect(second.last?.value.text == "[extent_offset 1812, extent_length 29 bytes]")
    }

    @Test func aWidthThatNoneMayHaveIsSaid() throws {
        let location = try only(fullBox("iloc", bytes("7400 0001 0001 0000 0001 00000742 0000025b")))
        #expect(location.damage == ["a number has 7 bytes; 0, 4 and 8 are allowed"])
    }

    @Test func propertiesOfItemsAreRead() throws {
        let properties = try only(fullBox("ipma", bytes("00000002 0001 04 01 02 83 04 0002 04 01 05 86 07")))
        #expect(properties.damage.isEmpty)
        guard case .list(let items)? = properties[field: "associations"], case .record(let first)? = items.first
        else { throw Missing(name: "associations") }
        #expect(first.last?.value.text.contains("essential 1, property_index 3") == true)
        let wide = try only(fullBox("ipma", version: 1, flags: 1, bytes("00000001 00010000 01 8001")))
        guard case .list(let rows)? = wide[field: "associations"], case .record(let row)? = rows.first else {
            throw Missing(name: "rows")
        }
        #expect(
            row.map(\.value) == [
                .integer(65_536), .integer(1),
                .list([.record([.init("essential", .integer(1)), .init("property_index", .integer(1))])]),
            ])
    }

    @Test func aFloatOfAnItemIsANumber() throws {
        let item = try only(
            box("moov", box("meta", [0, 0, 0, 0] + box("ilst", box("fps_", box("data", bytes("00000017 00000000 43700000")))))))
        #expect(item.part("meta", "ilst", "fps_", "data")?[field: "value"] == .number(240))
    }
}
