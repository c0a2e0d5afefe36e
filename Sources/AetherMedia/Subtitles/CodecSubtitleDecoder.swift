import AetherCore
import CFFmpeg

/// A decoder of subtitles of libavcodec, in this process. As `SubtitleDecoder`.
struct CodecSubtitleDecoder: ~Copyable {
    private var codec: CodecContext
    private let id: AVCodecID
    private let isBitmap: Bool
    private let script: ASSScript
    private var regions = DVBRegions()
    /// Packets that could not be understood and were left out.
    private(set) var damageCount = 0

    /// Texts or bitmaps in one packet at most.
    private static let rectLimit: UInt32 = 64

    /// Opens a decoder.
    init(_ parameters: CodecParameters, teletextPage: Int?) throws(MediaError) {
        let id = parameters.pointer.pointee.codec_id
        let codec = try CodecContext(parameters, threadCount: 1) { context in
            // Objects of 65535 pixels a side are refused before there is room for them.
            context.pointee.max_pixels = Int64(
                id == AV_CODEC_ID_HDMV_PGS_SUBTITLE ? SubtitleBounds.decodedLimit : SubtitleBounds.pixelLimit)
            guard let options = context.pointee.priv_data else { return }
            switch id {
            case AV_CODEC_ID_DVB_TELETEXT:
                av_opt_set(options, "txt_format", "ass", 0)
                av_opt_set(options, "txt_page", teletextPage.map { String(min(max($0, 100), 899)) } ?? "subtitle", 0)
            case AV_CODEC_ID_EIA_608:
                // Captions are shown when they come, not when the next has come: a video is not read to its end first.
                av_opt_set(options, "real_time", "1", 0)
                av_opt_set(options, "real_time_latency_msec", "0", 0)
            default: break
            }
        }
        self.id = id
        isBitmap = SubtitleDecoder.isBitmap(id)
        let header = codec.pointer.pointee.subtitle_header
        let size = min(Int(codec.pointer.pointee.subtitle_header_size), ASSScript.headerLimit)
        self.codec = codec
        script = ASSScript(
            header: header.map { String(decoding: UnsafeBufferPointer(start: $0, count: max(0, size)), as: UTF8.self) } ?? "")
    }

    /// Forgets what was sent, after a seek.
    mutating func flush() { codec.flush() }

    /// The texts and bitmaps of one packet.
    mutating func decode(_ packet: Packet, text: [UInt8]?) throws(MediaError) -> [DecodedSubtitle] {
        guard let start = packet.pts ?? packet.dts, isPlausible(packet) else { return [] }
        var subtitle = AVSubtitle()
        var gotSubtitle: Int32 = 0
        let status = decode(packet, text, into: &subtitle, &gotSubtitle)
        guard status >= 0 else {
            damageCount += 1
            if AVError(code: status) == .outOfMemory { throw MediaError(.decodeFailed, "decode subtitles", averror: status) }
            return []
        }
        guard gotSubtitle != 0 else { return [] }
        defer { avsubtitle_free(&subtitle) }
        let origin = shownAt(subtitle, packet: start)
        let from = origin + .milliseconds(Double(subtitle.start_display_time))
        let end = end(of: subtitle, packet: packet, origin: origin)
        let contents = contents(subtitle)
        let replaced = isBitmap || id == AV_CODEC_ID_EIA_608 || id == AV_CODEC_ID_DVB_TELETEXT
        if contents.isEmpty {
            return replaced ? [DecodedSubtitle(start: from, end: nil, body: nil)] : []
        }
        return contents.map {
            DecodedSubtitle(
                start: from, end: end, body: $0.body, placement: $0.placement, markup: $0.markup, isReplacedByNext: replaced)
        }
    }

    /// Decoders that put several packets together know better than the last packet when the bitmap belongs.
    private func shownAt(_ subtitle: AVSubtitle, packet: MediaTime) -> MediaTime {
        guard isBitmap, subtitle.pts != aether_nopts() else { return packet }
        let time = MediaTime(ticks: subtitle.pts, in: TimeBase(1, 1_000_000))
        // The same, but for the rounding to microseconds.
        return (time - packet).magnitude < .milliseconds(1) ? packet : time
    }

    /// The container's duration is exact; libavcodec's own is in whole milliseconds and 0 or all ones when unknown.
    private func end(of subtitle: AVSubtitle, packet: Packet, origin: MediaTime) -> MediaTime? {
        if let duration = packet.duration, id != AV_CODEC_ID_EIA_608 { return origin + duration }
        guard subtitle.end_display_time > subtitle.start_display_time, subtitle.end_display_time != .max,
            id != AV_CODEC_ID_EIA_608
        else { return nil }
        return origin + .milliseconds(Double(subtitle.end_display_time))
    }

    private typealias Content = (body: SubtitleCue.Body, placement: SubtitleTextPlacement?, markup: String?)

    private func contents(_ subtitle: AVSubtitle) -> [Content] {
        guard let rects = subtitle.rects else { return [] }
        return (0..<Int(min(subtitle.num_rects, Self.rectLimit))).compactMap { index -> Content? in
            guard let rect = rects[index] else { return nil }
            if rect.pointee.type == SUBTITLE_BITMAP {
                return SubtitleImage(rect, canvas: canvas).map { (.image($0), nil, nil) }
            }
            guard let event = rect.pointee.ass else {
                let lines = DisplayText.lines(FFmpegText.string(rect.pointee.text, limit: ASSText.limit))
                return lines.isEmpty ? nil : (.text(lines.joined(separator: "\n")), nil, nil)
            }
            let limit = id == AV_CODEC_ID_ASS ? ASSText.markupLimit : ASSText.limit
            return self.event(FFmpegText.string(event, limit: limit))
        }
    }

    private func event(_ event: String) -> Content? {
        guard let fields = ASSText.fields(ofEvent: event) else { return nil }
        let words = Substring(fields.text.unicodeScalars.prefix(ASSText.limit))
        let text = ASSText(words, style: script.style(named: fields.style), script: script)
        // A drawing has no words, but a renderer of ASS wants it.
        let markup = id == AV_CODEC_ID_ASS && !fields.text.isEmpty ? String(fields.markup) : nil
        guard let body = text.body ?? markup.map({ _ in .text("") }) else { return nil }
        return (body, text.placement, markup)
    }

    /// PAL's size where the stream does not say: DVB without a display definition, and most DVDs in the countries that have it.
    private var canvas: PixelSize {
        let (width, height) = (Int(codec.pointer.pointee.width), Int(codec.pointer.pointee.height))
        return width > 0 && height > 0 ? PixelSize(width: width, height: height) : PixelSize(width: 720, height: 576)
    }
}

extension CodecSubtitleDecoder {
    /// Hands a packet to libavcodec, a text after it was made printable: one bad byte would take all of it.
    private mutating func decode(
        _ packet: Packet, _ text: [UInt8]?, into subtitle: inout AVSubtitle, _ gotSubtitle: inout Int32
    ) -> Int32 {
        let printable = text.map { text in text.withUnsafeBufferPointer { self.printable($0) } ?? text }
        guard let bytes = printable ?? packet.payload.flatMap({ self.printable($0) }) else {
            let context = codec.pointer
            return packet.withAVPacket { avcodec_decode_subtitle2(context, &subtitle, &gotSubtitle, $0) }
                ?? aether_averror(ENOMEM)
        }
        guard !bytes.isEmpty else { return 0 }
        var copy = av_packet_alloc()
        defer { av_packet_free(&copy) }
        guard let copy, av_new_packet(copy, Int32(clamping: bytes.count)) >= 0, let target = copy.pointee.data,
            packet.withAVPacket({ av_packet_copy_props(copy, $0) }) ?? -1 >= 0
        else { return aether_averror(ENOMEM) }
        target.update(from: bytes, count: bytes.count)
        return avcodec_decode_subtitle2(codec.pointer, &subtitle, &gotSubtitle, copy)
    }

    /// The bytes of a text as libavcodec takes them; nil where they are so, and for what is no text. At most what is looked at afterwards:
    /// libavcodec's reader of `<` needs the square of the length, minutes for 1 MB.
    private func printable(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        switch id {
        case AV_CODEC_ID_MOV_TEXT: return SubtitleBytes.masked(movText: bytes)
        case AV_CODEC_ID_EIA_608, AV_CODEC_ID_DVB_TELETEXT, AV_CODEC_ID_HDMV_TEXT_SUBTITLE, AV_CODEC_ID_ARIB_CAPTION: return nil
        case _ where isBitmap: return nil
        default:
            let limit =
                switch id {
                case AV_CODEC_ID_ASS: ASSText.markupLimit
                // libavcodec has 2048 bytes for it, and cuts within a letter.
                case AV_CODEC_ID_SAMI: 1800
                default: ASSText.limit
                }
            let part = UnsafeBufferPointer(rebasing: bytes.prefix(SubtitleBytes.fitting(bytes, limit: limit)))
            return SubtitleBytes.printable(part) ?? (part.count < bytes.count ? Array(part) : nil)
        }
    }

    /// Whether there is anything, and it does not ask for more memory than any subtitle needs. Matroska streams without a known codec are
    /// taken for WebVTT (see StreamAnalysis): what is no text in truth shows nothing.
    private mutating func isPlausible(_ packet: Packet) -> Bool {
        guard let bytes = packet.payload else { return false }
        switch id {
        case AV_CODEC_ID_WEBVTT: return SubtitleBytes.isText(bytes.prefix(ASSText.limit))
        case AV_CODEC_ID_DVB_SUBTITLE:
            if regions.admits(bytes) { return true }
            damageCount += 1
            return false
        case AV_CODEC_ID_XSUB:
            // Times in 27 letters, then width and height.
            guard bytes.count >= 31 else { return false }
            func word(_ index: Int) -> Int { Int(bytes[index + 1]) << 8 | Int(bytes[index]) }
            return word(27) * word(29) <= SubtitleBounds.pixelLimit
        default: return true
        }
    }
}
