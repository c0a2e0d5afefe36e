import AetherCore
import AetherTestSupport
import Testing

@testable import AetherFormats

@Suite struct ParameterSetTests {
    private func value(_ set: ParameterSet, _ name: String) -> FieldValue? { set.fields.first { $0.name == name }?.value }

    /// As x264 writes it for 96x54 at 20 frames a second, High profile, level 1.
    private let sequence: [UInt8] = [
        0x67, 0x64, 0x00, 0x0A, 0xAC, 0xD9, 0x46, 0x7E, 0xE1, 0x00, 0x00, 0x03, 0x00, 0x01, 0x00, 0x00, 0x03, 0x00, 0x28, 0x0F,
        0x12, 0x25, 0x96,
    ]

    @Test func theSetsOfH264HaveTheirFields() {
        let set = ParameterSet(sequence, .avc)
        #expect(set.name == "SPS" && set.isWhole)
        #expect(value(set, "profile_idc") == .integer(100) && value(set, "level_idc") == .integer(10))
        #expect(value(set, "frame_mbs_only_flag") == .integer(1) && value(set, "width") != nil && value(set, "height") != nil)
    }

    @Test func aSetThatEndsTooEarlySaysSo() {
        #expect(!ParameterSet(Array(sequence.prefix(5)), .avc).isWhole)
        #expect(ParameterSet([], .hevc).name == "TRAIL_N" && ParameterSet([], .av1).name == "nothing")
    }

    @Test func theConfigurationOfAACIsRead() {
        // AAC LC, 48000 Hz, stereo.
        let fields = AudioSpecificConfig.fields([0x11, 0x90])
        #expect(fields.map(\.name).prefix(3) == ["audioObjectType", "samplingFrequencyIndex", "channelConfiguration"])
        #expect(fields.map(\.meaning).prefix(3) == ["AAC LC", "48000 Hz", "stereo"])
    }

    @Test func unitsAreListedBehindLengthsAndStartCodes() {
        let units: [[UInt8]] = [[0x09, 0x10], [0x65, 0x88, 0x84], [0x41, 0x9A]]
        let lengths: [UInt8] = units.flatMap { number($0.count, 4) + $0 }
        let started: [UInt8] = units.flatMap { [0, 0, 0, 1] + $0 }, header: [UInt8] = [1, 100, 0, 10, 0xFF, 0xE0, 0]
        for (bytes, header) in [(lengths, header), (started, [UInt8]())] {
            var inspection = CodecInspection(stream: 0, codec: "h264", header: header)
            inspection.take(bytes)
            #expect(inspection.packets.first?.map(\.name) == ["access unit delimiter", "IDR slice", "slice"])
            let slice = inspection.packets.first?[1].fields.first { $0.name == "slice_type" }
            #expect(slice?.meaning == "I")
        }
    }

    @Test func messagesAreNamed() {
        let captions: [UInt8] = [0x06, 4, 10, 0xB5, 0, 0x31] + Array("GA94".utf8) + [3, 0, 0, 0x80]
        var inspection = CodecInspection(stream: 0, codec: "h264", header: [])
        inspection.take([0, 0, 1] + captions)
        let unit = inspection.packets.first?.first
        #expect(unit?.name == "SEI" && unit?.fields.first?.name == "user_data_registered_itu_t_t35")
        #expect(unit?.fields.first?.meaning == "captions (CEA-608, CEA-708)")
    }
}
