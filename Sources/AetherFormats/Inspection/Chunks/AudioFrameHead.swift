/// The head of a frame of MPEG audio (ISO/IEC 11172-3) or of ADTS (ISO/IEC 13818-7).
struct AudioFrameHead {
    let name: String
    /// Bytes of the frame, and of its head.
    let size: Int, length: Int
    let seconds: Double
    let fields: [InspectedField]

    private static let rates: [[Int]] = [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// Reads the head that bytes begin with; nil where there is none.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes.prefix(10))
        guard bytes.count >= 7, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
        let layer = Int(bytes[1] >> 1 & 3)
        if layer == 0 { self.init(transport: bytes) } else { self.init(mpeg: bytes, layer: 4 - layer) }
    }

    private init?(transport bytes: [UInt8]) {
        guard bytes[1] & 0xF6 == 0xF0 else { return nil }
        var bits = BitFields(bytes)
        bits.skip(12)
        bits.number("ID", 1) { $0 == 1 ? "MPEG-2" : "MPEG-4" }
        bits.skip(2)
        let isBare = bits.flag("protection_absent")
        bits.number("profile", 2) { AudioSpecificConfig.objects[$0 + 1] ?? "" }
        let index = bits.number("sampling_frequency_index", 4) {
            AudioSpecificConfig.rates.indices.contains($0) ? "\(AudioSpecificConfig.rates[$0]) Hz" : ""
        }
        bits.skip(1)
        bits.number("channel_configuration", 3) { AudioSpecificConfig.layouts[$0] ?? "" }
        bits.skip(4)
        size = bits.number("aac_frame_length", 13, unit: "bytes")
        bits.number("adts_buffer_fullness", 11)
        let blocks = bits.number("number_of_raw_data_blocks_in_frame", 2) + 1
        length = isBare ? 7 : 9
        guard AudioSpecificConfig.rates.indices.contains(index), size >= length else { return nil }
        name = "ADTS"
        seconds = Double(1024 * blocks) / Double(AudioSpecificConfig.rates[index])
        fields = bits.fields
    }

    private init?(mpeg bytes: [UInt8], layer: Int) {
        var bits = BitFields(bytes)
        bits.skip(11)
        let version = bits.number("version", 2) { [0: "MPEG-2.5", 2: "MPEG-2", 3: "MPEG-1"][$0] ?? "" }
        bits.number("layer", 2) { "layer \(4 - $0)" }
        bits.flag("protection_bit")
        let column = version == 3 ? layer - 1 : layer == 1 ? 3 : 4
        let rateIndex = bits.number("bitrate_index", 4) { $0 < 15 ? "\(Self.rates[column][$0]) kbit/s" : "" }
        let base = [44100, 48000, 32000], shift = version == 3 ? 0 : version == 2 ? 1 : 2
        let index = bits.number("sampling_frequency", 2) { $0 < 3 ? "\(base[$0] >> shift) Hz" : "" }
        let padding = bits.number("padding_bit", 1)
        guard version != 1, (1...14).contains(rateIndex), index < 3 else { return nil }
        bits.skip(1)
        bits.number("mode", 2) { ["stereo", "joint stereo", "dual channel", "mono"][$0] }
        bits.number("mode_extension", 2)
        for name in ["copyright", "original"] { bits.flag(name) }
        bits.number("emphasis", 2)
        let frequency = base[index] >> shift, rate = Self.rates[column][rateIndex] * 1000
        let samples = layer == 1 ? 384 : layer == 3 && version != 3 ? 576 : 1152
        size = layer == 1 ? (12 * rate / frequency + padding) * 4 : samples / 8 * rate / frequency + padding
        length = 4
        guard size >= length else { return nil }
        name = "MPEG audio"
        seconds = Double(samples) / Double(frequency)
        fields = bits.fields
    }
}
