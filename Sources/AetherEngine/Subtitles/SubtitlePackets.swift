import AetherCore
import AetherFormats
import AetherMedia

/// What reads the packets of one subtitle stream: a decoder of libavcodec, or our own TTML, of which each packet is a document. Lives on one
/// thread; never blocks.
struct SubtitlePackets: ~Copyable {
    /// nil for TTML.
    private var decoder: SubtitleDecoder?

    /// Throws where there is no decoder.
    init(_ stream: StreamInfo, teletextPage: Int? = nil) throws(MediaError) {
        decoder = stream.codecName == "ttml" ? nil : try SubtitleDecoder(stream.parameters, teletextPage: teletextPage)
    }

    /// The texts and pictures of one packet; see `SubtitleDecoder.decode`.
    mutating func decode(_ packet: Packet) throws(MediaError) -> [DecodedSubtitle] {
        if decoder != nil { return try decoder?.decode(packet) ?? [] }
        guard let start = packet.pts ?? packet.dts, let document = TTMLDocument(packet.bytes(limit: Self.documentLimit)) else {
            return []
        }
        return Self.texts(of: document, from: start, to: packet.duration.map { start + $0 })
    }

    /// Forgets what was sent, after a seek.
    mutating func flush() { decoder?.flush() }

    /// A document of a whole film is 200 kB.
    private static let documentLimit = 4 << 20

    /// The times in a document are those of the film (ISO/IEC 14496-30), and its packet says which part of them it is for.
    static func texts(of document: TTMLDocument, from start: MediaTime, to end: MediaTime?) -> [DecodedSubtitle] {
        document.cues.compactMap { cue in
            let from = max(cue.start, start)
            let to = [cue.end, end].compactMap { $0 }.min()
            if let to, to <= from { return nil }
            return DecodedSubtitle(start: from, end: to, body: cue.body, placement: cue.placement)
        }
    }
}
