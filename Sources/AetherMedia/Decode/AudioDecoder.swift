public import AetherCore
import CFFmpeg

/// Turns packets of an audio stream into frames of samples. Lives on one thread. Encoder delay and padding that the container
/// declares are already cut off.
public struct AudioDecoder: ~Copyable {
    /// One of both is there.
    private var decoder: FrameDecoder?
    private let boxed: (any BoxedDecoding)?

    /// Opens a decoder. Throws `.unsupported` without one, `.decodeFailed` where it refuses.
    public init(_ parameters: CodecParameters) throws(MediaError) {
        if let box = parameters.box as? any DecodingBox {
            let opened = try box.openAudio(parameters)
            (boxed, name) = (opened, opened.name)
            decoder = nil
            return
        }
        // Threads buy nothing where a frame takes microseconds, and each would hold frames back.
        let codec = try CodecContext(parameters, threadCount: 1)
        (boxed, name) = (nil, codec.name)
        decoder = FrameDecoder(codec, timeBase: parameters.timeBase)
    }

    /// FFmpeg's name of the decoder.
    public let name: String

    /// Damaged packets and frames so far. They are left out and do not end the stream.
    public var damageCount: Int {
        if let boxed { return boxed.damageCount }
        switch decoder {
        case .some(let decoder): return decoder.damageCount
        case nil: return 0
        }
    }

    /// Offers a packet; nil says that none follow. Throws `.decodeFailed` after a thousand failures without a frame.
    public mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult {
        if let boxed { return try boxed.send(packet) }
        return try decoder?.send(packet) ?? .accepted
    }

    /// The next frame, or nil when the decoder wants packets first. Throws `.endOfMedia` when drained, `.decodeFailed` as `send`.
    public mutating func receive() throws(MediaError) -> DecodedFrame? {
        if let boxed { return try boxed.receive() }
        return try decoder?.receive() ?? nil
    }

    /// Forgets everything sent, for a seek or to go on after the end.
    public mutating func flush() {
        boxed?.flush()
        decoder?.flush()
    }
}
