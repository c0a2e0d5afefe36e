/// The header before each frame of AAC in transport streams and radio (ISO 13818-7, 6.2), which MP4 has once in another form. Pure.
struct ADTSHeader: Equatable {
    /// Bytes before the frame: 7, or 9 with a check sum.
    let byteCount: Int
    /// AudioSpecificConfig (ISO 14496-3, 1.6.2.1): object type, rate and channels.
    let configuration: [UInt8]

    /// Reads the header of a frame; nil where there is none, or where the channels are told elsewhere.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        let type = bytes[2] >> 6 &+ 1, rate = bytes[2] >> 2 & 15, channels = (bytes[2] & 1) << 2 | bytes[3] >> 6
        guard rate < 13, channels > 0 else { return nil }
        byteCount = bytes[1] & 1 == 1 ? 7 : 9
        guard bytes.count > byteCount else { return nil }
        configuration = [type << 3 | rate >> 1, (rate & 1) << 7 | channels << 3]
    }
}
