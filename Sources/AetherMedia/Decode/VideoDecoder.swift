public import AetherCore
import CFFmpeg

/// Turns packets of a picture stream into frames, in the order of showing. Lives on one thread; libavcodec's own threads work
/// below it, so frames come out several packets after they went in.
public struct VideoDecoder: PictureDecoder, ~Copyable {
    private var decoder: FrameDecoder
    private let opened: DecodeEffort

    /// Opens a decoder with 1 … 16 threads. Throws `.unsupported` without a decoder, `.decodeFailed` where it refuses.
    public init(_ parameters: CodecParameters, threadCount: Int, effort: DecodeEffort = DecodeEffort()) throws(MediaError) {
        let codec = try CodecContext(parameters, threadCount: threadCount) { context in
            context.pointee.skip_loop_filter = effort.skipLoopFilter.level
            context.pointee.lowres = Int32(min(max(0, effort.halvings), Int(context.pointee.codec?.pointee.max_lowres ?? 0)))
            if effort.lowDelay { context.pointee.thread_type = FF_THREAD_SLICE }
        }
        decoder = FrameDecoder(codec, timeBase: parameters.timeBase)
        opened = effort
    }

    /// FFmpeg's name of the decoder, for example "h264".
    public var name: String { decoder.codec.name }

    /// Damaged packets and frames so far. They are left out and do not end the stream.
    public var damageCount: Int { decoder.damageCount }

    public mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult { try decoder.send(packet) }

    public mutating func receive() throws(MediaError) -> DecodedFrame? { try decoder.receive() }

    public mutating func flush() { decoder.flush() }

    /// Nothing is discarded from streams with decoding times only: which frame has which time is then known by counting them.
    public mutating func apply(_ effort: DecodeEffort) {
        let context = decoder.codec.pointer
        context.pointee.skip_frame = (decoder.hasShowingTimes ? effort.discard : .none).level
        context.pointee.skip_loop_filter = effort.skipLoopFilter.level
    }

    public func needsReopening(for effort: DecodeEffort) -> Bool {
        let limit = Int(decoder.codec.pointer.pointee.codec?.pointee.max_lowres ?? 0)
        return min(limit, effort.halvings) != min(limit, opened.halvings) || effort.lowDelay != opened.lowDelay
    }
}
