public import AetherCore
import CFFmpeg

/// One text that a subtitle packet carries.
public struct DecodedSubtitle: Sendable, Equatable {
    public let start: MediaTime
    /// Nil where the packet does not say: it then lasts until the next one.
    public let end: MediaTime?
    /// Plain lines, safe to display; never empty.
    public let lines: [String]

    /// A text.
    public init(start: MediaTime, end: MediaTime?, lines: [String]) {
        self.start = start
        self.end = end
        self.lines = lines
    }
}

/// Turns packets of a text subtitle stream (SubRip, ASS, WebVTT, mov_text and the other text codecs of libavcodec) into lines.
/// Keeps nothing between packets. Lives on one thread; never blocks.
public struct SubtitleDecoder: ~Copyable {
    private let codec: CodecContext
    private let isWebVTT: Bool
    /// Packets that could not be understood and were left out.
    public private(set) var damageCount = 0

    /// Texts in one packet at most.
    private static let rectLimit: UInt32 = 64

    /// Opens a decoder. Throws `.unsupported` for pictures (PGS, DVB, DVD) and codecs without a decoder.
    public init(_ parameters: CodecParameters) throws(MediaError) {
        let id = parameters.pointer.pointee.codec_id
        let properties = avcodec_descriptor_get(id)?.pointee.props ?? 0
        guard properties & AV_CODEC_PROP_TEXT_SUB != 0 else {
            let name = FFmpegText.string(avcodec_get_name(id))
            throw MediaError(.unsupported, "decode subtitles", subject: name, reason: "only text subtitles are shown")
        }
        let codec = try CodecContext(parameters, threadCount: 1)
        self.codec = codec
        isWebVTT = id == AV_CODEC_ID_WEBVTT
    }

    /// The texts of one packet; none for an empty or broken one. Throws `.decodeFailed` without memory only.
    public mutating func decode(_ packet: Packet) throws(MediaError) -> [DecodedSubtitle] {
        guard let start = packet.pts ?? packet.dts, isPlausible(packet) else { return [] }
        var subtitle = AVSubtitle()
        var gotSubtitle: Int32 = 0
        let status = avcodec_decode_subtitle2(codec.pointer, &subtitle, &gotSubtitle, packet.pointer)
        guard status >= 0 else {
            damageCount += 1
            if AVError(code: status) == .outOfMemory { throw MediaError(.decodeFailed, "decode subtitles", averror: status) }
            return []
        }
        guard gotSubtitle != 0 else { return [] }
        defer { avsubtitle_free(&subtitle) }
        let from = start + .milliseconds(Double(subtitle.start_display_time))
        let end = Self.end(of: subtitle, packet: packet, start: start, from: from)
        return texts(subtitle).map { DecodedSubtitle(start: from, end: end, lines: $0) }
    }

    /// The container's duration is exact; libavcodec's own is in whole milliseconds and 0 or all ones when unknown.
    private static func end(of subtitle: AVSubtitle, packet: Packet, start: MediaTime, from: MediaTime) -> MediaTime? {
        if let duration = packet.duration { return start + duration }
        guard subtitle.end_display_time > subtitle.start_display_time, subtitle.end_display_time != .max else { return nil }
        return start + .milliseconds(Double(subtitle.end_display_time))
    }

    private func texts(_ subtitle: AVSubtitle) -> [[String]] {
        guard let rects = subtitle.rects else { return [] }
        return (0..<Int(min(subtitle.num_rects, Self.rectLimit))).compactMap { index in
            guard let rect = rects[index] else { return nil }
            let lines: [String]
            if let event = rect.pointee.ass {
                lines = ASSText.lines(ASSText.textField(ofEvent: FFmpegText.string(event, limit: ASSText.limit)))
            } else {
                lines = DisplayText.lines(FFmpegText.string(rect.pointee.text, limit: ASSText.limit))
            }
            return lines.isEmpty ? nil : lines
        }
    }

    /// Matroska streams without a known codec are taken for WebVTT (see StreamAnalysis): what is no text in truth shows nothing.
    private func isPlausible(_ packet: Packet) -> Bool {
        guard packet.byteCount > 0, let data = packet.pointer.pointee.data else { return false }
        let bytes = UnsafeBufferPointer(start: data, count: min(packet.byteCount, ASSText.limit))
        return !isWebVTT || !bytes.contains(0)
    }
}
