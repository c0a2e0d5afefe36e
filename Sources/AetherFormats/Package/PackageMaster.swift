/// The list of variants of a package, as any player reads it. Pure.
public struct PackageMaster: Sendable {
    /// A track with a folder of its own.
    public struct Track: Sendable {
        let group: Group
        let folder: Int

        /// A track of audio, text or captions; `folder` 0: the track lies in the variants' own segments.
        public init(_ group: Group, folder: Int) { (self.group, self.folder) = (group, folder) }
    }

    /// A variant: the folder of its own segments, and its attributes.
    public struct Entry: Sendable {
        let variant: Variant
        let folder: Int
        let measured: Int64?

        /// A variant. `measured`: bits a second at most, where the manifest does not say.
        public init(_ variant: Variant, folder: Int, measured: Int64?) {
            (self.variant, self.folder, self.measured) = (variant, folder, measured)
        }
    }

    private let entries: [Entry]
    private let tracks: [Track]
    private let isIndependent: Bool
    private let title: String

    /// The variants in their order, the one to begin with first.
    public init(_ entries: [Entry], tracks: [Track], isIndependent: Bool, title: String) {
        (self.entries, self.tracks, self.isIndependent, self.title) = (entries, tracks, isIndependent, title)
    }

    /// The text of the playlist.
    public var text: String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:7"]
        if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if !title.isEmpty { lines.append("#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.title\",VALUE=\(Self.quoted(title))") }
        var names: [String: Set<String>] = [:], hasDefault: Set<String> = []
        for track in tracks { lines.append(Self.line(track, &names, &hasDefault)) }
        for entry in entries { lines += [line(entry), "\(PackageName.folder(entry.folder))/\(PackageName.list)"] }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func type(_ kind: Group.Kind) -> String {
        switch kind {
        case .text: "SUBTITLES"
        case .captions: "CLOSED-CAPTIONS"
        case .video, .muxed, .keyFrames, .image: "VIDEO"
        case .audio: "AUDIO"
        }
    }

    private static func line(
        _ track: Track, _ names: inout [String: Set<String>], _ hasDefault: inout Set<String>
    ) -> String {
        let group = track.group, kind = type(group.kind), set = "\(kind)/\(group.set ?? "")"
        var name = group.label.isEmpty ? group.language ?? kind.lowercased() : group.label, number = 2
        // Names are unique in a group (RFC 8216bis, 4.4.6.1.1).
        while !names[set, default: []].insert(name).inserted {
            name = "\(group.label.isEmpty ? group.language ?? kind.lowercased() : group.label) \(number)"
            number += 1
        }
        var fields = ["TYPE=\(kind)", "GROUP-ID=\(quoted(group.set ?? "main"))", "NAME=\(quoted(name))"]
        if let language = group.language { fields.append("LANGUAGE=\(quoted(language))") }
        if let language = group.associatedLanguage { fields.append("ASSOC-LANGUAGE=\(quoted(language))") }
        let isDefault = group.isDefault && hasDefault.insert(set).inserted
        fields.append("DEFAULT=\(isDefault ? "YES" : "NO")")
        if isDefault || group.isAutoselected { fields.append("AUTOSELECT=YES") }
        if group.isForced, group.kind == .text { fields.append("FORCED=YES") }
        if !group.characteristics.isEmpty {
            fields.append("CHARACTERISTICS=\(quoted(group.characteristics.joined(separator: ",")))")
        }
        if let channels = group.channels { fields.append("CHANNELS=\(quoted(Self.text(channels)))") }
        if group.kind == .captions { fields.append("INSTREAM-ID=\(quoted(group.captionChannel ?? "CC1"))") }
        if track.folder > 0 { fields.append("URI=\"\(PackageName.folder(track.folder))/\(PackageName.list)\"") }
        return "#EXT-X-MEDIA:" + fields.joined(separator: ",")
    }

    private static func text(_ channels: StatedChannels) -> String {
        let special = (channels.isBinaural ? ["BINAURAL"] : []) + (channels.isDownmix ? ["DOWNMIX"] : [])
        let objects = channels.isImmersive ? "/JOC" : special.isEmpty ? "" : "/-"
        return "\(channels.count)\(objects)" + (special.isEmpty ? "" : "/" + special.joined(separator: ","))
    }

    private func line(_ entry: Entry) -> String {
        let variant = entry.variant
        let rate = variant.peakBitRate > 0 ? variant.peakBitRate : max(1, entry.measured ?? 1)
        var fields = ["BANDWIDTH=\(rate)"]
        if let average = variant.averageBitRate { fields.append("AVERAGE-BANDWIDTH=\(average)") }
        if !variant.codecs.isEmpty { fields.append("CODECS=\(Self.codecs(variant.codecs))") }
        if !variant.supplementalCodecs.isEmpty {
            fields.append("SUPPLEMENTAL-CODECS=\(Self.codecs(variant.supplementalCodecs))")
        }
        if let size = variant.size { fields.append("RESOLUTION=\(size.width)x\(size.height)") }
        if let rate = variant.frameRate {
            let rest = "\(1000 + rate.millihertz % 1000)".dropFirst()
            fields.append("FRAME-RATE=\(rate.millihertz / 1000).\(rest)")
        }
        if let range = variant.range { fields.append("VIDEO-RANGE=\(range.rawValue)") }
        if let score = variant.score { fields.append("SCORE=\(PackageList.seconds(score * 1000))") }
        func field(_ name: String, _ kind: Group.Kind, _ set: String?) {
            guard let set, tracks.contains(where: { $0.group.kind == kind && $0.group.set == set }) else { return }
            fields.append("\(name)=\(Self.quoted(set))")
        }
        field("AUDIO", .audio, variant.audioSet)
        field("SUBTITLES", .text, variant.textSet)
        field("CLOSED-CAPTIONS", .captions, variant.captionSet)
        if variant.hasNoCaptions { fields.append("CLOSED-CAPTIONS=NONE") }
        return "#EXT-X-STREAM-INF:" + fields.joined(separator: ",")
    }

    private static func codecs(_ list: [CodecName]) -> String { quoted(list.map(\.text).joined(separator: ",")) }

    /// A quoted string cannot hold quotes and control characters (RFC 8216bis, 4.2).
    private static func quoted(_ text: String) -> String {
        let clean = text.unicodeScalars.map { $0 == "\"" ? "'" : $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: clean)
        return "\"" + String(result) + "\""
    }
}
