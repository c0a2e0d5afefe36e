import AetherCore
import AetherFormats
import AetherMedia

/// The editions of a Matroska file, read past libavformat, which throws their borders, flags and order away.
struct EditionReading {
    private var editions: [MatroskaEdition] = []
    private var segment: [UInt8]?

    /// Reads them out of an opened file. Files without chapters are not asked, nor what cannot seek: of those libavformat's list is taken.
    /// Blocks on the source.
    init(_ demuxer: borrowing Demuxer) {
        guard demuxer.info.family == .matroska, !demuxer.info.chapters.isEmpty else { return }
        var search = MatroskaChapterSearch()
        demuxer.withBytes { search.run($0) }
        (editions, segment) = (search.editions, search.segment)
    }

    /// The description of a source, with its editions. Names are in the first of the languages that there is one in.
    func described(_ plain: SourceInfo, languages: [String]) -> SourceInfo {
        var info = plain
        let titles = titles(plain, languages)
        guard let first = titles.first(where: { $0.isDefault && !$0.isHidden }) ?? titles.first else { return plain }
        info.chapters = first.chapters ?? []
        info.titles = titles.count > 1 || titles.contains { !$0.stretches.isEmpty || $0.linkedCount > 0 } ? titles : []
        return info
    }

    /// The editions that can be chosen: hidden ones behind the others, which keep their numbers.
    private func titles(_ info: SourceInfo, _ languages: [String]) -> [TitleInfo] {
        let ordered = editions.filter { !$0.isHidden } + editions.filter(\.isHidden)
        let tracks = Set(info.streams.compactMap { $0.track?.id })
        return ordered.enumerated().map { index, edition in
            let cut = EditionCut(
                edition, segment: segment, end: info.duration.map { info.startTime + $0 }, languages: languages)
            return TitleInfo(
                id: index + 1, kind: .edition, name: cut.name, startTime: info.startTime, duration: info.duration, tracks: tracks,
                chapters: cut.chapters, stretches: cut.stretches, linkedCount: cut.linkedCount, isDefault: edition.isDefault,
                isHidden: edition.isHidden)
        }
    }
}
