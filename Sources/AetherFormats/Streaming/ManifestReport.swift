public import AetherCore

/// A presentation as it was understood, for people and for programs. Addresses are whole: a person who asks for the report wants to follow
/// them.
public struct ManifestReport: Sendable {
    /// The most segments of one rendition in a report: a template has no bound of its own.
    public static let segmentLimit = 100_000

    private let presentation: Presentation

    /// A report. Segments are in it of those renditions whose index is there.
    public init(_ presentation: Presentation) { self.presentation = presentation }

    /// The report for programs: `kind`, `duration`, `title`, `protection`, `variants`, `groups`, `renditions`, `periods`. Times are
    /// seconds; unknown values are null.
    public var json: JSON {
        let groups = presentation.periods.flatMap(\.groups)
        return .object([
            ("kind", JSON(presentation.kind?.rawValue)), ("duration", JSON(presentation.duration?.seconds)),
            ("title", JSON(presentation.title)), ("protection", JSON(presentation.protection?.rawValue)),
            ("variants", .array(presentation.variants.map { json($0) })), ("groups", .array(groups.map { json($0) })),
            ("renditions", .array(presentation.renditions.map { json($0) })),
            ("periods", .array(presentation.sections.map { json($0) })),
        ])
    }

    private func json(_ section: Section) -> JSON {
        .object([
            ("id", .string(section.id)), ("start", JSON(section.start.seconds)), ("duration", JSON(section.duration?.seconds)),
        ])
    }

    private func json(_ variant: Variant) -> JSON {
        .object([
            ("id", .string(variant.id)), ("rendition", .string(variant.rendition)),
            ("peakBitRate", variant.peakBitRate > 0 ? .integer(variant.peakBitRate) : .null),
            ("averageBitRate", JSON(variant.averageBitRate)), ("codecs", .array(variant.codecs.map { .string($0.text) })),
            ("width", JSON(variant.size.map { Int64($0.width) })), ("height", JSON(variant.size.map { Int64($0.height) })),
            ("frameRate", JSON(variant.frameRate?.value)), ("videoRange", JSON(variant.range?.rawValue)),
            ("score", JSON(variant.score.map { Double($0) / 1e6 })), ("audioGroup", JSON(variant.audioSet)),
            ("textGroup", JSON(variant.textSet)), ("captionGroup", JSON(variant.captionSet)),
            ("videoGroup", JSON(variant.videoSet)), ("angle", JSON(variant.angle)),
            ("badges", .array(badges(variant).map { .string($0) })),
        ])
    }

    private func json(_ group: Group) -> JSON {
        .object([
            ("id", .string(group.id)), ("group", JSON(group.set)), ("kind", .string(group.kind.rawValue)),
            ("language", JSON(group.language)), ("associatedLanguage", JSON(group.associatedLanguage)),
            ("label", .string(group.label)),
            ("channels", JSON(group.channels.map { Int64($0.count) })),
            ("isImmersive", .bool(group.channels?.isImmersive ?? false)),
            ("characteristics", .array(group.characteristics.map { .string($0) })), ("isDefault", .bool(group.isDefault)),
            ("isAutoselected", .bool(group.isAutoselected)), ("isForced", .bool(group.isForced)),
            ("captionChannel", JSON(group.captionChannel)), ("renditions", .array(group.renditions.map { .string($0.id) })),
        ])
    }

    private func json(_ rendition: Rendition) -> JSON {
        var segments: [JSON]?
        if let index = rendition.index {
            segments = index.numbers.prefix(Self.segmentLimit).compactMap { index.segment($0) }.map { json($0) }
        }
        return .object([
            ("id", .string(rendition.id)), ("urls", .array(rendition.addresses.map { .string($0.text) })),
            ("mediaType", JSON(rendition.mediaType)), ("segments", segments.map { .array($0) } ?? .null),
        ])
    }

    private func json(_ segment: Segment) -> JSON {
        .object([
            ("number", .integer(segment.number)), ("start", JSON(segment.start.seconds)),
            ("duration", JSON(segment.duration.seconds)), ("url", .string(segment.address.text)),
            ("offset", JSON(segment.range?.offset)), ("length", JSON(segment.range?.length)),
            ("discontinuity", .integer(segment.continuity)), ("mediaOffset", JSON(segment.mediaOffset?.seconds)),
            ("isGap", .bool(segment.isGap)),
            ("key", segment.encryption.map { json($0, number: segment.number) } ?? .null),
            ("map", segment.map.map { json($0) } ?? .null),
        ])
    }

    private func json(_ encryption: SegmentEncryption, number: Int64) -> JSON {
        let method: String =
            switch encryption {
            case .whole(let cipher, _, _): cipher.rawValue
            case .samples(_, _, isCounter: false): "SAMPLE-AES"
            case .samples(_, _, isCounter: true): "SAMPLE-AES-CTR"
            case .protected(let system): system.rawValue
            }
        guard let key = encryption.key else { return .object([("method", .string(method))]) }
        let vector = encryption.vector(number: number).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return .object([("method", .string(method)), ("url", .string(key.text)), ("iv", .string(vector))])
    }

    private func json(_ map: InitSection) -> JSON {
        .object([("url", .string(map.address.text)), ("offset", JSON(map.range?.offset)), ("length", JSON(map.range?.length))])
    }

    private func badges(_ variant: Variant) -> [String] {
        variant.badges(audio: presentation.periods.flatMap(\.groups).filter { $0.set != nil && $0.set == variant.audioSet })
    }
}

extension ManifestReport {
    /// The report for people: a line for the whole presentation, each variant, each track and each rendition.
    public var text: String {
        var lines = [headline]
        for section in presentation.sections where presentation.sections.count > 1 {
            let words = [
                section.id, translated("from \(section.start.seconds) s"),
                section.duration.map { translated("\($0.seconds) s long") } ?? "",
            ]
            lines.append(Self.line(translated("period", context: "manifest"), words))
        }
        for variant in presentation.variants {
            let rate = variant.peakBitRate > 0 ? "\((variant.peakBitRate + 500) / 1000) kbit/s" : ""
            let sets = [
                variant.audioSet.map { translated("audio ‘\($0)’") }, variant.textSet.map { translated("text ‘\($0)’") },
                variant.videoSet.map { translated("video ‘\($0)’") },
            ].compactMap { $0 }
            let words: [String] = [
                rate, variant.size.map { "\($0.width)x\($0.height)" } ?? "", variant.codecs.map(\.text).joined(separator: ","),
                badges(variant).joined(separator: " "), sets.joined(separator: "  "), variant.rendition,
            ]
            lines.append(Self.line(translated("variant", context: "manifest"), words))
        }
        for group in presentation.periods.flatMap(\.groups) {
            let words: [String] = [
                group.kind.rawValue, group.set.map { translated("‘\($0)’") } ?? "", group.language ?? "",
                group.associatedLanguage.map { translated("(with \($0))") } ?? "", group.label,
                group.channels.map { translated("\($0.count) channels") } ?? "",
                group.channels?.isImmersive == true ? "Atmos" : "",
                group.isDefault ? translated("default", context: "manifest") : "",
                group.isForced ? translated("forced", context: "manifest") : "", group.captionChannel ?? "",
            ]
            lines.append(Self.line(translated("track", context: "manifest"), words))
        }
        for rendition in presentation.renditions {
            let count = rendition.index.map { index in
                translated(
                    "\(index.numbers.count) segments from \(index.numbers.lowerBound), \(index.start.seconds) to \(index.end.seconds) s"
                )
            }
            lines.append(
                Self.line(translated("rendition", context: "manifest"), [rendition.id, count ?? translated("not read")]))
        }
        return lines.joined(separator: "\n")
    }

    private var headline: String {
        var words = [presentation.kind?.rawValue ?? translated("of unknown length")]
        if let duration = presentation.duration { words.append("\(duration.seconds) s") }
        if let title = presentation.title { words.append(translated("‘\(title)’")) }
        if let protection = presentation.protection { words.append(translated("protected by \(protection.rawValue)")) }
        return Self.columns(words)
    }

    /// A line with its kind before it, 11 columns wide in English.
    private static func line(_ kind: String, _ words: [String]) -> String {
        kind + String(repeating: " ", count: max(2, 11 - kind.count)) + columns(words)
    }

    /// Words safe to display, without the empty ones.
    private static func columns(_ words: [String]) -> String {
        words.filter { !$0.isEmpty }.map { DisplayText.singleLine($0, limit: 2000) }.joined(separator: "  ")
    }
}
