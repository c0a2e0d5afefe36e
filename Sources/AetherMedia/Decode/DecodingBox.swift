public import AetherCore

/// A place apart in which streams are decoded. Any thread.
public protocol DecodingBox: DecodingPlace {
    /// Opens a decoder of video. Throws as `VideoDecoder`.
    func openVideo(
        _ parameters: CodecParameters, threadCount: Int, effort: DecodeEffort
    ) throws(MediaError) -> any BoxedDecoding

    /// Opens a decoder of audio. Throws as `AudioDecoder`.
    func openAudio(_ parameters: CodecParameters) throws(MediaError) -> any BoxedDecoding
}

/// A decoder in a box, for one thread. As `VideoDecoder` and `AudioDecoder`.
public protocol BoxedDecoding: AnyObject {
    /// The decoder's name.
    var name: String { get }
    /// Damaged packets and frames so far.
    var damageCount: Int { get }
    /// Gives it a packet; nil drains it.
    func send(_ packet: Packet?) throws(MediaError) -> SendResult
    /// The next frame.
    func receive() throws(MediaError) -> DecodedFrame?
    /// Forgets what has not come out yet.
    func flush()
    /// Changes the effort from the next packet on.
    func apply(_ effort: DecodeEffort)
    /// Whether only a newly opened decoder can work so.
    func needsReopening(for effort: DecodeEffort) -> Bool
}

extension CodecParameters {
    /// Whether the stream is decoded in a box, which has no device: it came from there.
    public var isBoxed: Bool { box is any DecodingBox }
}
