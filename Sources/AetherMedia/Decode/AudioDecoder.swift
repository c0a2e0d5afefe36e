public import AetherCore
import CFFmpeg

/// Turns packets of an audio stream into frames of samples. Lives on one thread. Encoder delay and padding that the container
/// declares are already cut off.
public struct AudioDecoder: ~Copyable {
    private var decoder: FrameDecoder

    /// Opens a decoder. Throws `.unsupported` without one, `.decodeFailed` where it refuses.
    public init(_ parameters: CodecParameters) throws(MediaError) {
        // Threads buy nothing where a frame takes microseconds, and each would hold frames back.
        decoder = FrameDecoder(try CodecContext(parameters, threadCount: 1), timeBase: parameters.timeBase)
    }

    /// FFmpeg's name of the decoder.
    public var name: String { decoder.codec.name }

    /// Damaged packets and frames so far. They are left out and do not end the stream.
    public var damageCount: Int { decoder.damageCount }

    /// Offers a packet; nil says that none follow. Throws `.decodeFailed` after a thousand failures without a frame.
    public mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult { try decoder.send(packet) }

    /// The next frame, or nil when the decoder wants packets first. Throws `.endOfMedia` when drained, `.decodeFailed` as `send`.
    public mutating func receive() throws(MediaError) -> DecodedFrame? { try decoder.receive() }

    /// Forgets everything sent, for a seek or to go on after the end.
    public mutating func flush() { decoder.flush() }
}
