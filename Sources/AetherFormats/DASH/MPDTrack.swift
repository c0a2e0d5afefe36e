import AetherCore

/// An adaptation set of one period: a track with its representations.
struct MPDTrack {
    /// A representation of one period.
    struct Stream {
        var rendition: Rendition
        var segments: PeriodSegments
        /// The servers, for what they say about availability and steering.
        var locations: MPDLocations
    }

    /// Without renditions.
    var group: Group
    /// The written id; nil for none.
    let written: String?
    let roles: [String]
    /// The rank of the set (`selectionPriority`): the greatest is chosen by default.
    let priority: Int64
    /// The period whose media it goes on from; nil for none.
    let continues: String?
    let captions: [(channel: String, language: String?)]
    var streams: [Stream] = []

    /// The base of its codecs, such as "mp4a"; "" where they are not known.
    var codec: String { streams.first?.rendition.codecs.first?.base ?? "" }
}

extension MPDTrack {
    /// Reads a set without its representations; nil for one that has an essential property that is not understood, or is none of
    /// video, audio, text and images.
    init?(_ set: XMLElement, number: Int) {
        let representations = set.children("Representation", limit: MPDTracks.limit)
        let descriptors = MPDDescriptors([set])
        guard descriptors.isUnderstood, let first = representations.first else { return nil }
        let names = MPDNames(set: set, representation: first)
        guard let kind = Self.kind(names, representations, set, descriptors) else { return nil }
        written = set.attribute("id").map { DisplayText.singleLine($0, limit: 200) }
        var group = Group(id: "\(kind.rawValue)/\(written ?? "\(number)")", kind: kind)
        group.language = set.attribute("lang").map { DisplayText.singleLine($0, limit: 60) }.flatMap { $0.isEmpty ? nil : $0 }
        group.label = Self.label(set)
        group.characteristics = descriptors.characteristics
        group.channels = MPDDescriptors([first, set]).channels
        roles = descriptors.roles
        group.isForced = roles.contains { $0 == "forced-subtitle" || $0 == "forced_subtitle" }
        self.group = group
        priority = (try? set.count("selectionPriority")) ?? 1  // A preference that cannot be read is none.
        continues = descriptors.continues
        captions = kind == .video || kind == .muxed ? descriptors.captions : []
    }

    /// The first label of the language of the set, else the first one at all.
    private static func label(_ set: XMLElement) -> String {
        let labels = set.children("Label", limit: 100), language = set.attribute("lang")
        let best = labels.first { language != nil && $0.attribute("lang") == language } ?? labels.first
        return DisplayText.singleLine(best?.text ?? set.attribute("label") ?? "", limit: 200)
    }

    private static func kind(
        _ names: MPDNames, _ representations: [XMLElement], _ set: XMLElement, _ descriptors: MPDDescriptors
    ) -> Group.Kind? {
        let type = names.contentType ?? names.mediaType?.split(separator: "/").first.map { $0.lowercased() } ?? ""
        if type == "image" || names.mediaType?.hasPrefix("image/") == true { return .image }
        let kinds = names.codecs.compactMap(\.kind)
        let isVideo = kinds.contains(.video) || type == "video", isAudio = kinds.contains(.audio) || type == "audio"
        if descriptors.isTrickMode { return isVideo ? .keyFrames : nil }
        if isVideo {
            return kinds.contains(.audio) || set.child("ContentComponent") != nil && names.isMuxed(set) ? .muxed : .video
        }
        if isAudio { return .audio }
        let texts = [
            "text/vtt", "application/ttml+xml", "text/ttml+xml", "application/x-sami", "text/srt", "application/x-subrip",
        ]
        if type == "text" || kinds.contains(.text) || names.mediaType.map({ texts.contains($0) }) == true { return .text }
        // Of an unknown codec in MP4, WebM or a transport stream something may still be played, if it has a size.
        if set.attribute("width") != nil || representations.contains(where: { $0.attribute("width") != nil }) { return .video }
        return names.mediaType == "video/mp2t" ? .muxed : nil
    }
}

/// Attributes that a set and its representations share: of the representation, else of the set.
struct MPDNames {
    let set, representation: XMLElement

    private func attribute(_ name: StaticString) -> String? { representation.attribute(name) ?? set.attribute(name) }

    /// In lower case and without parameters: "video/mp4".
    var mediaType: String? {
        guard let text = attribute("mimeType") else { return nil }
        let type = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        return DisplayText.singleLine(type.lowercased(), limit: 60)
    }

    var contentType: String? {
        attribute("contentType")?.lowercased() ?? set.child("ContentComponent")?.attribute("contentType")?.lowercased()
    }

    var codecs: [CodecName] { CodecName.list(attribute("codecs") ?? "") }

    func isMuxed(_ set: XMLElement) -> Bool {
        Set(set.children("ContentComponent", limit: 16).compactMap { $0.attribute("contentType")?.lowercased() })
            .isSuperset(of: ["video", "audio"])
    }

    /// The rendition, without addresses and segments.
    func rendition(id: String) -> Rendition {
        var rendition = Rendition(id: id)
        let descriptors = MPDDescriptors([representation, set])
        // Sizes and rates for people: what cannot be read is not known.
        // A rate that cannot be read is unknown: the representation plays all the same.
        rendition.peakBitRate = (try? representation.count("bandwidth")).flatMap { $0 > 0 ? $0 : nil }
        rendition.codecs = codecs
        rendition.supplementalCodecs = CodecName.list(attribute("supplementalCodecs") ?? "").map { codec in
            CodecName(codec.text.prefix { $0 != "/" })
        }
        if let width = attribute("width").flatMap({ Int($0) }), let height = attribute("height").flatMap({ Int($0) }) {
            rendition.size = StatedSize(width: width, height: height)
        }
        rendition.frameRate = attribute("frameRate").flatMap { MPDValue.frameRate($0) }
        rendition.range = descriptors.range
        rendition.sampleRate = attribute("audioSamplingRate").flatMap { Int($0.prefix { $0 != " " }) }
        rendition.mediaType = mediaType
        return rendition
    }
}
