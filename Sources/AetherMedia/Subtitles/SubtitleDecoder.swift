public import AetherCore
import CFFmpeg

/// Turns packets of a subtitle stream into texts and bitmaps: every text codec of libavcodec, PGS, DVB, DVD, CEA-608, and teletext where
/// the build has libzvbi. Text codecs keep nothing between packets, the others do. Lives on one thread; blocks for the work only.
public struct SubtitleDecoder: ~Copyable {
    /// One of both is there.
    private var codec: CodecSubtitleDecoder?
    private let boxed: Boxed?

    /// A decoder in a box, by its number there.
    private struct Boxed {
        let decoders: any BoxedSubtitles
        let number: Int
    }

    /// Opens a decoder. `teletextPage` is the page to show, nil for those marked as subtitles. `room`: of decoders that work on the same thread,
    /// which share a process where they are in a box. Throws `.unsupported` for codecs without a decoder.
    public init(
        _ parameters: CodecParameters, teletextPage: Int? = nil, room: SubtitleRoom = SubtitleRoom()
    ) throws(MediaError) {
        if let box = parameters.box as? any SubtitleBox {
            let decoders = room.decoders(in: box)
            boxed = Boxed(decoders: decoders, number: try decoders.open(parameters, teletextPage: teletextPage))
            codec = nil
        } else {
            let codec = try CodecSubtitleDecoder(parameters, teletextPage: teletextPage)
            self.codec = consume codec
            boxed = nil
        }
    }

    deinit { if let boxed { boxed.decoders.close(boxed.number) } }

    /// Packets that could not be understood and were left out.
    public var damageCount: Int {
        if let boxed { return boxed.decoders.damageCount(of: boxed.number) }
        switch codec {
        case .some(let codec): return codec.damageCount
        case nil: return 0
        }
    }

    /// Whether a codec's subtitles are bitmaps.
    static func isBitmap(_ id: AVCodecID) -> Bool {
        (avcodec_descriptor_get(id)?.pointee.props ?? 0) & AV_CODEC_PROP_BITMAP_SUB != 0
    }

    /// Whether a stream's packets are texts and nothing else.
    public static func isPlainText(_ parameters: CodecParameters) -> Bool {
        let id = parameters.pointer.pointee.codec_id
        guard (avcodec_descriptor_get(id)?.pointee.props ?? 0) & AV_CODEC_PROP_TEXT_SUB != 0 else { return false }
        return ![
            AV_CODEC_ID_MOV_TEXT, AV_CODEC_ID_EIA_608, AV_CODEC_ID_DVB_TELETEXT, AV_CODEC_ID_HDMV_TEXT_SUBTITLE,
            AV_CODEC_ID_ARIB_CAPTION,
        ].contains(id)
    }

    /// Opens a decoder of the CEA-608 captions that frames carry beside them (A/53 user data).
    public init(captions: Void) throws(MediaError) {
        try self.init(CodecParameters(captionsIn: TimeBase(1, 1_000_000_000)))
    }

    /// The cues of the captions beside one frame: `bytes` as `DecodedFrame.captions` gives them.
    public mutating func decode(captions bytes: [UInt8], at time: MediaTime) throws(MediaError) -> [DecodedSubtitle] {
        guard let packet = av_packet_alloc(), av_new_packet(packet, Int32(min(bytes.count, 4096))) >= 0 else {
            throw MediaError(.decodeFailed, "decode captions", averror: aether_averror(ENOMEM))
        }
        packet.pointee.data.update(from: bytes, count: Int(packet.pointee.size))
        packet.pointee.pts = time.nanoseconds
        return try decode(Packet(taking: packet, epoch: Epoch(), timeBase: TimeBase(1, 1_000_000_000)))
    }

    /// Forgets what was sent, after a seek.
    public mutating func flush() {
        if let boxed { boxed.decoders.flush(boxed.number) }
        codec?.flush()
    }

    /// The texts and bitmaps of one packet; none for an empty or broken one, one without a body where the screen is cleared. Throws
    /// `.decodeFailed` without memory, and where its box ends over and over. `text`: what is read instead of the packet's own bytes.
    public mutating func decode(_ packet: Packet, text: [UInt8]? = nil) throws(MediaError) -> [DecodedSubtitle] {
        if let boxed { return try boxed.decoders.decode(packet, text: text, by: boxed.number) }
        return try codec?.decode(packet, text: text) ?? []
    }
}
