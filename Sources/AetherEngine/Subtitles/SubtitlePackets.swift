import AetherCore
import AetherFormats
import AetherMedia

/// A reader of the packets of one subtitle stream: a decoder of libavcodec, our own WebVTT or USF, or our own TTML, of which each
/// packet is a document. Lives on one thread; blocks for the work only.
struct SubtitlePackets: ~Copyable {
    private enum Format { case codec, movText, webVTT, ttml, usf }

    /// The result of a packet.
    struct Result {
        var subtitles: [DecodedSubtitle] = []
        /// The starts of earlier texts that are read otherwise now, and are among the subtitles again.
        var replaced: Set<MediaTime> = []
    }

    private let format: Format
    /// nil for what we read ourselves.
    private var decoder: SubtitleDecoder?
    private let header: WebVTTHeader
    private var encoding: StreamEncoding
    private let isText: Bool
    /// Texts that were read by a guess at their character set which may yet change.
    private var guessed: [Packet] = []
    private static let guessLimit = 500

    /// `room`: of the decoders of the same thread. Throws where there is no decoder.
    init(_ stream: StreamInfo, teletextPage: Int? = nil, room: SubtitleRoom = SubtitleRoom()) throws(MediaError) {
        // Opened before anything is stored: an initializer that throws half way has released what it never had.
        switch stream.codecName {
        case "ttml": self.init(.ttml, nil, stream, nil)
        case "usf": self.init(.usf, nil, stream, nil)
        case "webvtt":
            let head = stream.parameters.header(limit: 64 << 10)
            self.init(.webVTT, nil, stream, WebVTTHeader(String(decoding: head, as: UTF8.self)))
        case let name:
            let decoder = try SubtitleDecoder(stream.parameters, teletextPage: teletextPage, room: room)
            self.init(name == "mov_text" ? .movText : .codec, decoder, stream, nil)
        }
    }

    private init(_ format: Format, _ decoder: consuming SubtitleDecoder?, _ stream: StreamInfo, _ header: WebVTTHeader?) {
        self.format = format
        self.decoder = decoder
        self.header = header ?? WebVTTHeader()
        encoding = StreamEncoding(language: stream.track?.language)
        isText =
            format == .webVTT || format == .usf || format == .movText
            || format == .codec && SubtitleDecoder.isPlainText(stream.parameters)
    }

    /// The texts and bitmaps of one packet; see `SubtitleDecoder.decode`.
    mutating func decode(_ packet: Packet) throws(MediaError) -> Result {
        guard isText, SubtitleBytes.isText(words(of: packet)) else { return Result(subtitles: try read(packet, nil)) }
        let (text, isChanged) = encoding.read(words(of: packet))
        var result = Result()
        if isChanged {
            for earlier in guessed {
                guard let start = earlier.pts ?? earlier.dts else { continue }
                result.replaced.insert(start)
                result.subtitles += try read(earlier, encoding.text(of: words(of: earlier)))
            }
        }
        result.subtitles += try read(packet, text)
        if encoding.isSettled {
            guessed = []
        } else if encoding.isGuessing, guessed.count < Self.guessLimit {
            guessed.append(packet)
        }
        return result
    }

    /// Forgets what was sent, after a seek.
    mutating func flush() { decoder?.flush() }

    private mutating func read(_ packet: Packet, _ text: [UInt8]?) throws(MediaError) -> [DecodedSubtitle] {
        switch format {
        case .codec: try decoder?.decode(packet, text: text) ?? []
        case .movText: try decoder?.decode(packet, text: text.map { Self.sample($0, of: packet) }) ?? []
        case .webVTT: webVTT(packet, text)
        case .ttml: ttml(packet)
        case .usf: usf(packet, text)
        }
    }

    // MARK: - Bytes

    /// The words in a packet: in MP4 the length stands before them and places of looks, counted in letters, behind.
    private func words(of packet: Packet) -> [UInt8] {
        let bytes = packet.bytes(limit: Self.textLimit)
        guard format == .movText else { return bytes }
        guard bytes.count > 2 else { return [] }
        let words = bytes[2..<min(bytes.count, 2 + Int(bytes[0]) << 8 + Int(bytes[1]))]
        return words.starts(with: [0xFE, 0xFF]) || words.starts(with: [0xFF, 0xFE]) ? [] : Array(words)
    }

    private static func sample(_ words: [UInt8], of packet: Packet) -> [UInt8] {
        let bytes = packet.bytes(limit: Self.textLimit), length = Int(bytes[0]) << 8 + Int(bytes[1])
        guard words.count <= 0xFFFF else { return bytes }
        return [UInt8(words.count >> 8), UInt8(words.count & 255)] + words + bytes.dropFirst(2 + length)
    }

    // MARK: - WebVTT

    /// The part of a text that is looked at.
    private static let textLimit = 64 << 10, cueLimit = 16 << 10

    private func webVTT(_ packet: Packet, _ text: [UInt8]?) -> [DecodedSubtitle] {
        guard let start = packet.pts ?? packet.dts else { return [] }
        let bytes = text ?? packet.bytes(limit: Self.textLimit)
        let end = packet.duration.map { start + $0 }
        let cues =
            WebVTTBoxes.cues(bytes)
            ?? (SubtitleBytes.isText(bytes)
                ? [WebVTTBoxes.Cue(settings: packet.webVTTSettings ?? "", text: Self.string(bytes))] : [])
        // A sample without cues takes away what has no end of its own.
        if cues.isEmpty, end == nil, !bytes.isEmpty { return [DecodedSubtitle(start: start, end: nil, body: nil)] }
        return cues.compactMap { cue -> DecodedSubtitle? in
            guard let body = WebVTTText.body(cue.text, header: header) else { return nil }
            return DecodedSubtitle(
                start: start, end: end, body: body, placement: WebVTTPlacement.parse(cue.settings, header: header))
        }
    }

    private static func string(_ bytes: [UInt8]) -> String {
        // Half a letter at the cut is none.
        let end = bytes.count > cueLimit ? (cueLimit - 3...cueLimit).last { bytes[$0] & 0xC0 != 0x80 } ?? cueLimit : bytes.count
        return String(decoding: SubtitleBytes.printable(Array(bytes[..<end])), as: UTF8.self)
    }

    // MARK: - USF

    private func usf(_ packet: Packet, _ text: [UInt8]?) -> [DecodedSubtitle] {
        guard let start = packet.pts ?? packet.dts else { return [] }
        let bytes = text ?? packet.bytes(limit: Self.textLimit)
        guard SubtitleBytes.isText(bytes), let (body, placement) = USFText.read(bytes) else { return [] }
        return [DecodedSubtitle(start: start, end: packet.duration.map { start + $0 }, body: body, placement: placement)]
    }

    // MARK: - TTML

    private func ttml(_ packet: Packet) -> [DecodedSubtitle] {
        let sample = TTMLSample(packet.bytes(limit: Self.documentLimit))
        guard let start = packet.pts ?? packet.dts, let document = TTMLDocument(sample.document) else { return [] }
        // The times in a document are those of the file (ISO/IEC 14496-30), and its packet says which part of them it is for.
        let end = packet.duration.map { start + $0 }
        return document.subtitles(behind: sample.images).compactMap { cue in
            let from = max(cue.start, start)
            let to = [cue.end, end].compactMap { $0 }.min()
            if let to, to <= from { return nil }
            return DecodedSubtitle(start: from, end: to, body: cue.body, placement: cue.placement)
        }
    }

    /// A document of a whole video is 200 kB, with its images some MB.
    private static let documentLimit = 4 << 20
}
