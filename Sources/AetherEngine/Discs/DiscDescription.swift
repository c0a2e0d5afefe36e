import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia

/// A title of a disc as a source: its container's facts with those of the disc's tables.
struct DiscDescription {
    private let reader: TitleReader
    private let start: MediaTime
    private let duration: TimeSpan
    private static let base = TimeBase(1, 90_000)
    /// The number of a menu among the titles.
    static let menuTitle = 0

    init(_ reader: TitleReader) {
        self.reader = reader
        start = MediaTime(ticks: reader.timeline.start, in: Self.base)
        duration = MediaTime(ticks: reader.timeline.end, in: Self.base) - start
    }

    /// The description of the opened demuxer's source. Blocks where the disc lies on this machine.
    func described(_ demuxer: borrowing Demuxer) -> SourceInfo {
        let plain = demuxer.info
        var codes: [Int: Int] = [:]
        for stream in plain.streams { codes[stream.index] = demuxer.code(ofStream: stream.index) }
        let isMenu = reader.passage?.space.isMenu ?? false
        // The subtitle of a menu is none that a person chooses.
        let streams = Self.streams(plain.streams, codes: codes, title: reader.title).filter { !isMenu || $0.kind != .subtitle }
        var info = plain.titled(from: start, duration: duration, streams: streams, format: "DVD-Video")
        info.chapters = chapters()
        let tracks = Set(streams.compactMap { $0.track?.id })
        let menu = TitleInfo(
            id: Self.menuTitle, kind: .disc, name: "Menu", startTime: start, duration: duration, tracks: tracks, chapters: [],
            isDefault: true)
        info.titles =
            (isMenu ? [menu] : [])
            + reader.titles.map { title in
                let isPlayed = title.id == reader.title.id
                return TitleInfo(
                    id: title.id, kind: .disc, name: "", startTime: isPlayed ? start : .zero,
                    duration: isPlayed ? duration : title.duration, tracks: isPlayed ? tracks : [],
                    chapters: isPlayed ? info.chapters : Self.chapters(title), isDefault: isPlayed)
            }
        return info
    }

    /// Video, then what the tables list in their order, then the rest.
    static func streams(_ found: [StreamInfo], codes: [Int: Int], title: DiscTitle) -> [StreamInfo] {
        let size = found.first { $0.kind == .video }?.size
        let header = DiscPalette.header(title.palette, width: size?.width ?? 720, height: size?.height ?? 576)
        let stated = title.audio + title.subtitles
        func rank(_ stream: StreamInfo) -> Int {
            if stream.kind == .video { return -1 }
            return stated.firstIndex { $0.code == codes[stream.index] } ?? stated.count
        }
        return found.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map { _, stream in
            guard let entry = stated.first(where: { $0.code == codes[stream.index] }) else { return stream }
            return stream.labelled(
                StreamLabel(
                    language: entry.language, name: entry.purpose == .commentary ? "Commentary" : "",
                    isForced: entry.purpose == .forced, isCommentary: entry.purpose == .commentary,
                    isHearingImpaired: entry.purpose == .impaired, header: stream.kind == .subtitle ? header : []))
        }
    }

    /// The chapters of the title that is played: by their first frames where a look at the disc costs nothing, else by the disc's word.
    private func chapters() -> [ChapterInfo] {
        let title = reader.title, isNear = reader.traits.seekCost == .call
        let starts = title.chapters.map { chapter -> MediaTime in
            let stated = start + chapter.start
            guard isNear, chapter.cell < title.cells.count else { return stated }
            let cell = title.cells[..<chapter.cell].count { reader.cells.contains($0) }
            do throws(IOReaderError) {
                return try reader.start(ofCell: cell).map { MediaTime(ticks: $0, in: Self.base) } ?? stated
            } catch {
                // Playing that far meets the same.
                return stated
            }
        }
        return Self.chapters(starts, end: start + duration)
    }

    private static func chapters(_ title: DiscTitle) -> [ChapterInfo] {
        chapters(title.chapters.map { .zero + $0.start }, end: .zero + title.duration)
    }

    private static func chapters(_ starts: [MediaTime], end: MediaTime) -> [ChapterInfo] {
        starts.indices.map { index in
            let next = index + 1 < starts.count ? starts[index + 1] : end
            return ChapterInfo(id: index, name: "", start: starts[index], duration: max(.zero, next - starts[index]))
        }
    }
}
