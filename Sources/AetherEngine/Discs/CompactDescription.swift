import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia

/// A title of a compact disc as a source: its container's facts with those of the sheet and the disc's tables.
struct CompactDescription {
    private let reader: CompactReader

    init(_ reader: CompactReader) { self.reader = reader }

    /// The same options with the format that the reader gives: it is no guess.
    func options(_ options: OpenOptions) -> OpenOptions {
        var options = options
        options.formatHint = reader.title.isAudio ? "wav" : "mpeg"
        return options
    }

    /// The description of the opened source.
    func described(_ plain: SourceInfo) -> SourceInfo {
        let disc = reader.disc, own = reader.title
        var info = plain.titled(
            from: plain.startTime, duration: plain.duration ?? own.duration ?? .zero, streams: plain.streams,
            format: own.isAudio ? DiscKind.audio.name : disc.kind.name)
        if !own.isAudio { info = info.named(own.name.isEmpty ? disc.name : own.name, artist: disc.performer) }
        let end = info.startTime + (info.duration ?? .zero)
        info.chapters = Self.chapters(own, start: info.startTime, end: end)
        let tracks = Set(info.streams.compactMap { $0.track?.id })
        info.titles = disc.titles.map { title in
            let isPlayed = title.id == own.id
            let chapters =
                isPlayed ? info.chapters : Self.chapters(title, start: .zero, end: MediaTime.zero + (title.duration ?? .zero))
            return TitleInfo(
                id: title.id, kind: .disc, name: title.isAudio && disc.titles.count > 1 ? "Audio" : title.name,
                startTime: isPlayed ? info.startTime : .zero, duration: isPlayed ? info.duration : title.duration,
                tracks: isPlayed ? tracks : [], chapters: chapters, isDefault: isPlayed)
        }
        return info
    }

    /// Those of audio are counted from the start, those of video have the times of its own clock.
    private static func chapters(_ title: CompactTitle, start: MediaTime, end: MediaTime) -> [ChapterInfo] {
        let shift = title.isAudio ? start - MediaTime.zero : TimeSpan.zero
        let starts = title.chapters.map { max(start, $0.start + shift) }
        return starts.indices.map { index in
            let next = index + 1 < starts.count ? starts[index + 1] : end
            return ChapterInfo(
                id: index, name: title.chapters[index].name, start: starts[index], duration: max(.zero, next - starts[index]))
        }
    }
}
