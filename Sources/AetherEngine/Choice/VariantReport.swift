public import AetherCore

/// The variants of a source and which of them a person's wishes leave, for people and for programs. Pure.
public struct VariantReport: Sendable {
    /// One of them.
    struct Row: Sendable {
        let variant: MediaVariant
        let isChosen: Bool
        /// Why it is not; nil where it is.
        let refusal: String?
    }

    let rows: [Row]
    /// The wishes of which none leaves anything, so that all are left; nil where one does.
    let unmet: String?

    /// A report. Throws `.unsupported` where no wish leaves anything and one was required; `name` is the source's, safe to display.
    public init(
        _ variants: [MediaVariant], name: String, qualifiers: [MediaVariantQualifier], isRequired: Bool
    ) throws(MediaError) {
        let choice = VariantChoice(qualifiers, isRequired: isRequired)
        guard let outcome = choice.outcome(of: variants) else {
            throw MediaError(.unsupported, "play", subject: name, reason: choice.refusal(of: variants.count))
        }
        let chosen = Set(outcome.left.map(\.id))
        let wish = outcome.qualifier.map { translated("does not meet ‘\(DisplayText.singleLine($0.text, limit: 80))’") }
        rows = variants.map { variant in
            let isChosen = chosen.contains(variant.id)
            let refusal = isChosen ? nil : variant.obstacle?.description ?? wish
            return Row(variant: variant, isChosen: isChosen, refusal: refusal)
        }
        unmet = qualifiers.isEmpty || outcome.qualifier != nil ? nil : choice.refusal(of: variants.count)
    }

    // MARK: - For programs

    /// A list; unknown values are null.
    public var json: JSON { .array(rows.map(Self.json)) }

    private static func json(_ row: Row) -> JSON {
        let variant = row.variant
        return .object([
            ("id", .string(variant.id)), ("url", JSON(variant.url)), ("badges", .array(badges(variant).map { .string($0) })),
            ("peakBitRate", JSON(variant.peakBitRate)), ("averageBitRate", JSON(variant.averageBitRate)),
            ("score", JSON(variant.score)), ("videoAttributes", variant.videoAttributes.map(json) ?? .null),
            ("audioAttributes", variant.audioAttributes.map(json) ?? .null), ("isChosen", .bool(row.isChosen)),
            ("refusal", JSON(row.refusal)), ("angle", JSON(variant.angle)),
        ])
    }

    private static func json(_ video: MediaVariant.VideoAttributes) -> JSON {
        let size = video.presentationSize.map { size in
            JSON.object([("width", .integer(Int64(size.width))), ("height", .integer(Int64(size.height)))])
        }
        return .object([
            ("videoRange", .string(video.videoRange.rawValue.uppercased())),
            ("codecTypes", .array(video.codecTypes.map { .string($0) })), ("presentationSize", size ?? .null),
            ("nominalFrameRate", JSON(video.nominalFrameRate)),
        ])
    }

    private static func json(_ audio: MediaVariant.AudioAttributes) -> JSON {
        let renditions = audio.renditions.map { rendition in
            JSON.object([
                ("name", .string(rendition.name)), ("language", JSON(rendition.language)),
                ("channelCount", rendition.channelCount > 0 ? .integer(Int64(rendition.channelCount)) : .null),
                ("isImmersive", .bool(rendition.isImmersive)), ("isBinaural", .bool(rendition.isBinaural)),
                ("isDownmix", .bool(rendition.isDownmix)),
            ])
        }
        return .object([("formatIDs", .array(audio.formatIDs.map { .string($0) })), ("renditions", .array(renditions))])
    }

    // MARK: - For people

    /// A table: a star for the chosen variants, the number in the manifest, badges, attributes, and the reason why a variant is not chosen.
    public var text: String {
        let head = [
            "", "#", translated("quality", context: "variants"), translated("size", context: "variants"), "fps",
            translated("peak", context: "variants"), translated("average", context: "variants"),
            translated("codecs", context: "variants"), translated("audio", context: "variants"), "",
        ]
        let table = [head] + rows.enumerated().map { number, row in Self.cells(row, number + 1) }
        // A column that says nothing is left out.
        let widths = head.indices.map { column in
            let width = table.dropFirst().map { $0[column].count }.max() ?? 0
            return width > 0 ? max(width, head[column].count) : 0
        }
        let lines = table.map { cells in
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
            let line = zip(padded, widths).filter { $1 > 0 }.map(\.0).joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return (lines + (unmet.map { ["", translated("\($0): all that can be played are left")] } ?? [])).joined(separator: "\n")
    }

    private static func cells(_ row: Row, _ number: Int) -> [String] {
        let variant = row.variant, video = variant.videoAttributes
        let cells = [
            row.isChosen ? "*" : "", "\(number)", badges(variant).joined(separator: " "),
            variant.size.map { "\($0.width)x\($0.height)" } ?? "", video?.nominalFrameRate.map(decimal) ?? "",
            variant.rate ?? "", rate(variant.averageBitRate), variant.codecs.joined(separator: ", "), audio(variant),
            row.refusal ?? "",
        ]
        return cells.map { DisplayText.singleLine($0, limit: 200) }
    }

    /// With those of a table: "4K" for what is as wide as that, "Lossless" for audio.
    private static func badges(_ variant: MediaVariant) -> [String] {
        var badges = variant.badges
        if let size = variant.size, max(size.width, size.height) >= 3840 { badges.insert("4K", at: min(1, badges.count)) }
        let isLossless = variant.audioAttributes?.formatIDs.contains {
            CodecFamily.fits($0, "alac") || CodecFamily.fits($0, "flac")
        }
        if isLossless == true { badges.append("Lossless") }
        return badges
    }

    /// "en 2, fr 2": languages and channels of the renditions, or their names.
    private static func audio(_ variant: MediaVariant) -> String {
        let renditions = variant.audioAttributes?.renditions ?? []
        let words = renditions.prefix(6).map { rendition in
            (rendition.language ?? rendition.name) + (rendition.channelCount > 0 ? " \(rendition.channelCount)" : "")
        }
        return (words + (renditions.count > 6 ? ["…"] : [])).joined(separator: ", ")
    }

    private static func rate(_ rate: Double?) -> String { rate.map { MediaVariant.rate($0) } ?? "" }

    /// With three decimals at most: 23.976, 30.
    private static func decimal(_ value: Double) -> String {
        let text = "\(Double(Int((min(value, 1e6) * 1000).rounded())) / 1000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
