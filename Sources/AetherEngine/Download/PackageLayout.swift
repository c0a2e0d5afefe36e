import AetherFormats

/// The list of variants of a package. Pure.
struct PackageLayout: Sendable {
    let master: PackageMaster

    init(
        _ presentation: Presentation, _ plan: DownloadPlan, _ works: [RenditionWork], _ journal: PackageJournal, title: String
    ) {
        let groups = presentation.periods.flatMap(\.groups)
        let folders = Dictionary(works.map { ($0.part.rendition, $0.folder) }) { first, _ in first }
        var tracks: [PackageMaster.Track] = [], seen: Set<Group.ID> = []
        var entries: [PackageMaster.Entry] = []
        for choice in plan.choices {
            guard let variant = presentation.variants.first(where: { $0.id == choice.variant }),
                let folder = folders[choice.rendition]
            else { continue }
            entries.append(PackageMaster.Entry(variant, folder: folder, measured: Self.peak(journal, folder)))
            for id in choice.tracks where seen.insert(id).inserted {
                guard let group = groups.first(where: { $0.id == id }) else { continue }
                let own = group.renditions.compactMap { folders[$0.id] }.first
                tracks.append(PackageMaster.Track(group, folder: own ?? 0))
            }
        }
        master = PackageMaster(entries, tracks: tracks, isIndependent: presentation.isIndependent, title: title)
    }

    /// Bits a second of the segment that has most; nil where none is long enough to tell.
    private static func peak(_ journal: PackageJournal, _ folder: Int) -> Int64? {
        let rates = journal.list(folder).filter { $0.kind == .segment && $0.duration >= 500_000_000 }.map {
            Double($0.size) * 8e9 / Double($0.duration)
        }
        return rates.max().map { Int64(min($0, 1e15)) }
    }
}
