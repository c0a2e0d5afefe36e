import AetherCore
import CFFmpeg

/// Decodes frames by libavcodec.
struct CodecVideoDecoder: VideoDecoding, ~Copyable {
    private var decoder: FrameDecoder
    /// Behind the decoder, which lets go of its frames when it ends.
    private let memory: FrameMemory
    private let opened: DecodeEffort
    /// Of a device's frames; nil where software decodes.
    private var reader: HardwareFrameReader?
    /// A frame has come out since decoding began.
    private var hasShown = false
    private var isDraining = false

    /// As `VideoDecoder`. `device`: decodes there, or not at all.
    init(
        _ parameters: CodecParameters, threadCount: Int, effort: DecodeEffort = DecodeEffort(), room: FrameRoom? = nil,
        device: UnsafeMutablePointer<AVBufferRef>? = nil
    ) throws(MediaError) {
        let memory = FrameMemory(room: room)
        let chosen = device == nil ? nil : HardwareDevice.codec(for: parameters)
        let codec = try CodecContext(parameters, by: chosen, threadCount: threadCount) { context in
            memory.serve(context)
            if let device { HardwareDevice.lend(device, to: context) }
            // Else libavcodec leaves up to 63 columns standing on the left that the stream says are to be cut. We read rows from anywhere.
            context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
            context.pointee.skip_loop_filter = effort.skipLoopFilter.level
            // Lossless JPEG has the codec of the other, and gives no frame then.
            let isWhole =
                device != nil
                || context.pointee.codec_id == AV_CODEC_ID_MJPEG && context.pointee.profile == FF_PROFILE_MJPEG_HUFFMAN_LOSSLESS
            let most = isWhole ? 0 : Int(context.pointee.codec?.pointee.max_lowres ?? 0)
            context.pointee.lowres = Int32(min(max(0, effort.halvings), most))
            if effort.lowDelay { context.pointee.thread_type = FF_THREAD_SLICE }
            // Else the device draws grain.
            if device != nil, effort.omitsFilmGrain { context.pointee.export_side_data |= AV_CODEC_EXPORT_DATA_FILM_GRAIN }
            if effort.tellsCoding {
                context.pointee.export_side_data |= AV_CODEC_EXPORT_DATA_MVS | AV_CODEC_EXPORT_DATA_VIDEO_ENC_PARAMS
                // Grain that is handed out is not drawn.
                if effort.omitsFilmGrain { context.pointee.export_side_data |= AV_CODEC_EXPORT_DATA_FILM_GRAIN }
            }
        }
        decoder = FrameDecoder(codec, timeBase: parameters.timeBase, isOnDevice: device != nil)
        reader = device == nil ? nil : HardwareFrameReader()
        self.memory = memory
        opened = effort
    }

    var name: String { decoder.codec.name }

    var damageCount: Int { decoder.damageCount }

    mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult {
        if packet == nil {
            isDraining = true
            trustTheRest()
        }
        return try decoder.send(packet)
    }

    mutating func receive() throws(MediaError) -> DecodedFrame? {
        guard let frame = try decoder.receive() else { return nil }
        hasShown = true
        trustTheRest()
        if let read = try reader?.read(frame) { return read }
        return frame
    }

    mutating func flush() {
        decoder.flush()
        (hasShown, isDraining) = (false, false)
        decoder.codec.pointer.pointee.flags &= ~AV_CODEC_FLAG_OUTPUT_CORRUPT
    }

    /// Once a whole frame was shown, all that are shown later are whole, too: libavcodec knows that of H.264 while packets come, and forgets it
    /// at the end. There it leaves out what was decoded before the key frame of an open GOP was shown, the last frame of all often.
    private mutating func trustTheRest() {
        let context = decoder.codec.pointer
        guard isDraining, hasShown, context.pointee.codec_id == AV_CODEC_ID_H264 else { return }
        context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
    }

    /// Nothing is discarded from streams with decoding times only: which frame has which time is then known by counting them.
    mutating func apply(_ effort: DecodeEffort) {
        let context = decoder.codec.pointer
        context.pointee.skip_frame = (decoder.hasShowingTimes ? effort.discard : .none).level
        context.pointee.skip_loop_filter = effort.skipLoopFilter.level
    }

    func needsReopening(for effort: DecodeEffort) -> Bool {
        let limit = Int(decoder.codec.pointer.pointee.codec?.pointee.max_lowres ?? 0)
        return min(limit, effort.halvings) != min(limit, opened.halvings) || effort.lowDelay != opened.lowDelay
            || effort.tellsCoding != opened.tellsCoding || (reader != nil && effort.omitsFilmGrain != opened.omitsFilmGrain)
    }
}
