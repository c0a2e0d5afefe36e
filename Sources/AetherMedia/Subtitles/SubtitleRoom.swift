public import AetherCore

/// The place where the decoders of subtitles of one thread work: those that are in a box share a process. Nothing is started before one is opened.
public final class SubtitleRoom {
    private var boxed: (any BoxedSubtitles)?

    /// Empty.
    public init() {}

    /// The decoders that work in a box.
    func decoders(in box: any SubtitleBox) -> any BoxedSubtitles {
        if let boxed { return boxed }
        let fresh = box.openSubtitles()
        boxed = fresh
        return fresh
    }
}

/// Decoders of subtitles in one process of a box, for one thread, by their numbers. As `SubtitleDecoder`.
public protocol BoxedSubtitles: AnyObject {
    /// Opens a decoder, and gives its number.
    func open(_ parameters: CodecParameters, teletextPage: Int?) throws(MediaError) -> Int
    /// The texts and bitmaps of one packet.
    func decode(_ packet: Packet, text: [UInt8]?, by number: Int) throws(MediaError) -> [DecodedSubtitle]
    /// Forgets what was sent to a decoder.
    func flush(_ number: Int)
    /// Closes a decoder.
    func close(_ number: Int)
    /// The packets that a decoder has left out.
    func damageCount(of number: Int) -> Int
}
