import AetherCore
import AetherEngine

/// One of the qualities in which a page offers its media.
struct PageQuality: Sendable, Equatable {
    let variant: MediaVariant
    let url: String
    /// The address of its audio, where that is a source of its own.
    var audio: String?
    /// The headers that the site wants to be asked with.
    var headers: [String: String] = [:]
}

extension PageQuality {
    /// The format that yt-dlp has chosen, under its name among the qualities.
    init(_ page: PageDesk.Page) {
        let name = page.formats.active ?? ""
        let variant = page.formats.qualities.first { $0.variant.id == name }?.variant
        self.variant = variant ?? MediaVariant(id: name, badges: [], size: nil, peakBitRate: nil, codecs: [])
        (url, audio, headers) = (page.url, page.audio, page.headers)
    }
}

/// The formats that yt-dlp lists for a page, as qualities to choose among. Pure; bounded, and every word of it is a stranger's.
struct PageFormats: Sendable, Equatable {
    /// The best first: one of each height, rate of frames and range of light.
    private(set) var qualities: [PageQuality] = []
    /// The one that yt-dlp has chosen; nil where it is none of them.
    private(set) var active: MediaVariant.ID?

    /// More than any site has.
    private static let formatLimit = 500
    /// The number of qualities that fits a menu.
    private static let limit = 24
    /// Formats that are one file or one playlist. Others are lists of pieces that yt-dlp alone puts together.
    private static let protocols: Set<String> = ["http", "https", "m3u8", "m3u8_native"]

    private struct Format {
        let id, url: String
        let size: PixelSize?
        let frameRate: Int
        /// Kilobits a second.
        let rate: Double
        let video, audio: String?
        let range: String?
        let headers: [String: String]

        /// nil for what cannot be opened as it is.
        init?(_ json: JSON) {
            guard let id = json["format_id"]?.text, id.utf8.count <= 64, let url = json["url"]?.text, PageDesk.isAddress(url),
                let proto = json["protocol"]?.text, PageFormats.protocols.contains(proto)
            else { return nil }
            (self.id, self.url) = (id, url)
            func codec(_ name: String) -> String? { json[name]?.text.flatMap { $0 == "none" || $0.isEmpty ? nil : $0 } }
            (video, audio) = (codec("vcodec"), codec("acodec"))
            let width = json["width"]?.integer ?? 0, height = json["height"]?.integer ?? 0
            let isSized = 1...16_384 ~= width && 1...16_384 ~= height
            size = isSized ? PixelSize(width: width, height: height) : nil
            frameRate = json["fps"]?.number.map { Int(min(max($0, 0), 1000).rounded()) } ?? 0
            rate = json["tbr"]?.number.map { min(max($0, 0), 1e7) } ?? 0
            range = json["dynamic_range"]?.text.flatMap { $0 == "SDR" ? nil : $0 }
            headers = PageDesk.headers(json["http_headers"] ?? .null)
        }

        /// The features by which a person tells qualities apart.
        var kind: [String] {
            guard let size else { return [] }
            // An upright video is named by its width.
            let lines = "\(min(size.width, size.height))p"
            return [lines] + (frameRate > 30 ? ["\(frameRate) fps"] : []) + (range.map { [$0] } ?? [])
        }
    }

    /// Nothing to choose among.
    init() {}

    /// Reads the list, the worst first as yt-dlp has it, and the format that was chosen: "137+140", "22".
    init(_ list: JSON, chosen: String?) {
        let formats = (list.values ?? []).suffix(Self.formatLimit).compactMap { Format($0) }
        let chosen = chosen.map { $0.split(separator: "+").map(String.init) } ?? []
        let audio =
            formats.last { $0.video == nil && $0.audio != nil && chosen.contains($0.id) }
            ?? formats.last { $0.video == nil && $0.audio != nil }
        var kinds: Set<[String]> = []
        // The chosen one stands for its kind.
        let isChosen = { (format: Format) in format.video != nil && chosen.contains(format.id) }
        for format in formats.filter(isChosen) + formats.reversed() {
            guard let video = format.video, !format.kind.isEmpty, format.audio != nil || audio != nil,
                qualities.count < Self.limit,
                kinds.insert(format.kind).inserted
            else { continue }
            let audioFormat = format.audio == nil ? audio : nil
            let id = audioFormat.map { "\(format.id)+\($0.id)" } ?? format.id
            let rate = format.rate + (audioFormat?.rate ?? 0)
            let codecs = [video, format.audio ?? audioFormat?.audio ?? ""].map(Self.name).filter { !$0.isEmpty }
            qualities.append(
                PageQuality(
                    variant: MediaVariant(
                        id: id, badges: format.kind, size: format.size, peakBitRate: rate > 0 ? rate * 1000 : nil,
                        codecs: codecs),
                    url: format.url, audio: audioFormat?.url, headers: format.headers))
            if isChosen(format) { active = id }
        }
        qualities.sort { Self.order($0.variant) > Self.order($1.variant) }
    }

    private static func order(_ variant: MediaVariant) -> (Int, Double) {
        (variant.size.map { min($0.width, $0.height) } ?? 0, variant.peakBitRate ?? 0)
    }

    /// The usual names of codecs (RFC 6381) that sites have.
    private static func name(_ codec: String) -> String {
        let names = [
            ("avc1", "H.264"), ("avc3", "H.264"), ("h264", "H.264"), ("hvc1", "HEVC"), ("hev1", "HEVC"), ("vp09", "VP9"),
            ("vp9", "VP9"),
            ("av01", "AV1"), ("mp4a", "AAC"), ("opus", "Opus"), ("ac-3", "AC-3"), ("ec-3", "E-AC-3"),
        ]
        return names.first { codec.lowercased().hasPrefix($0.0) }?.1 ?? String(codec.prefix { $0 != "." })
    }

    // MARK: - Chapters

    private static let chapterLimit = 1000

    /// The chapters of a page, in order. What makes no sense is left out.
    static func chapters(_ list: JSON) -> [SourceSupplement.Chapter] {
        var end = 0.0
        return (list.values ?? []).prefix(chapterLimit).compactMap { json in
            guard let start = json["start_time"]?.number, let stop = json["end_time"]?.number, start >= end, stop > start,
                stop < 1e7
            else { return nil }
            end = start
            return SourceSupplement.Chapter(name: json["title"]?.text ?? "", start: .seconds(start), end: .seconds(stop))
        }
    }
}
