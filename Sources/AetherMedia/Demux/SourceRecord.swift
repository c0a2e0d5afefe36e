import AetherCore

/// The description of a source on its way out of a box.
public enum SourceRecord {
    /// 512 streams are what a demuxer opens at most; broadcasts find more while they are read.
    private static let mostStreams = 1024
    private static let mostChapters = 1000
    /// 16 MB of cover, 256 KB of lyrics, as they are read.
    private static let coverLimit = 16 << 20, lyricsLimit = 1 << 20

    // MARK: - Out

    /// A description as bytes.
    public static func bytes(of info: SourceInfo) -> [UInt8] {
        var record = RecordWriter()
        record.put(info.container)
        record.put(info.containerLongName)
        record.put(info.startTime.nanoseconds)
        record.put(info.duration) { $0.put($1.nanoseconds) }
        record.put(info.bitRate) { $0.put($1) }
        for flag in [info.isSeekable, info.isSegmented, info.timesMayLeap] { record.put(flag) }
        record.put(each: info.streams, put)
        record.put(each: info.chapters, put)
        record.put(each: info.titles, put)
        record.put(each: info.services) { $0.put(Int64($1)) }
        put(&record, info.metadata)
        put(&record, info.tags)
        return record.bytes
    }

    private static func put(_ record: inout RecordWriter, _ tags: [(key: String, value: String)]) {
        record.put(each: tags) {
            $0.put($1.key)
            $0.put($1.value)
        }
    }

    private static func put(_ record: inout RecordWriter, _ ratio: Ratio) {
        record.put(ratio.numerator)
        record.put(ratio.denominator)
    }

    private static func put(_ record: inout RecordWriter, _ stream: StreamInfo) {
        record.put(Int32(clamping: stream.index))
        record.put(stream.kind.rawValue)
        record.put(stream.track, put)
        ParametersRecord.put(stream.parameters, to: &record)
        record.put(stream.codecName)
        record.put(stream.profile) { $0.put($1) }
        record.put(stream.isDecodable)
        record.put(stream.realFrameRate, put)
        record.put(stream.averageFrameRate, put)
        record.put(stream.size) {
            $0.put(Int32(clamping: $1.width))
            $0.put(Int32(clamping: $1.height))
        }
        put(&record, stream.sampleAspect)
        record.put(Int32(clamping: stream.rotationDegrees))
        record.put(stream.isMirrored)
        record.put(stream.videoFormat.rawValue)
        record.put(stream.dolbyVision) {
            $0.put(Int32(clamping: $1.profile))
            $0.put(Int32(clamping: $1.compatibility))
            $0.put($1.hasEnhancementLayer)
            $0.put($1.hasBaseLayer)
        }
        record.put(stream.enhancedStream) { $0.put(Int32(clamping: $1)) }
        record.put(stream.pixelFormat) { $0.put($1) }
        record.put(stream.isInterlaced)
        for time in [stream.startTime, stream.decodingStart, stream.audioEnd] { record.put(time) { $0.put($1.nanoseconds) } }
        record.put(stream.duration) { $0.put($1.nanoseconds) }
        record.put(stream.isCounted)
        record.put(stream.frameCount) { $0.put($1) }
        put(&record, stream.tags)
        for level in [stream.replayGain.track, stream.replayGain.album] {
            record.put(level) {
                $0.put($1.decibels)
                $0.put($1.peak) { $0.put($1) }
            }
        }
        record.put(stream.disposition)
    }

    private static func put(_ record: inout RecordWriter, _ track: TrackInfo) {
        record.put(track.kind.rawValue)
        record.put(track.name)
        record.put(track.codec)
        for text in [track.language, track.associatedLanguage, track.channelLayout] { record.put(text) { $0.put($1) } }
        record.put(Int32(clamping: track.channels))
        record.put(Int32(clamping: track.sampleRate))
        record.put(track.bitrate)
        for flag in [
            track.isDefault, track.isForced, track.isHearingImpaired, track.isCommentary, track.isAtmos, track.isAttachedPicture,
            track.isBitmapSubtitle,
        ] { record.put(flag) }
        record.put(track.assHeader) { $0.put($1) }
    }

    private static func put(_ record: inout RecordWriter, _ chapter: ChapterInfo) {
        record.put(Int32(clamping: chapter.id))
        record.put(chapter.name)
        record.put(chapter.start.nanoseconds)
        record.put(chapter.duration.nanoseconds)
    }

    private static func put(_ record: inout RecordWriter, _ title: TitleInfo) {
        record.put(Int64(title.id))
        let kind: UInt8 =
            switch title.kind {
            case .program: 0
            case .edition: 1
            case .disc: 2
            }
        record.put(kind)
        record.put(title.name)
        record.put(title.startTime.nanoseconds)
        record.put(title.duration) { $0.put($1.nanoseconds) }
        record.put(each: title.tracks.map(\.number).sorted()) { $0.put(Int32(clamping: $1)) }
        record.put(title.isDefault)
        record.put(title.isHidden)
        record.put(title.chapters) { $0.put(each: $1, put) }
    }

    private static func put(_ record: inout RecordWriter, _ metadata: MediaMetadata) {
        for text in [metadata.title, metadata.artist, metadata.album, metadata.year, metadata.track, metadata.lyrics] {
            record.put(text) { $0.put($1) }
        }
        record.put(metadata.artworkData) { $0.put($1) }
    }

    // MARK: - In

    /// The description of a record, whose streams are decoded in `box`, if any; nil where it is none. `inAnyOrder`: its streams may stand in another
    /// order than their numbers, and some may be missing, as a disc's tables sort them; else each stands at the place of its number.
    public static func info(_ bytes: [UInt8], box: (any MediaBox)?, inAnyOrder: Bool = false) -> SourceInfo? {
        var record = RecordReader(bytes)
        let container = record.line(limit: 200), longName = record.line(limit: 200)
        let start = time(&record), duration = record.optional(span), bitRate = record.optional { $0.integer(Int64.self) }
        let isSeekable = record.bool(), isSegmented = record.bool(), timesMayLeap = record.bool()
        let streams = record.list(limit: mostStreams) { stream(&$0, box) }
        let chapters = record.list(limit: mostChapters, chapter)
        let titles = record.list(limit: 1000, title)
        let services = record.list(limit: 4096) { Int($0.integer(Int64.self)) }
        let metadata = Self.metadata(&record), tags = Self.tags(&record)
        // By their numbers they are found in the list.
        let numbers = streams.map(\.index), known = Set(numbers)
        guard record.isWhole, inAnyOrder ? known.count == numbers.count : numbers.elementsEqual(numbers.indices),
            streams.allSatisfy({ $0.enhancedStream.map { known.contains($0) } ?? true })
        else { return nil }
        return SourceInfo(
            container: container, containerLongName: longName, startTime: start, duration: duration, bitRate: bitRate,
            isSeekable: isSeekable, isSegmented: isSegmented, timesMayLeap: timesMayLeap, streams: streams, chapters: chapters,
            titles: titles, services: services, metadata: metadata, tags: tags)
    }

    private static func time(_ record: inout RecordReader) -> MediaTime { MediaTime(nanoseconds: record.integer()) }
    private static func span(_ record: inout RecordReader) -> TimeSpan { TimeSpan(nanoseconds: record.integer()) }

    private static func tags(_ record: inout RecordReader) -> [(key: String, value: String)] {
        record.list(limit: 256) { (key: $0.line(limit: 100), value: $0.line()) }
    }

    private static func ratio(_ record: inout RecordReader) -> Ratio {
        guard let ratio = Ratio(record.integer(), record.integer()) else {
            record.fail()
            return .one
        }
        return ratio
    }

    /// One of the names of a list.
    private static func word<Value: RawRepresentable<String>>(_ record: inout RecordReader, _ usual: Value) -> Value {
        guard let value = Value(rawValue: record.line(limit: 40)) else {
            record.fail()
            return usual
        }
        return value
    }

    private static func stream(_ record: inout RecordReader, _ box: (any MediaBox)?) -> StreamInfo {
        let index = Int(record.integer(in: Int32(0)...Int32(mostStreams))), kind: StreamInfo.Kind = word(&record, .other)
        let track = record.optional { Self.track(&$0, index) }
        let parameters = ParametersRecord.parameters(&record, box: box)
        let codecName = record.line(limit: 100), profile = record.optional { $0.line(limit: 100) }
        let isDecodable = record.bool(), realRate = record.optional(ratio), averageRate = record.optional(ratio)
        let size = record.optional {
            PixelSize(width: Int($0.integer(in: 1...Int32.max)), height: Int($0.integer(in: 1...Int32.max)))
        }
        let aspect = ratio(&record), turn = Int(record.integer(in: Int32(0)...359)), isMirrored = record.bool()
        let format: VideoFormat = word(&record, .sdr)
        let dolbyVision = record.optional {
            DolbyVisionRecord(
                profile: Int($0.integer(in: Int32(0)...255)), compatibility: Int($0.integer(in: Int32(0)...255)),
                hasEnhancementLayer: $0.bool(), hasBaseLayer: $0.bool())
        }
        let enhanced = record.optional { Int($0.integer(in: Int32(0)...Int32(mostStreams))) }
        let pixelFormat = record.optional { $0.line(limit: 100) }, isInterlaced = record.bool()
        let start = record.optional(time), decodingStart = record.optional(time), audioEnd = record.optional(time)
        let duration = record.optional(span), isCounted = record.bool(), frameCount = record.optional { $0.integer(Int64.self) }
        let tags = Self.tags(&record)
        let gain = ReplayGain(track: record.optional(level), album: record.optional(level))
        return StreamInfo(
            index: index, kind: kind, track: track, parameters: parameters, timeBase: parameters.timeBase, codecName: codecName,
            profile: profile, isDecodable: isDecodable, realFrameRate: realRate, averageFrameRate: averageRate, size: size,
            sampleAspect: aspect.isSane ? aspect : .one, rotationDegrees: turn, isMirrored: isMirrored, videoFormat: format,
            dolbyVision: dolbyVision, enhancedStream: enhanced, pixelFormat: pixelFormat, isInterlaced: isInterlaced,
            startTime: start, decodingStart: decodingStart, duration: duration, audioEnd: audioEnd, isCounted: isCounted,
            frameCount: frameCount, tags: tags, replayGain: gain, disposition: record.integer())
    }

    /// The bounds are those of tags.
    private static func level(_ record: inout RecordReader) -> ReplayGain.Level {
        let decibels = record.double(), peak = record.optional { $0.double() }
        if abs(decibels) > 51 || peak.map({ !(0...100_000).contains($0) }) ?? false { record.fail() }
        return ReplayGain.Level(decibels: decibels, peak: peak)
    }

    private static func track(_ record: inout RecordReader, _ index: Int) -> TrackInfo {
        let kind: TrackKind = word(&record, .video)
        let name = record.line(), codec = record.line(limit: 100)
        let language = record.optional { $0.line(limit: 100) }, associated = record.optional { $0.line(limit: 100) }
        let layout = record.optional { $0.line(limit: 128) }
        let channels = Int(record.integer(in: Int32(0)...65535)), rate = Int(record.integer(in: Int32(0)...Int32.max))
        let bitrate = max(0, record.integer(Int64.self))
        let flags = (0..<7).map { _ in record.bool() }
        var track = TrackInfo(
            id: TrackID(.container, index), kind: kind, codec: codec, name: name, language: language, channels: channels,
            channelLayout: layout, sampleRate: rate, bitrate: bitrate, isDefault: flags[0], isForced: flags[1],
            isHearingImpaired: flags[2], isCommentary: flags[3], isAtmos: flags[4], isAttachedPicture: flags[5],
            isBitmapSubtitle: flags[6], assHeader: record.optional { $0.text(limit: 1 << 20) })
        track.associatedLanguage = associated
        return track
    }

    private static func chapter(_ record: inout RecordReader) -> ChapterInfo {
        ChapterInfo(id: Int(record.integer(Int32.self)), name: record.line(), start: time(&record), duration: span(&record))
    }

    private static func title(_ record: inout RecordReader) -> TitleInfo {
        let id = Int(record.integer(Int64.self)), kind = titleKind(&record), name = record.line(), start = time(&record)
        let duration = record.optional(span)
        let tracks = record.list(limit: mostStreams) { TrackID(.container, Int($0.integer(Int32.self))) }
        let isDefault = record.bool(), isHidden = record.bool()
        let chapters = record.optional { $0.list(limit: mostChapters, chapter) }
        return TitleInfo(
            id: id, kind: kind, name: name, startTime: start, duration: duration, tracks: Set(tracks), chapters: chapters,
            isDefault: isDefault, isHidden: isHidden)
    }

    private static func titleKind(_ record: inout RecordReader) -> TitleInfo.Kind {
        switch record.integer(in: UInt8(0)...2) {
        case 1: .edition
        case 2: .disc
        default: .program
        }
    }

    private static func metadata(_ record: inout RecordReader) -> MediaMetadata {
        let lines = (0..<5).map { _ in record.optional { $0.line() } }
        return MediaMetadata(
            title: lines[0], artist: lines[1], album: lines[2], year: lines[3], track: lines[4],
            lyrics: record.optional { $0.text(limit: lyricsLimit) }, artworkData: record.optional { $0.bytes(limit: coverLimit) })
    }
}
