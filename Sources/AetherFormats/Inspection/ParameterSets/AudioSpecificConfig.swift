/// The configuration of MPEG-4 audio (ISO/IEC 14496-3, 1.6.2.1).
enum AudioSpecificConfig {
    static let objects = [
        1: "AAC Main", 2: "AAC LC", 3: "AAC SSR", 4: "AAC LTP", 5: "SBR (HE-AAC)", 6: "AAC scalable", 22: "ER BSAC",
        23: "ER AAC LD", 29: "PS (HE-AAC v2)",
        32: "MPEG layer 1", 33: "MPEG layer 2", 34: "MPEG layer 3", 36: "ALS", 39: "ER AAC ELD", 42: "USAC (xHE-AAC)",
    ]
    static let rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
    static let layouts = [
        1: "mono", 2: "stereo", 3: "3.0", 4: "4.0", 5: "5.0", 6: "5.1", 7: "7.1", 11: "6.1", 12: "7.1", 14: "7.1.4",
    ]

    static func fields(_ bytes: [UInt8]) -> [InspectedField] {
        var bits = BitFields(bytes)
        let object = type(&bits, "audioObjectType")
        rate(&bits, "samplingFrequencyIndex")
        bits.number("channelConfiguration", 4) { layouts[$0] ?? "" }
        if object == 5 || object == 29 {
            rate(&bits, "extensionSamplingFrequencyIndex")
            _ = type(&bits, "coreAudioObjectType")
        }
        if [1, 2, 3, 4, 6, 7].contains(object) {
            bits.number("frameLengthFlag", 1) { $0 == 1 ? "960 samples" : "1024 samples" }
            if bits.flag("dependsOnCoreCoder") { bits.number("coreCoderDelay", 14) }
            bits.flag("extensionFlag")
            if bits.left >= 16, bits.raw(11) == 0x2B7 {
                bits.add("syncExtensionType", .integer(0x2B7))
                _ = type(&bits, "extensionAudioObjectType")
                if bits.flag("sbrPresentFlag") { rate(&bits, "extensionSamplingFrequencyIndex") }
            }
        }
        return bits.fields
    }

    private static func type(_ bits: inout BitFields, _ name: String) -> Int {
        var object = bits.raw(5)
        if object == 31 { object = 32 + bits.raw(6) }
        if !bits.isOverrun { bits.add(name, .integer(Int64(object)), meaning: objects[object] ?? "") }
        return object
    }

    private static func rate(_ bits: inout BitFields, _ name: String) {
        let index = bits.number(name, 4) { rates.indices.contains($0) ? "\(rates[$0]) Hz" : "" }
        if index == 15 { bits.number("samplingFrequency", 24, unit: "Hz") }
    }
}
