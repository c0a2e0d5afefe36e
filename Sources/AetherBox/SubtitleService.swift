import AetherCore
import AetherMedia

/// The side of a worker that decodes subtitles: one decoder for each track.
struct SubtitleService: ~Copyable {
    /// A track more than a source has streams.
    private static let most = 1024

    private var decoders: [Int32: Opened] = [:]

    /// A decoder in a dictionary, which wants what can be copied.
    private final class Opened {
        var decoder: SubtitleDecoder
        init(_ decoder: consuming SubtitleDecoder) { self.decoder = decoder }
    }

    /// The answer to a wish, which begins with the number of a decoder.
    mutating func answer(_ wish: BoxMessage) throws(MediaError) -> BoxMessage {
        var record = RecordReader(wish.bytes), answer = RecordWriter()
        let number = record.integer(Int32.self)
        switch wish.kind {
        case .openSubtitles:
            let page = record.optional { Int($0.integer(Int32.self)) }
            let parameters = ParametersRecord.parameters(&record, box: nil)
            guard record.isWhole, decoders.count < Self.most else { throw MediaError(.internalFailure, "open decoder") }
            decoders[number] = Opened(try SubtitleDecoder(parameters, teletextPage: page))
        case .decodeSubtitles:
            let text = record.optional { $0.bytes(limit: BoxMessage.limit) }
            guard !record.isBroken, let opened = decoders[number],
                let packet = PacketRecord.packet(wish.bytes, from: record.place, epoch: Epoch())
            else { throw MediaError(.internalFailure, "decode subtitles") }
            let subtitles = try opened.decoder.decode(packet, text: text)
            answer.put(Int32(clamping: opened.decoder.damageCount))
            SubtitleRecord.put(subtitles, to: &answer)
        case .flushSubtitles: decoders[number]?.decoder.flush()
        case .closeSubtitles: decoders[number] = nil
        default: throw MediaError(.internalFailure, "decode subtitles")
        }
        return BoxMessage(.value, answer.bytes)
    }
}
