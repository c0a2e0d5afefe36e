import AetherCore

/// The descriptors of an adaptation set or a representation: roles, accessibility, channels, properties.
struct MPDDescriptors {
    /// A scheme with its value.
    struct Property: Sendable, Equatable {
        /// In lower case.
        let scheme: String
        let value: String
    }

    private let elements: [XMLElement]

    /// The descriptors of elements, innermost first.
    init(_ elements: [XMLElement]) { self.elements = elements }

    func properties(_ name: StaticString) -> [Property] {
        elements.flatMap { $0.children(name, limit: 100) }.map {
            Property(scheme: ($0.attribute("schemeIdUri") ?? "").lowercased(), value: $0.attribute("value") ?? "")
        }
    }

    private static let colour = "urn:mpeg:mpegb:cicp:"
    private static let tiles = ["http://dashif.org/thumbnail_tile", "http://dashif.org/guidelines/thumbnail_tile"]
    private static let trickMode = "http://dashif.org/guidelines/trickmode"

    /// Whether everything that is essential is understood: else the element is to be left out.
    var isUnderstood: Bool {
        properties("EssentialProperty").allSatisfy { property in
            switch property.scheme {
            case Self.trickMode, "urn:mpeg:dash:period-continuity:2015", "urn:mpeg:dash:adaptation-set-switching:2016",
                "urn:dvb:dash:fontdownload:2014", "urn:mpeg:dash:preselection:2016":
                true
            // Another transfer or packing of frames is for the decoder's own signs.
            case Self.colour + "colourprimaries", Self.colour + "transfercharacteristics", Self.colour + "matrixcoefficients":
                true
            case Self.colour + "videoframepackingtype": property.value == "0"
            default: Self.tiles.contains(property.scheme)
            }
        }
    }

    /// Key frames alone, for scrubbing.
    var isTrickMode: Bool {
        (properties("EssentialProperty") + properties("SupplementalProperty")).contains { $0.scheme == Self.trickMode }
    }

    /// Columns and rows of stills in an image; nil where it is one still.
    var tiles: (columns: Int, rows: Int)? {
        let found = (properties("EssentialProperty") + properties("SupplementalProperty")).first {
            Self.tiles.contains($0.scheme)
        }
        let parts = found?.value.split(separator: "x").compactMap { Int($0) } ?? []
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    /// By the transfer characteristics that are stated (ISO/IEC 23091-2).
    var range: StatedRange? {
        let found = (properties("SupplementalProperty") + properties("EssentialProperty")).first {
            $0.scheme == Self.colour + "transfercharacteristics"
        }
        switch found?.value {
        case "16": return .pq
        case "18", "14": return .hlg
        case "1", "6", "13", "15": return .sdr
        default: return nil
        }
    }

    /// The values of the period that this one goes on from, whose media it continues.
    var continues: String? {
        properties("SupplementalProperty").first { $0.scheme == "urn:mpeg:dash:period-continuity:2015" }?.value
    }

    // MARK: - Channels

    /// The channels of audio by any scheme in use; Dolby's objects (JOC) are beside them.
    var channels: StatedChannels? {
        let counts = properties("AudioChannelConfiguration").compactMap { Self.channelCount($0) }
        guard let count = counts.max() else { return nil }
        return StatedChannels(isJoint ? "\(count)/JOC" : "\(count)")
    }

    /// Dolby Digital Plus with objects in space.
    private var isJoint: Bool {
        properties("SupplementalProperty").contains { property in
            property.scheme == "tag:dolby.com,2018:dash:ec3_extensiontype:2018" && property.value.uppercased() == "JOC"
        }
    }

    private static let numberedLayouts = [0, 1, 2, 3, 4, 5, 6, 8, 2, 3, 4, 7, 8, 24, 8, 12, 10, 12, 14, 12, 14]
    /// Bits of Dolby's masks that stand for two channels: of Dolby Digital Plus, and of AC-4.
    private static let pairs: UInt32 = 0b0000_0110_0111_0100, pairs4: UInt32 = 0b111_0010_0001_1011_1101

    private static func channelCount(_ property: Property) -> Int? {
        switch property.scheme {
        case "urn:mpeg:dash:23003:3:audio_channel_configuration:2011", "tag:dts.com,2014:dash:audio_channel_configuration:2012",
            "urn:dts:dash:audio_channel_configuration:2012":
            return Int(property.value)
        case "urn:mpeg:mpegb:cicp:channelconfiguration":
            return Int(property.value).flatMap { numberedLayouts.indices.contains($0) && $0 > 0 ? numberedLayouts[$0] : nil }
        case "tag:dolby.com,2014:dash:audio_channel_configuration:2011", "urn:dolby:dash:audio_channel_configuration:2011":
            return UInt32(property.value, radix: 16).map { ($0 & 0xFFFF).nonzeroBitCount + ($0 & pairs).nonzeroBitCount }
        case "tag:dolby.com,2015:dash:audio_channel_configuration:2015":
            return UInt32(property.value, radix: 16).map { ($0 & 0x7FFFF).nonzeroBitCount + ($0 & pairs4).nonzeroBitCount }
        case "tag:dts.com,2018:uhd:audio_channel_configuration":
            return UInt32(property.value, radix: 16).map(\.nonzeroBitCount)
        default: return nil
        }
    }

    // MARK: - Roles

    /// The roles by MPEG's scheme, as they are written: "main", "commentary".
    var roles: [String] {
        properties("Role").filter { $0.scheme == "urn:mpeg:dash:role:2011" }.map { DisplayText.singleLine($0.value, limit: 60) }
    }

    /// Roles and accessibility in the words that HLS has for them, where it has any.
    var characteristics: [String] {
        var found: [String] = []
        let accessibility = properties("Accessibility")
        for property in accessibility {
            switch (property.scheme, property.value) {
            case ("urn:tva:metadata:cs:audiopurposecs:2007", "1"), ("urn:mpeg:dash:role:2011", "description"):
                found.append("public.accessibility.describes-video")
            case ("urn:tva:metadata:cs:audiopurposecs:2007", "2"), ("urn:mpeg:dash:role:2011", "enhanced-audio-intelligibility"):
                found.append("public.accessibility.enhances-speech-intelligibility")
            case ("urn:mpeg:dash:role:2011", "caption"): found.append("public.accessibility.transcribes-spoken-dialog")
            case ("urn:mpeg:dash:role:2011", let value): found.append(DisplayText.singleLine(value, limit: 60))
            default: continue
            }
        }
        for role in roles {
            switch role {
            case "main": continue
            case "description": found.append("public.accessibility.describes-video")
            case "enhanced-audio-intelligibility": found.append("public.accessibility.enhances-speech-intelligibility")
            case "caption": found.append("public.accessibility.transcribes-spoken-dialog")
            case "easyreader": found.append("public.easy-to-read")
            default: found.append(role)
            }
        }
        return found.enumerated().filter { !found[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// The captions inside of the video by Accessibility (SCTE 214-1): the channel, "CC1" or "SERVICE1", and its language.
    var captions: [(channel: String, language: String?)] {
        var found: [(channel: String, language: String?)] = []
        for property in properties("Accessibility") {
            let is608 = property.scheme == "urn:scte:dash:cc:cea-608:2015",
                is708 = property.scheme == "urn:scte:dash:cc:cea-708:2015"
            guard is608 || is708 else { continue }
            let entries = property.value.split(separator: ";").prefix(64)
            if entries.isEmpty { found.append((is608 ? "CC1" : "SERVICE1", nil)) }
            for (place, entry) in entries.enumerated() {
                let parts = entry.split(separator: "=", maxSplits: 1)
                let name = parts.count == 2 ? String(parts[0]) : is608 ? "CC\(2 * place + 1)" : "\(place + 1)"
                let said = parts.last.map { $0.split(separator: ",")[0] } ?? ""
                let language = said.hasPrefix("lang:") ? said.dropFirst(5) : said
                let channel = is708 ? "SERVICE\(name)" : name
                found.append((DisplayText.singleLine(channel, limit: 20), DisplayText.singleLine(String(language), limit: 20)))
            }
        }
        return found
    }
}
