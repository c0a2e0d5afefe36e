import AetherCore
import CFFmpeg

/// Owns an open encoder of H.264, 8 bits 4:2:0, by libx264. A key frame comes first and nowhere else; frames come out in the order of showing.
/// Lives on one thread; libx264's own threads work below it.
struct VideoEncoder: ~Copyable {
    /// The properties that an encoder is opened for. The same form gives the same header, and with the same frames the same bytes.
    struct Form: Sendable, Equatable {
        /// Even numbers.
        var size: PixelSize
        var sampleAspect: Ratio
        /// Frames a second, as far as known.
        var rate: Ratio?
        /// By FFmpeg's numbers; what is not known is 2.
        var primaries, transfer, matrix: Int32
        /// Ticks of the times in a second.
        var timescale: Int32
        /// Bits a second at most.
        var bitRate: Int
    }

    private let context: UnsafeMutablePointer<AVCodecContext>

    /// libx264 is deterministic for a number of threads, whatever the machine has.
    private static let threadCount: Int32 = 4
    /// Of 0 to 51: what a person does not tell from the original at the distance of a television.
    private static let quality = "21"

    /// Opens one. Throws `.unsupported` where this FFmpeg has none.
    init(_ form: Form) throws(MediaError) {
        FFmpegLog.install()
        guard let encoder = avcodec_find_encoder_by_name("libx264"), let context = avcodec_alloc_context3(encoder) else {
            throw MediaError(.unsupported, "encode video", subject: "H.264", reason: "this FFmpeg has no libx264")
        }
        (context.pointee.width, context.pointee.height) = (Int32(form.size.width), Int32(form.size.height))
        context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        context.pointee.time_base = AVRational(num: 1, den: form.timescale)
        if let rate = form.rate { context.pointee.framerate = AVRational(num: rate.numerator, den: rate.denominator) }
        context.pointee.sample_aspect_ratio = AVRational(num: form.sampleAspect.numerator, den: form.sampleAspect.denominator)
        context.pointee.color_range = AVCOL_RANGE_MPEG
        context.pointee.color_primaries = AVColorPrimaries(UInt32(bitPattern: form.primaries))
        context.pointee.color_trc = AVColorTransferCharacteristic(UInt32(bitPattern: form.transfer))
        context.pointee.colorspace = AVColorSpace(UInt32(bitPattern: form.matrix))
        context.pointee.thread_count = Self.threadCount
        // Decode times are those of showing: segments of encoders that know nothing of each other follow one another without a seam.
        context.pointee.max_b_frames = 0
        context.pointee.gop_size = 10_000
        context.pointee.rc_max_rate = Int64(form.bitRate)
        context.pointee.rc_buffer_size = Int32(clamping: form.bitRate)
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in [("preset", "veryfast"), ("crf", Self.quality), ("x264-params", "scenecut=0:force-cfr=0")] {
            av_dict_set(&options, name, value, 0)
        }
        let status = avcodec_open2(context, encoder, &options)
        guard status >= 0 else {
            var owned: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&owned)
            throw MediaError(.unsupported, "encode video", subject: "H.264", averror: status)
        }
        self.context = context
        MediaBalance.contexts.add()
    }

    deinit {
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&owned)
        MediaBalance.contexts.add(-1)
    }

    /// The parameters for the stream in a container.
    var parameters: CodecParameters {
        var bare: UnsafeMutablePointer<AVCodecParameters>? = avcodec_parameters_alloc()
        defer { avcodec_parameters_free(&bare) }
        guard let bare else { preconditionFailure("out of memory") }
        avcodec_parameters_from_context(bare, context)
        return CodecParameters(copying: bare, timeBase: TimeBase(1, context.pointee.time_base.den))
    }

    /// Encodes a frame of the form's size and format, whose time lies behind all before it; nil: nothing follows. Appends what comes out.
    mutating func encode(_ frame: UnsafeMutablePointer<AVFrame>?, into packets: inout [Packet]) throws(MediaError) {
        var status = avcodec_send_frame(context, frame)
        while status >= 0 {
            guard let packet = av_packet_alloc() else { throw MediaError(.internalFailure, "encode video") }
            status = avcodec_receive_packet(context, packet)
            if status >= 0 {
                packets.append(Packet(taking: packet, epoch: Epoch(), timeBase: TimeBase(1, context.pointee.time_base.den)))
            } else {
                var owned: UnsafeMutablePointer<AVPacket>? = packet
                av_packet_free(&owned)
            }
        }
        let error = AVError(code: status)
        guard error == .tryAgain || error == .endOfFile else {
            throw MediaError(.internalFailure, "encode video", averror: status)
        }
    }
}
