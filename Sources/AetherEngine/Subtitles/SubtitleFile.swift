import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// Reads a whole subtitle file: texts of any character set through libavformat or our own TTML and WebVTT, bitmaps through libavformat. Blocks.
struct SubtitleFile {
    /// A subtitle stream of a file: most have one, VobSub's one for each language.
    struct Stream {
        let codec: String
        let language: String?
        let isBitmap: Bool
        let assHeader: String?
        var subtitles: [DecodedSubtitle] = []
    }

    let location: MediaLocation
    let formatHint: String?
    /// Frames a second of the file, for formats that count frames.
    let frameRate: Double?
    let interrupt: Interrupt
    /// The language by the file; nil where nothing says so.
    var language: String?
    /// How a web server is spoken to.
    var http = HTTPOptions()

    /// A feature video's text is 100 KB; libavformat keeps all of it.
    private static let textLimit = 16 << 20
    private static let streamLimit = 32
    private static let cueLimit = 20_000

    /// The streams with all their subtitles, in the file's time. Throws where the file cannot be read or holds no subtitles.
    func read() throws(MediaError) -> [Stream] {
        let name = location.displayName
        if let images = location.imagesOfIndex {
            return try demux(VobSubFile(index: location, images: images, http: http, interrupt: interrupt).input())
        }
        let bytes = try bytes()
        // A mark of its character set is no text.
        guard bytes.contains(where: { $0 > 0x20 && ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) }) else {
            throw MediaError(.noDecodableStream, "read subtitles", subject: name, reason: "the file is empty")
        }
        if let document = EBUDocument(bytes) {
            return [Stream("ebu_stl", document.cues, language: document.language)]
        }
        guard !Self.isBinary(bytes) else { return try demux(binaryInput(bytes)) }
        let text = SubtitleBytes.withoutEndlessLines(SubtitleBytes.printable(TextEncoding.utf8(bytes, language: language)))
        if ThumbnailCues(String(decoding: text, as: UTF8.self)) != nil {
            throw MediaError(.noDecodableStream, "read subtitles", subject: name, reason: "it holds thumbnails, no subtitles")
        }
        if let document = TTMLDocument(text) {
            return [Stream(document)]
        }
        if let file = WebVTTFile(text) { return [Stream(file)] }
        let numbered = SubtitleBytes.numbered(text)
        let streams: [Stream]
        if let file = SAMIFile(text) {
            streams = try demux(file)
        } else {
            streams = try demux(.reader(MemoryReader(numbered), name: name), hint: formatHint ?? Self.bracketedFormat(text))
        }
        // libavformat takes a file for what its name says: a page of HTML for WebVTT. A script that shows nothing is one.
        guard streams.contains(where: { !$0.subtitles.isEmpty || $0.codec == "ass" }) else { throw holdsNone }
        return streams
    }

    // MARK: - Bytes

    /// The file itself, for one that is too long to be kept. At a FIFO without a writer opening does not wait.
    private func pathInput() throws(MediaError) -> MediaInput {
        switch location {
        case .file(let path):
            do throws(IOReaderError) {
                return .reader(try FileReader(path: path), name: location.displayName)
            } catch {
                throw MediaError(.file(path), error)
            }
        case .url(let url): return .url(url)
        case .standardInput: throw MediaError(.unsupported, "read subtitles", subject: "standard input")
        }
    }

    private func binaryInput(_ bytes: [UInt8]) throws(MediaError) -> MediaInput {
        // A file longer than the limit for texts is not all in memory.
        bytes.count < Self.textLimit ? .reader(MemoryReader(bytes), name: location.displayName) : try pathInput()
    }

    private func bytes() throws(MediaError) -> [UInt8] {
        if case .standardInput = location { throw MediaError(.unsupported, "read subtitles", subject: "standard input") }
        if case .url(let url) = location {
            guard HTTPReader.opens(url) || ShareReader.opens(url) else {
                return try URLBytes.read(url, limit: Self.textLimit, interrupt: interrupt)
            }
            return try bytes { () throws(IOReaderError) in
                guard let reader = try location.serverReader(http) else { throw .closed }
                return reader
            }
        }
        return try bytes { () throws(IOReaderError) in
            guard let reader = try location.openReader() else { throw .closed }
            return reader
        }
    }

    private func bytes(_ open: () throws(IOReaderError) -> any IOReader) throws(MediaError) -> [UInt8] {
        do throws(IOReaderError) {
            let reader = try open()
            interrupt.attach(reader)
            defer {
                interrupt.detach(reader)
                reader.close()
            }
            return try reader.bytes(limit: Self.textLimit)
        } catch {
            throw MediaError(location, error)
        }
    }

    /// Text has no zeros, but for UTF-16, which has them on one side, one here and there that a program left behind, and those after the end
    /// of what was not written to its end. Of what is compressed every ninth byte is a control, and what is filled up with 0xFF, a stream of
    /// MPEG, has two zeros side by side.
    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        let end = bytes.lastIndex { $0 != 0 } ?? 0
        let head = bytes.prefix(min(4096, end + 1))
        guard head.contains(0) else { return false }
        let isFilled = zip(head, head.dropFirst()).contains { $0 == 0 && $1 == 0 }
        if !isFilled, head.count(where: { $0 < 0x09 || 0x0E...0x1F ~= $0 }) <= max(2, head.count / 32) { return false }
        let name = TextEncoding.detect(Array(bytes.prefix(4096)))
        return !name.hasPrefix("UTF-16") && !name.hasPrefix("UTF-32")
    }

    /// Formats whose lines begin with two numbers in brackets: libavformat knows them from the third line on only, and takes a short MPL2 for
    /// lyrics.
    private static func bracketedFormat(_ text: [UInt8]) -> String? {
        let line = text.prefix(64).drop { $0 <= 0x20 }.prefix { $0 > 0x20 }
        for (open, close, name) in [
            (UInt8(ascii: "{"), UInt8(ascii: "}"), "microdvd"), (UInt8(ascii: "["), UInt8(ascii: "]"), "mpl2"),
        ] {
            let parts = line.split(separator: close, maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].count > 1, parts[0].first == open, parts[1].first == open else { continue }
            let digits = parts[0].dropFirst() + parts[1].dropFirst()
            if digits.allSatisfy({ 0x30...0x39 ~= $0 }) { return name }
        }
        return nil
    }

    // MARK: - Streams

    private var holdsNone: MediaError {
        MediaError(.noDecodableStream, "read subtitles", subject: location.displayName, reason: "it holds no subtitles")
    }

    /// Each language of a file of SAMI as a stream of its own.
    private func demux(_ file: SAMIFile) throws(MediaError) -> [Stream] {
        var streams: [Stream] = []
        for part in file.parts {
            for stream in try demux(.reader(MemoryReader(part.text), name: location.displayName)) {
                streams.append(
                    Stream(
                        codec: stream.codec, language: part.language ?? stream.language, isBitmap: false,
                        assHeader: stream.assHeader,
                        subtitles: stream.subtitles))
            }
        }
        return streams
    }

    private func demux(_ input: MediaInput, hint: String? = nil) throws(MediaError) -> [Stream] {
        var options = OpenOptions(formatHint: hint ?? formatHint, analysis: .full)
        options.subtitleFrameRate = frameRate
        var demuxer = try Demuxer(input, options: options, interrupt: interrupt)
        var streams: [StreamID: Stream] = [:]
        var decoders: [StreamID: SubtitlePacketsBox] = [:]
        let room = SubtitleRoom()
        for info in demuxer.info.decodable(.subtitle).prefix(Self.streamLimit) {
            guard let track = info.track else { continue }
            decoders[info.id] = SubtitlePacketsBox(try SubtitlePackets(info, room: room))
            streams[info.id] = Stream(
                codec: track.codec, language: track.language, isBitmap: track.isBitmapSubtitle, assHeader: track.assHeader)
        }
        guard !streams.isEmpty else { throw holdsNone }
        var byteCount = 0
        // Bitmaps of noise have 18 MB each: what the list of cues does not keep is not read.
        while byteCount < CueStore.byteLimit {
            do throws(MediaError) {
                let packet = try demuxer.read(epoch: Epoch())
                guard let box = decoders[packet.stream], let count = streams[packet.stream]?.subtitles.count,
                    count < Self.cueLimit
                else { continue }
                let found = try box.packets.decode(packet)
                byteCount += found.subtitles.reduce(0) { $0 + ($1.body?.byteCount ?? 0) }
                if !found.replaced.isEmpty {
                    streams[packet.stream]?.subtitles.removeAll { found.replaced.contains($0.start) }
                }
                streams[packet.stream]?.subtitles += found.subtitles
            } catch {
                if error.code == .endOfMedia { break }
                throw error
            }
        }
        return streams.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// A decoder in a dictionary, which wants what can be copied.
private final class SubtitlePacketsBox {
    var packets: SubtitlePackets
    init(_ packets: consuming SubtitlePackets) { self.packets = packets }
}

extension SubtitleFile.Stream {
    /// A file of WebVTT.
    init(_ file: WebVTTFile) {
        self.init(codec: "webvtt", language: nil, isBitmap: false, assHeader: nil)
        subtitles = file.cues.compactMap { cue in
            WebVTTText.body(cue.text, header: file.header).map {
                DecodedSubtitle(
                    start: cue.start, end: cue.end, body: $0, placement: WebVTTPlacement.parse(cue.settings, header: file.header))
            }
        }
    }

    /// A document of TTML.
    init(_ document: TTMLDocument) {
        self.init(codec: "ttml", language: nil, isBitmap: false, assHeader: nil)
        subtitles = document.subtitles()
    }

    /// The result of one of our own parsers.
    init(_ codec: String, _ cues: [TimedTextCue], language: String?) {
        self.init(codec: codec, language: language, isBitmap: false, assHeader: nil)
        subtitles = cues.map { DecodedSubtitle(start: $0.start, end: $0.end, body: $0.body, placement: $0.placement) }
    }
}
