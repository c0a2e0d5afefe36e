import AetherCore
import CFFmpeg

extension FrameRecord {
    /// Bytes of memory that frames of a stream will need, decoded there, with what decoders add on all sides; nil where their size is not known.
    public static func likelyRoom(of parameters: CodecParameters) -> Int? {
        let raw = parameters.pointer.pointee
        guard 1...widest ~= raw.width, 1...widest ~= raw.height else { return nil }
        let known = AVPixelFormat(raw.format), format = av_pix_fmt_desc_get(known) == nil ? AV_PIX_FMT_YUV420P : known
        // Rows of 128 pixels and 64 bytes more, heights of 128 (libdav1d), a few rows more (H.264).
        let width = (raw.width + 127) & ~127 + 128, height = (raw.height + 127) & ~127 + 4
        let count = Int(av_image_get_buffer_size(format, width, height, alignment))
        return count > 0 && count <= largest - 2 * margin ? count + 2 * margin : nil
    }
}
