import AetherCore
import CFFmpeg

/// Owns an open encoder of audio that takes interleaved float samples, a whole frame of the codec at a time. Lives on one thread; blocks on
/// nothing.
struct AudioEncoder: ~Copyable {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>

    /// Opens one. `isDeep`: 24 bits where the codec has a choice. Throws `.unsupported` where this FFmpeg has none.
    init(_ codec: BridgedCodec, sampleRate: Int, channelCount: Int, bitRate: Int, isDeep: Bool) throws(MediaError) {
        FFmpegLog.install()
        guard let encoder = avcodec_find_encoder(codec.id), let context = avcodec_alloc_context3(encoder) else {
            throw MediaError(.unsupported, "encode audio", subject: codec.name, reason: "this FFmpeg has no encoder for it")
        }
        context.pointee.sample_rate = Int32(sampleRate)
        ChannelLayout.setDefault(&context.pointee.ch_layout, channelCount: channelCount)
        context.pointee.sample_fmt = codec == .flac ? (isDeep ? AV_SAMPLE_FMT_S32 : AV_SAMPLE_FMT_S16) : AV_SAMPLE_FMT_FLTP
        if codec == .flac, isDeep { context.pointee.bits_per_raw_sample = 24 }
        if codec != .flac { context.pointee.bit_rate = Int64(bitRate) }
        context.pointee.time_base = AVRational(num: 1, den: Int32(sampleRate))
        context.pointee.thread_count = 1
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        let status = avcodec_open2(context, encoder, nil)
        guard status >= 0, context.pointee.frame_size > 0, let frame = av_frame_alloc() else {
            var owned: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&owned)
            throw MediaError(.unsupported, "encode audio", subject: codec.name, averror: status)
        }
        (self.context, self.frame) = (context, frame)
        MediaBalance.contexts.add()
    }

    deinit {
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&owned)
        var ownedFrame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&ownedFrame)
        MediaBalance.contexts.add(-1)
    }

    /// Samples of each channel in a frame.
    var frameSize: Int { Int(context.pointee.frame_size) }
    /// Samples that come out before the first that went in.
    var padding: Int { Int(context.pointee.initial_padding) }
    /// The parameters for the stream in a container.
    var parameters: CodecParameters {
        var bare: UnsafeMutablePointer<AVCodecParameters>? = avcodec_parameters_alloc()
        defer { avcodec_parameters_free(&bare) }
        guard let bare else { preconditionFailure("out of memory") }
        avcodec_parameters_from_context(bare, context)
        return CodecParameters(copying: bare, timeBase: TimeBase(1, context.pointee.sample_rate))
    }

    /// Encodes a frame, `frameSize` samples of each channel that begin at `time` samples; nil: nothing follows. Appends what comes out.
    mutating func encode(_ samples: ArraySlice<Float>?, at time: Int64, into packets: inout [Packet]) throws(MediaError) {
        if let samples { try fill(samples, at: time) }
        var status = avcodec_send_frame(context, samples == nil ? nil : frame)
        while status >= 0 {
            guard let packet = av_packet_alloc() else { throw MediaError(.internalFailure, "encode audio") }
            status = avcodec_receive_packet(context, packet)
            if status >= 0 {
                packets.append(
                    Packet(taking: packet, epoch: Epoch(), timeBase: TimeBase(1, context.pointee.sample_rate)))
            } else {
                var owned: UnsafeMutablePointer<AVPacket>? = packet
                av_packet_free(&owned)
            }
        }
        let error = AVError(code: status)
        guard error == .tryAgain || error == .endOfFile else {
            throw MediaError(.internalFailure, "encode audio", averror: status)
        }
    }

    private func fill(_ samples: ArraySlice<Float>, at time: Int64) throws(MediaError) {
        av_frame_unref(frame)
        let channels = Int(context.pointee.ch_layout.nb_channels)
        frame.pointee.nb_samples = context.pointee.frame_size
        frame.pointee.format = context.pointee.sample_fmt.rawValue
        frame.pointee.sample_rate = context.pointee.sample_rate
        frame.pointee.pts = time
        av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout)
        let status = av_frame_get_buffer(frame, 0)
        guard status >= 0, let planes = frame.pointee.extended_data, samples.count == frameSize * channels else {
            throw MediaError(.internalFailure, "encode audio", averror: status)
        }
        let count = frameSize
        samples.withUnsafeBufferPointer { input in
            switch context.pointee.sample_fmt {
            case AV_SAMPLE_FMT_S16:
                planes[0]?.withMemoryRebound(to: Int16.self, capacity: count * channels) { output in
                    for index in 0..<count * channels {
                        output[index] = Int16(clamping: AudioEncoder.level(input[index], 32_768))
                    }
                }
            case AV_SAMPLE_FMT_S32:
                planes[0]?.withMemoryRebound(to: Int32.self, capacity: count * channels) { output in
                    // The upper 24 bits count.
                    for index in 0..<count * channels {
                        output[index] = Int32(clamping: min(8_388_607, AudioEncoder.level(input[index], 8_388_608)) * 256)
                    }
                }
            default:
                for channel in 0..<channels {
                    planes[channel]?.withMemoryRebound(to: Float.self, capacity: count) { output in
                        for index in 0..<count { output[index] = input[index * channels + channel] }
                    }
                }
            }
        }
    }

    /// A level in steps of the full scale; what is none is silence.
    private static func level(_ value: Float, _ scale: Float) -> Int {
        guard value.isFinite else { return 0 }
        return Int((min(1, max(-1, value)) * scale).rounded())
    }
}
