import AetherCore
import AetherFormats
import AetherMedia

/// Opens a source in segments: its manifest, the playlist of the variant that is played, and the first segment of that.
struct StreamOpening {
    let options: OpenOptions
    /// The pixels that the surface shows; nil for all that there are.
    let window: VariantPicker.Window?
    var wish = VariantWish.fitting
    let interrupt: Interrupt
    let time: any TimeSource

    /// The sources that play a manifest together, the leading one first. Blocks. Throws with the reason where it cannot be played.
    func sources(_ document: StreamDocument) throws(MediaError) -> [any PacketSource] {
        let fetch = StreamFetch(document, stages: options.stages, interrupt: interrupt)
        let catalog = try StreamCatalog(document, fetch: fetch, keys: options.keys, time: time)
        var refused: Set<Variant.ID> = [], failure: MediaError?
        while true {
            let picker = VariantPicker(catalog.presentation.variants) { !refused.contains($0.id) }
            guard let variant = choice(picker, catalog.presentation.variants) else { break }
            do throws(MediaError) {
                return try sources(variant, catalog)
            } catch {
                if error.code == .interrupted || wish != .fitting { throw error }
                failure = failure ?? error
                refused.insert(variant.id)
            }
        }
        if case .number(let number) = wish, failure == nil {
            let count = catalog.presentation.variants.count
            throw MediaError(
                .unsupported, "play", subject: catalog.name, reason: "there is no quality \(number): the list has \(count)")
        }
        throw failure
            ?? MediaError(
                .notMedia, "play", subject: catalog.name, reason: StreamFault(.nothingToPlay).description)
    }

    private func choice(_ picker: VariantPicker, _ all: [Variant]) -> Variant? {
        switch wish {
        case .fitting: picker.start(in: window)
        case .best: picker.best
        case .worst: picker.worst
        case .number(let number): all.indices.contains(number - 1) ? all[number - 1] : nil
        }
    }

    private func sources(_ variant: Variant, _ catalog: StreamCatalog) throws(MediaError) -> [any PacketSource] {
        let groups = catalog.presentation.periods.flatMap(\.groups)
        let lead = RenditionSource(
            variant.rendition, of: nil, index: 0, catalog, options: options, interrupt: interrupt)
        try lead.open(as: variant.id)
        var sources: [any PacketSource] = [lead]
        for group in groups where group.kind == .audio && group.set == variant.audioSet {
            guard let rendition = group.renditions.first else { continue }
            sources.append(
                RenditionSource(
                    rendition.id, of: group, index: sources.count, catalog, options: options, interrupt: interrupt))
        }
        for group in groups where group.kind == .text && group.set == variant.textSet {
            guard let rendition = group.renditions.first else { continue }
            sources.append(TextSource(rendition.id, of: group, index: sources.count, catalog, interrupt: interrupt))
        }
        return sources
    }
}
