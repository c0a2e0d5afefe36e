import AetherCore
import AetherFormats
import CFFmpeg

extension SourceInfo {
    /// Reads an open and analysed context. `firstTimes` are the lowest PTS seen of streams so far, in ticks.
    init(
        _ context: UnsafeMutablePointer<AVFormatContext>, parameters: [CodecParameters], firstTimes: [Int: Int64],
        isAtmos: (Int, AVCodecID) -> Bool, firstPacket: (Int) -> UnsafeRawBufferPointer?
    ) {
        let format = context.pointee.iformat
        container = FFmpegText.string(format?.pointee.name)
        containerLongName = FFmpegText.string(format?.pointee.long_name)
        var streams = parameters.indices.compactMap { index in
            context.pointee.streams[index].map {
                StreamInfo(
                    $0, of: context, parameters: parameters[index], firstTime: firstTimes[index],
                    isAtmos: isAtmos(index, parameters[index].pointer.pointee.codec_id))
            }
        }
        SourceInfo.joinLayers(&streams, context, firstPacket)
        SourceInfo.refineFormats(&streams, firstPacket)
        self.streams = streams
        let start = SourceInfo.start(context, streams)
        startTime = start
        let stated = context.pointee.duration > 0 ? TimeSpan(nanoseconds: microseconds(context.pointee.duration)) : nil
        let length = stated.map { stated in
            SourceInfo.countsFromZero(context, stated) ? SourceInfo.length(fromZero: stated, start: start) : stated
        }
        duration = length
        // libavformat's own is over the duration that the header has.
        bitRate =
            context.pointee.bit_rate > 0 && length == stated ? context.pointee.bit_rate : SourceInfo.bitRate(context, length)
        isSeekable = SourceInfo.isSeekable(context)
        timesMayLeap = (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0
        chapters = SourceInfo.chapters(context, end: length.map { start + $0 })
        titles = SourceInfo.titles(context, streams)
        services = SourceInfo.services(context)
        let tags = context.pointee.metadata
        // Ogg keeps the tags of a song in its stream.
        let song = streams.first { $0.kind == .audio }.flatMap { context.pointee.streams[$0.index]?.pointee.metadata }
        func tag(_ keys: String...) -> String? {
            for key in keys { if let value = FFmpegText.tag(tags, key) ?? FFmpegText.tag(song, key) { return value } }
            return nil
        }
        metadata = MediaMetadata(
            title: FFmpegText.tag(tags, "title") ?? (streams.count == 1 ? FFmpegText.tag(song, "title") : nil),
            artist: tag("artist", "album_artist", "author"), album: tag("album"), year: tag("date", "year"), track: tag("track"),
            lyrics: FFmpegText.lyrics(tags) ?? FFmpegText.lyrics(song), artworkData: SourceInfo.artwork(context))
        self.tags = FFmpegText.tags(tags)
    }

    private static func start(_ context: UnsafeMutablePointer<AVFormatContext>, _ streams: [StreamInfo]) -> MediaTime {
        if context.pointee.start_time != aether_nopts() {
            return MediaTime(nanoseconds: microseconds(context.pointee.start_time))
        }
        return streams.filter { $0.kind == .video || $0.kind == .audio }.compactMap(\.startTime).min() ?? .zero
    }

    /// Whether a header's duration is the time at which the source ends, and not how long it is: Matroska as libavformat writes it, and the movie of MP4,
    /// whose empty edit before the first sample counts.
    private static func countsFromZero(_ context: UnsafeMutablePointer<AVFormatContext>, _ stated: TimeSpan) -> Bool {
        switch Container(of: context) {
        case .matroska:
            return FFmpegText.tag(context.pointee.metadata, "encoder")?.hasPrefix("Lavf") ?? false
        case .isoBMFF:
            let ends = (0..<Int(context.pointee.nb_streams)).compactMap { index -> TimeSpan? in
                guard let stream = context.pointee.streams[index]?.pointee, stream.start_time != aether_nopts(),
                    stream.duration > 0
                else { return nil }
                let base = TimeBase(stream.time_base.num, stream.time_base.den)
                let (end, overflows) = stream.start_time.addingReportingOverflow(stream.duration)
                return overflows ? nil : MediaTime(ticks: end, in: base) - MediaTime.zero
            }
            return ends.max().map { (stated - $0).magnitude < Self.rounding } ?? false
        default: return false
        }
    }

    /// 1 s: what headers and streams differ by, and a start that is none of a later part.
    private static let rounding = TimeSpan.seconds(1)

    /// The length of a source that ends at a time. Pure.
    static func length(fromZero end: TimeSpan, start: MediaTime) -> TimeSpan {
        let before = start - MediaTime.zero
        return before >= rounding && end > before ? end - before : end
    }

    private static func bitRate(_ context: UnsafeMutablePointer<AVFormatContext>, _ duration: TimeSpan?) -> Int64? {
        guard let io = context.pointee.pb, let duration, duration > .zero else { return nil }
        let size = avio_size(io)
        let rate = Double(size) * 8 / duration.seconds
        return size > 0 && rate < 1e15 ? Int64(rate) : nil
    }

    private static func isSeekable(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        if context.pointee.ctx_flags & AVFMTCTX_UNSEEKABLE != 0 { return false }
        // Playlist demuxers have no byte stream of their own; they seek by segments where they know how long they are.
        guard let io = context.pointee.pb else { return context.pointee.duration > 0 }
        return io.pointee.seekable != 0
    }

    /// Chapters in time order, at most 1000. One lasts until the next starts: the end in files often equals the start.
    private static func chapters(_ context: UnsafeMutablePointer<AVFormatContext>, end: MediaTime?) -> [ChapterInfo] {
        var found: [(id: Int, name: String, start: MediaTime, end: MediaTime)] = []
        for index in 0..<min(1000, Int(context.pointee.nb_chapters)) {
            guard let chapter = context.pointee.chapters[index]?.pointee, chapter.start != aether_nopts() else { continue }
            let base = TimeBase(chapter.time_base.num, chapter.time_base.den)
            found.append(
                (
                    index, FFmpegText.tag(chapter.metadata, "title") ?? "", MediaTime(ticks: chapter.start, in: base),
                    MediaTime(ticks: chapter.end, in: base)
                ))
        }
        found.sort { ($0.start, $0.id) < ($1.start, $1.id) }
        return found.indices.map { index in
            let chapter = found[index]
            let next = index + 1 < found.count ? found[index + 1].start : max(end ?? chapter.end, chapter.end)
            return ChapterInfo(id: index, name: chapter.name, start: chapter.start, duration: max(.zero, next - chapter.start))
        }
    }

    /// The first cover image; one of more than 16 MB is left out.
    private static func artwork(_ context: UnsafeMutablePointer<AVFormatContext>) -> [UInt8]? {
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index], StreamInfo.kind(stream) == .attachedPicture else { continue }
            let picture = stream.pointee.attached_pic
            guard let data = picture.data, 1...(16 << 20) ~= Int(picture.size) else { continue }
            return Array(UnsafeBufferPointer(start: data, count: Int(picture.size)))
        }
        return nil
    }
}

/// AV_TIME_BASE units as nanoseconds, clamped.
func microseconds(_ value: Int64) -> Int64 { TimeBase(1, 1_000_000).nanoseconds(ticks: value) }
