public import AetherCore
import CFFmpeg

/// Turns packets of a picture stream into frames, in the order of showing. Lives on one thread; libavcodec's own threads work
/// below it, so frames come out several packets after they went in.
public struct VideoDecoder: ~Copyable {
    private var decoder: FrameDecoder

    /// Opens a decoder with 1 … 16 threads. Throws `.unsupported` without a decoder, `.decodeFailed` where it refuses.
    public init(_ parameters: CodecParameters, threadCount: Int, policy: DecodePolicy = DecodePolicy()) throws(MediaError) {
        let codec = try CodecContext(parameters, threadCount: threadCount) { context in
            context.pointee.skip_loop_filter = policy.skipLoopFilter.level
            if policy.lowDelay { context.pointee.thread_type = FF_THREAD_SLICE }
        }
        decoder = FrameDecoder(codec, timeBase: parameters.timeBase)
    }

    /// FFmpeg's name of the decoder, for example "libdav1d".
    public var name: String { decoder.codec.name }

    /// Damaged packets and frames so far. They are left out and do not end the stream.
    public var damageCount: Int { decoder.damageCount }

    /// Offers a packet; nil says that none follow, so that the last frames come out. Throws `.decodeFailed` after a thousand
    /// failures without a frame.
    public mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult { try decoder.send(packet) }

    /// The next frame, or nil when the decoder wants packets first. Throws `.endOfMedia` when drained, `.decodeFailed` as `send`.
    public mutating func receive() throws(MediaError) -> DecodedFrame? { try decoder.receive() }

    /// Forgets everything sent, for a seek or to go on after the end.
    public mutating func flush() { decoder.flush() }

    /// Leaves frames out from the next packet on. Nothing is left out of streams with decoding times only: which frame has which time
    /// is then known by counting them.
    public mutating func setDiscard(_ level: DecodeDiscard) {
        decoder.codec.pointer.pointee.skip_frame = (decoder.hasShowingTimes ? level : .none).level
    }

    /// Leaves the loop filter out from the next packet on.
    public mutating func setLoopFilterSkip(_ skip: DecodePolicy.LoopFilterSkip) {
        decoder.codec.pointer.pointee.skip_loop_filter = skip.level
    }
}
