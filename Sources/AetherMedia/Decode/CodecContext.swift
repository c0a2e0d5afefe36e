import AetherCore
import CFFmpeg

/// Owns an open decoder.
struct CodecContext: ~Copyable {
    let pointer: UnsafeMutablePointer<AVCodecContext>

    /// Opens a decoder, else the one that FFmpeg prefers for the parameters.
    init(
        _ parameters: CodecParameters, by chosen: UnsafePointer<AVCodec>? = nil, threadCount: Int,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
    ) throws(MediaError) {
        FFmpegLog.install()
        let id = parameters.pointer.pointee.codec_id
        let name = FFmpegText.string(avcodec_get_name(id))
        guard id != AV_CODEC_ID_NONE, let codec = chosen ?? CodecContext.decoder(parameters) else {
            throw MediaError(.unsupported, "decode", subject: name, reason: "this FFmpeg has no decoder for it")
        }
        guard let context = avcodec_alloc_context3(codec) else {
            throw MediaError(.internalFailure, "open decoder", subject: name, averror: aether_averror(ENOMEM))
        }
        var status = avcodec_parameters_to_context(context, parameters.pointer)
        if status >= 0 {
            context.pointee.pkt_timebase = AVRational(num: parameters.timeBase.numerator, den: parameters.timeBase.denominator)
            context.pointee.thread_count = Int32(min(16, max(1, threadCount)))
            context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
            if let version = parameters.x264Version { av_opt_set_int(context.pointee.priv_data, "x264_build", Int64(version), 0) }
            configure(context)
            status = avcodec_open2(context, codec, nil)
        }
        guard status >= 0 else {
            var owned: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&owned)
            throw MediaError(.decodeFailed, "open decoder", subject: name, averror: status)
        }
        pointer = context
        MediaBalance.contexts.add()
    }

    /// The one that FFmpeg prefers, or for frames with transparency beside them the one that reads it: libvpx's.
    private static func decoder(_ parameters: CodecParameters) -> UnsafePointer<AVCodec>? {
        let id = parameters.pointer.pointee.codec_id
        let special = id == AV_CODEC_ID_VP8 ? "libvpx" : id == AV_CODEC_ID_VP9 ? "libvpx-vp9" : nil
        if parameters.hasAlphaBeside, let special, let found = avcodec_find_decoder_by_name(special) { return found }
        return avcodec_find_decoder(id)
    }

    /// Opens a decoder as the other initialiser does, with nil in place of an error.
    init?(opening parameters: CodecParameters, threadCount: Int) {
        do throws(MediaError) {
            try self.init(parameters, threadCount: threadCount)
        } catch {
            return nil
        }
    }

    deinit {
        var owned: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&owned)
        MediaBalance.contexts.add(-1)
    }

    /// The decoder's own name, for example "libdav1d" where the codec's is "av1".
    var name: String { FFmpegText.string(pointer.pointee.codec?.pointee.name) }

    mutating func send(_ packet: UnsafePointer<AVPacket>?) -> Int32 { avcodec_send_packet(pointer, packet) }

    mutating func receive(_ frame: UnsafeMutablePointer<AVFrame>) -> Int32 { avcodec_receive_frame(pointer, frame) }

    mutating func flush() { avcodec_flush_buffers(pointer) }
}
