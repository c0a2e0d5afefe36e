import AetherCore
import AetherFormats
import AetherMedia

/// Opens a source in segments: its manifest, the playlist of the variant that is played, and the first segment of that.
struct StreamOpening {
    let options: OpenOptions
    /// The pixels that the surface shows; nil for all that there are.
    let window: VariantPicker.Window?
    /// The person's wishes for the quality.
    var wishes = VariantChoice()
    /// How it is chosen among what they leave.
    var adaptation = AdaptationOptions()
    var decoding = DecodingBudget.unlimited
    /// Where a broadcast is joined.
    var profile = LiveJoinProfile.lowLatency
    /// Chooses the quality while it plays; nil: no one does.
    var adapter: StreamAdapter?
    let interrupt: Interrupt
    let time: any TimeSource
    /// The own clock when a broadcast is opened, in nanoseconds since 1970; nil: the machine's.
    var wall: Int64?
    var waiting: StreamFetch.Waiting = { $0.wait(until: $1) }
    /// Takes the bytes of segments for a recording.
    var tap: ByteTap?
    /// Makes the store of a broadcast's past; nil: nothing is kept.
    var keeping: (() -> KeptSegments)?

    /// The sources that play a manifest together, the leading one first. Blocks. Throws with the reason where it cannot be played.
    func sources(_ document: StreamDocument) throws(MediaError) -> [any PacketSource] {
        try sources(try catalog(document))
    }

    /// The presentation of a manifest. Blocks on keys and clocks that it names. Throws with the reason where it cannot be played.
    func catalog(_ document: StreamDocument) throws(MediaError) -> StreamCatalog {
        let fetch = StreamFetch(document, stages: options.stages, interrupt: interrupt, tap: tap, waiting: waiting)
        let catalog = try StreamCatalog(document, fetch: fetch, keys: options.keys, profile: profile, time: time, wall: wall)
        catalog.keeping = keeping
        return catalog
    }

    /// The sources that play a presentation. Blocks. Throws as `sources(_:)` of its document.
    func sources(_ catalog: StreamCatalog) throws(MediaError) -> [any PacketSource] {
        var refused: Set<Variant.ID> = [], failure: MediaError?
        while true {
            guard let variant = try choice(catalog, refused) else { break }
            do throws(MediaError) {
                let opened = try sources(variant, catalog)
                return try withVideo(insteadOf: opened, variant, refused, catalog) ?? opened
            } catch {
                if error.code == .interrupted { throw error }
                failure = failure ?? error
                refused.insert(variant.id)
            }
        }
        throw failure
            ?? MediaError(
                .notMedia, "play", subject: catalog.name, reason: StreamFault(.nothingToPlay).description)
    }

    /// Where a quality has turned out to be audio alone, and nothing says so of the others: the one of them with the most bits, if that has video.
    /// Masters name the audio of a film before its video, and a radio's qualities are all like that. nil: there is none. Blocks.
    private func withVideo(
        insteadOf opened: [any PacketSource], _ variant: Variant, _ refused: Set<Variant.ID>, _ catalog: StreamCatalog
    ) throws(MediaError) -> [any PacketSource]? {
        guard catalog.presentation.variants.count > 1, !variant.statesVideo, Self.lacksVideo(opened) else { return nil }
        catalog.presentation.setAudioAlone(variant.rendition)
        let left = wishes.left(of: catalog.variants) ?? [], names = Set(left.map(\.id)).subtracting(refused)
        let others = catalog.presentation.variants.filter { names.contains($0.id) && $0.hasVideo }
        guard let other = others.max(by: { $0.peakBitRate < $1.peakBitRate }) else { return nil }
        let timeline = catalog.timeline
        catalog.timeline = SegmentTimeline()
        do throws(MediaError) {
            let sources = try sources(other, catalog)
            if !Self.lacksVideo(sources) { return sources }
        } catch {
            if error.code == .interrupted { throw error }
            Log.module("net").warning("\(error)")
        }
        catalog.timeline = timeline
        adapter?.begin(catalog.variants, active: variant.id)
        return nil
    }

    private static func lacksVideo(_ sources: [any PacketSource]) -> Bool {
        TrackSelection.video(sources.first?.description.info.tracks(.video) ?? []) == nil
    }

    /// The set of audio that goes with a variant whose segments have audio of their own, where other variants' have none: it goes on through all
    /// of them. nil where there is no such set.
    private static func sharedAudio(_ variant: Variant, _ presentation: Presentation) -> String? {
        guard variant.audioSet == nil, variant.hasVideo else { return nil }
        let sets = presentation.variants.filter(\.hasVideo).compactMap(\.audioSet)
        let groups = presentation.periods.flatMap(\.groups).filter { $0.kind == .audio }
        return sets.first { set in
            let members = groups.filter { $0.set == set }
            return !members.isEmpty && members.allSatisfy { !$0.renditions.isEmpty }
        }
    }

    /// The variant to try next; nil: all that are left were refused. Throws where the person's wishes leave none.
    private func choice(_ catalog: StreamCatalog, _ refused: Set<Variant.ID>) throws(MediaError) -> Variant? {
        let all = catalog.variants
        guard let left = wishes.left(of: all) else {
            throw MediaError(.unsupported, "play", subject: catalog.name, reason: wishes.refusal(of: all.count))
        }
        let offered = left.filter { !refused.contains($0.id) }, names = Set(offered.map(\.id))
        let picker = VariantPicker(catalog.presentation.variants) { names.contains($0.id) }
        guard let window, offered.contains(where: { $0.size != nil }) else { return picker.start(in: nil) }
        let first = adaptation.first(
            of: offered, window: PixelSize(width: window.width, height: window.height),
            isRemote: !catalog.fetch.traits.isLocal,
            decoding: decoding)
        return catalog.presentation.variants.first { $0.id == first }
    }

    private func sources(_ variant: Variant, _ catalog: StreamCatalog) throws(MediaError) -> [any PacketSource] {
        let groups = catalog.presentation.periods.flatMap(\.groups)
        let lead = RenditionSource(
            variant.rendition, of: nil, index: 0, catalog, options: options, interrupt: interrupt)
        let captions = groups.filter { $0.kind == .captions && $0.set == variant.captionSet }
        let shared = Self.sharedAudio(variant, catalog.presentation)
        try lead.open(
            as: variant.id, captions: captions.compactMap { CaptionHarvest.track($0) }, adapter: adapter, isMuted: shared != nil)
        var sources: [any PacketSource] = [lead]
        for group in groups where group.kind == .audio && group.set == (variant.audioSet ?? shared) {
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
