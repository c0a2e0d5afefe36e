import AetherCore
import AetherFormats
import AetherMedia

/// The renditions that a download fetches, each once, and the variants that its package has. Pure.
struct DownloadPlan: Sendable {
    /// A rendition to fetch.
    struct Part: Sendable, Equatable {
        let rendition: Rendition.ID
        let group: Group.ID
        let kind: Group.Kind
        /// nil: of the primary configuration; else the number of the auxiliary one that first asked for it.
        let auxiliary: Int?
    }

    /// A variant of the package.
    struct Choice: Sendable, Equatable {
        let variant: Variant.ID
        let rendition: Rendition.ID
        /// The tracks that are fetched with it, and those that lie in its own segments.
        let tracks: [Group.ID]
    }

    private(set) var parts: [Part] = []
    /// Those that the primary configuration chose come first.
    private(set) var choices: [Choice] = []
    /// Wishes that could not be met, in words for people; safe to display.
    private(set) var notes: [String] = []

    /// The plan of `configuration` for a presentation. Throws `.unsupported` where no variant meets the primary configuration.
    init(_ presentation: Presentation, _ variants: [MediaVariant], _ configuration: AssetDownloadConfiguration, name: String)
        throws(MediaError)
    {
        let groups = presentation.periods.flatMap(\.groups)
        let primary = configuration.primaryContentConfiguration
        guard let left = Self.left(variants, primary.variantQualifiers) else {
            let reason = VariantChoice(primary.variantQualifiers).refusal(of: variants.count)
            throw MediaError(.unsupported, "download", subject: name, reason: reason)
        }
        guard let best = Self.best(left), let variant = presentation.variants.first(where: { $0.id == best.id }) else {
            let reason = variants.compactMap(\.obstacle).first?.description ?? StreamFault(.nothingToPlay).description
            throw MediaError(.unsupported, "download", subject: name, reason: reason)
        }
        take(variant, groups, primary.mediaSelections, nil)
        let covered = Set(parts.map(\.rendition))
        for (number, wish) in configuration.auxiliaryContentConfigurations.enumerated() {
            guard let left = Self.left(variants, wish.variantQualifiers) else {
                notes.append("auxiliary \(number + 1): " + VariantChoice(wish.variantQualifiers).refusal(of: variants.count))
                continue
            }
            var offered = left
            if configuration.optimizesAuxiliaryContentConfigurations {
                let costs = left.map { candidate -> Int in
                    guard let variant = presentation.variants.first(where: { $0.id == candidate.id }) else { return .max }
                    let needed = Self.needed(variant, groups, wish.mediaSelections).parts.map(\.rendition)
                    return needed.filter { !covered.contains($0) }.count
                }
                let least = costs.min() ?? 0
                offered = zip(left, costs).filter { $0.1 == least }.map(\.0)
            }
            guard let best = Self.best(offered), let variant = presentation.variants.first(where: { $0.id == best.id }) else {
                continue
            }
            take(variant, groups, wish.mediaSelections, number)
        }
    }

    /// The variants that wishes leave; nil: none.
    private static func left(_ variants: [MediaVariant], _ wishes: [MediaVariantQualifier]) -> [MediaVariant]? {
        VariantChoice(wishes, isRequired: true).left(of: variants)
    }

    private static func best(_ variants: [MediaVariant]) -> MediaVariant? {
        let playable = variants.filter { $0.obstacle == nil }
        return MediaVariantQualifier.best.left(of: variants, playable: playable.isEmpty ? variants : playable).first
    }

    /// Takes in a variant with its tracks. What is there already is not fetched again.
    private mutating func take(
        _ variant: Variant, _ groups: [Group], _ selections: [AssetMediaSelection], _ auxiliary: Int?
    ) {
        let found = Self.needed(variant, groups, selections)
        notes += found.notes.filter { !notes.contains($0) }
        for (part, group) in zip(found.parts, found.groups) where !parts.contains(where: { $0.rendition == part.rendition }) {
            parts.append(Part(rendition: part.rendition, group: group.id, kind: group.kind, auxiliary: auxiliary))
        }
        let choice = Choice(variant: variant.id, rendition: variant.rendition, tracks: found.tracks)
        if !choices.contains(where: { $0.variant == choice.variant }) { choices.append(choice) }
    }

    private struct Need {
        var parts: [(rendition: Rendition.ID, kind: Group.Kind)] = []
        var groups: [Group] = []
        var tracks: [Group.ID] = []
        var notes: [String] = []

        mutating func take(_ rendition: Rendition.ID, of group: Group) {
            parts.append((rendition, group.kind))
            groups.append(group)
        }
    }

    /// The renditions of a variant and of the tracks that are wanted with it.
    private static func needed(_ variant: Variant, _ groups: [Group], _ selections: [AssetMediaSelection]) -> Need {
        var need = Need()
        if let group = groups.first(where: { $0.renditions.contains { $0.id == variant.rendition } }) {
            need.take(variant.rendition, of: group)
        }
        let audio = groups.filter { $0.kind == .audio && $0.set == variant.audioSet && variant.audioSet != nil }
        let texts = groups.filter { $0.kind == .text && $0.set == variant.textSet && variant.textSet != nil }
        var chosen = tracks(audio, selections.filter { $0.kind == .audio }, "audio", &need.notes)
        // Without a track of audio there would be none at all.
        if chosen.isEmpty, let first = audio.first(where: \.isDefault) ?? audio.first { chosen = [first] }
        for group in chosen + tracks(texts, selections.filter { $0.kind == .text }, "text", &need.notes) {
            need.tracks.append(group.id)
            let rendition = group.renditions.max { ($0.peakBitRate ?? 0) < ($1.peakBitRate ?? 0) }
            if let rendition, !need.parts.contains(where: { $0.rendition == rendition.id }) {
                need.take(rendition.id, of: group)
            }
        }
        for group in groups where group.kind == .captions && group.set == variant.captionSet && variant.captionSet != nil {
            need.tracks.append(group.id)
        }
        return need
    }

    /// The tracks that wishes ask for, in the order of the wishes.
    private static func tracks(
        _ groups: [Group], _ wishes: [AssetMediaSelection], _ kind: String, _ notes: inout [String]
    ) -> [Group] {
        var chosen: [Group] = []
        for wish in wishes {
            let found = groups.filter { group in
                guard let language = wish.language else { return true }
                return group.language.map { Self.fits($0, language) } ?? false
            }
            if found.isEmpty, let language = wish.language {
                notes.append("no \(kind) in ‘\(DisplayText.singleLine(language, limit: 40))’")
            }
            chosen += found.filter { group in !chosen.contains { $0.id == group.id } }
        }
        return chosen
    }

    /// A wish with a region or a writing wants that one; without, any of the language.
    private static func fits(_ language: String, _ wish: String) -> Bool {
        guard LanguageCode.canonical(language) == LanguageCode.canonical(LanguageCode(wish)?.tag ?? wish) else { return false }
        return LanguageCode.region(of: wish).map { $0 == LanguageCode.region(of: language) } ?? true
    }
}
