import AetherCore
import CFFmpeg

/// Tells by the first packet of HEVC whether its frames bring metadata of their own: a unit of Dolby Vision, or HDR10+ in a message of ITU-T T.35.
/// Nothing is decoded. Bytes are hostile.
enum DynamicMetadata {
    /// Messages in one unit that are looked at.
    private static let messageLimit = 64
    /// Country, provider, its code, application: ST 2094-40 as Samsung registered it.
    private static let hdr10Plus: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]

    /// Whether a stream's first packet can say more than its header.
    static func isCandidate(_ codec: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
        codec.pointee.codec_id == AV_CODEC_ID_HEVC && VideoFormat(codec.pointee.color_trc) != .sdr
            || codec.pointee.codec_id == AV_CODEC_ID_HEVC && codec.pointee.color_trc == AVCOL_TRC_UNSPECIFIED
    }

    /// The format of a stream after its first packet. `header` is what the container keeps for the decoder.
    static func format(_ known: VideoFormat, packet: UnsafeRawBufferPointer, header: [UInt8]) -> VideoFormat {
        let units = HEVCUnits(header: header)
        if units.metadata(in: packet) != nil { return .dolbyVision }
        guard known == .hdr10 else { return known }
        return units.messages(in: packet).contains { hasHDR10Plus(message: packet[$0]) } ? .hdr10Plus : known
    }

    /// Whether one message of a unit, header included, is HDR10+.
    private static func hasHDR10Plus(message unit: Slice<UnsafeRawBufferPointer>) -> Bool {
        var rest = withoutEmulation(unit.dropFirst(2).prefix(4096))[...]
        for _ in 0..<messageLimit {
            guard rest.count > 2, let type = number(&rest), let size = number(&rest) else { return false }
            let body = rest.prefix(size)
            if type == 4, body.starts(with: hdr10Plus) { return true }
            rest = rest.dropFirst(size)
        }
        return false
    }

    /// Bytes of 255 and one that is less, added up.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var sum = 0
        while let byte = rest.popFirst() {
            sum += Int(byte)
            if byte < 255 { return sum }
        }
        return nil
    }

    private static func withoutEmulation(_ bytes: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        var result: [UInt8] = [], zeros = 0
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
