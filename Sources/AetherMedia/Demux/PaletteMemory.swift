import CFFmpeg
import Glibc

/// The palettes of a source's streams. AVI and QuickTime hand one over with the first packet and with the next one behind a change;
/// a decoder that begins anywhere else would show black. Owned by one demuxer.
struct PaletteMemory {
    /// By the number of the stream.
    private var palettes: [Int32: [UInt8]] = [:]

    init() {}

    /// Whether a stream's frames are numbers of a palette.
    static func isCandidate(_ codec: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
        codec.pointee.codec_type == AVMEDIA_TYPE_VIDEO && codec.pointee.format == AV_PIX_FMT_PAL8.rawValue
    }

    /// Remembers what a packet brings; gives it what the last one of its stream brought where it has none. Behind a seek to before a change
    /// that is the later palette: the containers say of none where it begins.
    mutating func complete(_ packet: UnsafeMutablePointer<AVPacket>) {
        var size = 0
        let stream = packet.pointee.stream_index
        if let data = av_packet_get_side_data(packet, AV_PKT_DATA_PALETTE, &size) {
            if size == AVPALETTE_SIZE { palettes[stream] = Array(UnsafeBufferPointer(start: data, count: size)) }
        } else if let palette = palettes[stream],
            let data = av_packet_new_side_data(packet, AV_PKT_DATA_PALETTE, palette.count)
        {
            memcpy(data, palette, palette.count)
        }
    }
}
