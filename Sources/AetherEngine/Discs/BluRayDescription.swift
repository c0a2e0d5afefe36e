import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia

/// A title of a Blu-ray disc as a source: the facts of its longest part with those of the playlist.
struct BluRayDescription {
    private let reader: BluRayReader
    private static let base = TimeBase(1, 90_000)

    private let isMenu: Bool
    /// The numbers by which transport streams call interactive graphics, which are no tracks.
    private static let graphics = 0x1400...0x141F

    /// `isMenu`: it is played for its buttons, and not as a title.
    init(_ reader: BluRayReader, isMenu: Bool = false) { (self.reader, self.isMenu) = (reader, isMenu) }

    /// The description by the opened demuxer of the longest part.
    func described(_ demuxer: borrowing Demuxer) -> SourceInfo {
        let plain = demuxer.info, own = reader.title
        var codes: [Int: Int] = [:]
        for stream in plain.streams { codes[stream.index] = demuxer.code(ofStream: stream.index) }
        let streams = Self.streams(plain.streams, codes: codes, stated: own.playlist.streams).filter {
            !Self.graphics.contains(codes[$0.index] ?? 0)
        }
        var info = plain.titled(
            from: .zero, duration: Self.span(own.playlist.duration), streams: streams,
            format: reader.disc.isCamera ? "AVCHD" : "Blu-ray")
        info.chapters = Self.chapters(own.playlist)
        let tracks = Set(streams.compactMap { $0.track?.id })
        let menu = TitleInfo(
            id: DiscDescription.menuTitle, kind: .disc, name: "Menu", startTime: .zero,
            duration: Self.span(own.playlist.duration), tracks: tracks, chapters: [], isDefault: true)
        let isOther = isMenu || own.id == DiscDescription.menuTitle
        let titles = reader.disc.titles.map { title in
            let isPlayed = title.id == own.id && !isOther
            return TitleInfo(
                id: title.id, kind: .disc, name: "", startTime: .zero, duration: Self.span(title.playlist.duration),
                tracks: isPlayed ? tracks : [], chapters: isPlayed ? info.chapters : Self.chapters(title.playlist),
                isDefault: isPlayed)
        }
        info.titles = (isOther ? [menu] : []) + titles
        return info
    }

    /// In the order of the playlist, then the rest.
    static func streams(_ found: [StreamInfo], codes: [Int: Int], stated: [BluRayStream]) -> [StreamInfo] {
        func rank(_ stream: StreamInfo) -> Int { stated.firstIndex { $0.pid == codes[stream.index] } ?? stated.count }
        return found.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map { _, stream in
            guard let entry = stated.first(where: { $0.pid == codes[stream.index] }) else { return stream }
            return stream.labelled(
                StreamLabel(language: entry.language, name: entry.kind == .secondaryAudio ? "Secondary audio" : ""))
        }
    }

    private static func chapters(_ playlist: BluRayPlaylist) -> [ChapterInfo] {
        let starts = playlist.chapters
        return starts.indices.map { index in
            let next = index + 1 < starts.count ? starts[index + 1] : playlist.duration
            return ChapterInfo(
                id: index, name: "", start: MediaTime(ticks: starts[index], in: base), duration: span(next - starts[index]))
        }
    }

    private static func span(_ ticks: Int64) -> TimeSpan { TimeSpan(nanoseconds: base.nanoseconds(ticks: ticks)) }
}
