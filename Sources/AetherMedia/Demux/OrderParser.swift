import AetherCore
import CFFmpeg

/// Reads the order count of each frame of a raw H.264 or HEVC stream by libavcodec's parser. Owns the parser; lives on one thread.
struct OrderParser: ~Copyable {
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private let codec: UnsafeMutablePointer<AVCodecContext>
    private let isHEVC: Bool

    /// nil for other codecs, and without memory.
    init?(_ parameters: CodecParameters) {
        let id = parameters.pointer.pointee.codec_id
        guard id == AV_CODEC_ID_H264 || id == AV_CODEC_ID_HEVC, let parser = av_parser_init(Int32(id.rawValue)) else {
            return nil
        }
        guard let codec = avcodec_alloc_context3(nil) else {
            av_parser_close(parser)
            return nil
        }
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        // The header may stand at the very beginning alone, where libavformat has taken it from.
        avcodec_parameters_to_context(codec, parameters.pointer)
        self.parser = parser
        self.codec = codec
        isHEVC = id == AV_CODEC_ID_HEVC
    }

    deinit {
        av_parser_close(parser)
        var owned: UnsafeMutablePointer<AVCodecContext>? = codec
        avcodec_free_context(&owned)
    }

    /// The facts in a packet's first slice.
    mutating func frame(_ packet: UnsafeMutablePointer<AVPacket>, length: Int64) -> DisplayOrder.Frame {
        var output: UnsafeMutablePointer<UInt8>?
        var size: Int32 = 0
        _ = av_parser_parse2(
            parser, codec, &output, &size, packet.pointee.data, packet.pointee.size, aether_nopts(), aether_nopts(), 0)
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(max(0, packet.pointee.size)))
        return DisplayOrder.Frame(
            count: Int(parser.pointee.output_picture_number), beginsAnew: Self.beginsAnew(bytes, isHEVC: isHEVC), length: length)
    }

    /// Whether the first slice is of a frame before which nothing is shown later: IDR, of HEVC also BLA. Headers before it are a few hundred
    /// bytes, supplemental information a few thousand.
    static func beginsAnew(_ bytes: UnsafeBufferPointer<UInt8>, isHEVC: Bool) -> Bool {
        var place = 0
        let searched = UnsafeRawBufferPointer(bytes), end = min(bytes.count, 1 << 16) - 1
        while let start = BytePattern.startCode.first(in: searched, from: place, before: end) {
            let head = bytes[start + 3]
            let type = isHEVC ? head >> 1 & 63 : head & 31
            if isHEVC ? type < 32 : (1...5).contains(type) { return isHEVC ? (16...20).contains(type) : type == 5 }
            place = start + 3
        }
        return false
    }
}
