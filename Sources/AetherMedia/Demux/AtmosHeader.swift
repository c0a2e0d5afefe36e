import CFFmpeg

/// Whether a packet carries Dolby Atmos objects, by its headers alone; nothing is decoded. Pure.
///
/// - E-AC-3: the additional bit stream information of a frame has the flag of extension type A (ETSI TS 103 420, 8.3), which is
///   there exactly where JOC is. All frames of the packet are looked at: the flag may be on a dependent one.
/// - TrueHD: the major sync says in `substream_info` that a 16-channel presentation is there.
enum AtmosHeader {
    /// The codecs that can.
    static func isCandidate(_ codec: AVCodecID) -> Bool { codec == AV_CODEC_ID_EAC3 || codec == AV_CODEC_ID_TRUEHD }

    /// A packet can hold a frame of each of 8 programs with 8 parts at most.
    private static let frameLimit = 64

    static func isPresent(_ codec: AVCodecID, _ packet: UnsafeRawBufferPointer) -> Bool {
        switch codec {
        case AV_CODEC_ID_EAC3: enhanced(packet)
        case AV_CODEC_ID_TRUEHD: trueHD(packet)
        default: false
        }
    }

    private static func enhanced(_ packet: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        for _ in 0..<frameLimit {
            guard start + 6 <= packet.count else { return false }
            let frame = UnsafeRawBufferPointer(rebasing: packet[start...])
            guard let length = frameLength(frame) else { return false }
            if hasExtensionA(UnsafeRawBufferPointer(rebasing: frame.prefix(length))) { return true }
            start += length
        }
        return false
    }

    /// Bytes of the frame that begins here; nil where none does. An AC-3 core frame (bsid ≤ 10) has its length in a table.
    private static func frameLength(_ frame: UnsafeRawBufferPointer) -> Int? {
        guard frame[0] == 0x0B, frame[1] == 0x77 else { return nil }
        if frame[5] >> 3 > 10 { return ((Int(frame[2]) & 7) << 8 | Int(frame[3])) * 2 + 2 }
        let code = Int(frame[4])
        let rates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
        guard code & 0x3F < 38 else { return nil }
        let kilobits = rates[(code & 0x3F) >> 1]
        switch code >> 6 {
        case 0: return kilobits * 4
        case 1: return (kilobits * 320 / 147 + (code & 1)) * 2
        case 2: return kilobits * 6
        default: return nil
        }
    }

    /// Walks the bit stream information of ETSI TS 102 366, E.1.2, to its end.
    private static func hasExtensionA(_ frame: UnsafeRawBufferPointer) -> Bool {
        var bits = BitReader(frame)
        bits.skip(16)
        let type = bits.read(2)
        bits.skip(3 + 11)
        let rate = bits.read(2)
        let blocks =
            rate == 3
            ? {
                bits.skip(2); return 3
            }() : bits.read(2)
        let mode = bits.read(3)
        let hasLFE = bits.flag()
        guard (11...16).contains(bits.read(5)), type != 3 else { return false }
        for _ in 0..<(mode == 0 ? 2 : 1) {
            bits.skip(5)
            bits.skipOptional(8)
        }
        if type == 1 { bits.skipOptional(16) }
        if bits.flag() { skipMixing(&bits, type: type, mode: mode, hasLFE: hasLFE, blocks: blocks) }
        if bits.flag() { skipInformation(&bits, mode: mode, rate: rate) }
        if type == 0, blocks != 3 { bits.skip(1) }
        if type == 2, blocks == 3 || bits.flag() { bits.skip(6) }
        guard bits.flag() else { return false }
        // At least one byte follows: seven reserved bits and the flag.
        bits.skip(6 + 7)
        return bits.flag() && !bits.isOverrun
    }

    private static func skipMixing(_ bits: inout BitReader, type: Int, mode: Int, hasLFE: Bool, blocks: Int) {
        if mode > 2 { bits.skip(2) }
        if mode & 1 != 0, mode > 2 { bits.skip(6) }
        if mode & 4 != 0 { bits.skip(6) }
        if hasLFE { bits.skipOptional(5) }
        guard type == 0 else { return }
        bits.skipOptional(6)
        if mode == 0 { bits.skipOptional(6) }
        bits.skipOptional(6)
        switch bits.read(2) {
        case 1: bits.skip(5)
        case 2: bits.skip(12)
        case 3:
            let bytes = bits.read(5) + 2
            bits.skip(bytes * 8)
        default: break
        }
        if mode < 2 { bits.skipOptional(14) }
        if mode == 0 { bits.skipOptional(14) }
        guard bits.flag() else { return }
        if blocks == 0 {
            bits.skip(5)
        } else {
            for _ in 0..<[1, 2, 3, 6][blocks] { bits.skipOptional(5) }
        }
    }

    private static func skipInformation(_ bits: inout BitReader, mode: Int, rate: Int) {
        bits.skip(5)
        if mode == 2 { bits.skip(4) }
        if mode >= 6 { bits.skip(2) }
        bits.skipOptional(8)
        if mode == 0 { bits.skipOptional(8) }
        if rate < 3 { bits.skip(1) }
    }

    /// The first access unit of a packet, which begins a stream with a major sync: 4 bytes of its own header, the sync word, and
    /// `substream_info` in the 14th byte from there.
    private static func trueHD(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard packet.count >= 22, packet[4] == 0xF8, packet[5] == 0x72, packet[6] == 0x6F, packet[7] == 0xBA else { return false }
        guard packet[12] == 0xB7, packet[13] == 0x52 else { return false }
        return packet[20] >> 4 >= 4 && packet[21] & 0x80 != 0
    }
}
