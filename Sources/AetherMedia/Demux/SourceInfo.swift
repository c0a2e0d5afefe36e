public import AetherCore
public import AetherFormats

/// The description of an opened source. Texts are safe to display.
public struct SourceInfo: Sendable {
    /// libavformat's short name, for example "matroska,webm".
    public internal(set) var container: String
    /// libavformat's description, for example "Matroska / WebM".
    public internal(set) var containerLongName: String
    /// The family that it is of.
    public var family: Container { Container(formatName: container) }
    /// The beginning of the earliest stream on the source axis; zero when unknown.
    public internal(set) var startTime: MediaTime
    /// The time for which it lasts, nil when unknown (pipes, live).
    public internal(set) var duration: TimeSpan?
    /// Of the whole, nil when unknown.
    public let bitRate: Int64?
    /// Whether `Demuxer.seek` can work.
    public internal(set) var isSeekable: Bool
    /// Its tracks are fetched one by one: a track that is not played costs transfers of its own.
    public internal(set) var isSegmented = false
    /// Times may leap in the middle, by the format's nature: broadcasts and other streams without a start.
    public let timesMayLeap: Bool
    /// The streams in the container's order.
    public var streams: [StreamInfo]
    /// The chapters in the order of their times.
    public var chapters: [ChapterInfo]
    /// Programs or editions of which one is played at a time; empty where there is no choice, one where that is not all of the file.
    public var titles: [TitleInfo]
    /// The numbers of a transport stream's programs, in its order; empty for other containers.
    public internal(set) var services: [Int] = []
    /// Tags of the whole file.
    public internal(set) var metadata: MediaMetadata
    /// All tags of the file in its order.
    public let tags: [(key: String, value: String)]

    /// Names every stream and track as one of that source. Its programs and editions are not offered: the opened source's are.
    mutating func number(source: Int) {
        titles = []
        streams = streams.map { $0.named(StreamID(source: source, number: $0.index)) }
    }

    /// The same source with all its times moved.
    public func shifted(by offset: TimeSpan) -> SourceInfo {
        var moved = self
        moved.startTime = startTime + offset
        moved.streams = streams.map { $0.shifted(by: offset) }
        return moved
    }

    /// A part of the source as if it were all of it. `end` nil: unknown.
    public func limited(from start: MediaTime, to end: MediaTime?) -> SourceInfo {
        var part = self
        (part.startTime, part.duration) = (start, end.map { $0 - start })
        part.chapters = chapters.filter { chapter in
            chapter.start + chapter.duration > start && end.map { chapter.start < $0 } ?? true
        }
        part.titles = []
        return part
    }

    /// The same source where what was read of it is kept: its past can be gone to, and its end is unknown.
    public func broadcast() -> SourceInfo {
        var whole = self
        (whole.duration, whole.isSeekable) = (nil, true)
        return whole
    }

    /// The same source as the beginning of a longer one, which starts and lasts as said and goes anywhere. A duration of nil: unknown.
    /// `format`: its short name, and the one for people. `title`: that of the whole, where the beginning has none.
    public func placed(
        from start: MediaTime, duration: TimeSpan?, format: (name: String, longName: String), title: String? = nil
    ) -> SourceInfo {
        var whole = self
        whole.metadata = metadata.titled(title.map { DisplayText.singleLine($0) })
        (whole.container, whole.containerLongName) = format
        (whole.startTime, whole.duration, whole.isSeekable, whole.isSegmented) = (start, duration, true, true)
        return whole
    }

    /// The same source as one of the format that its manifest has, with the streams of all its parts, numbered anew.
    public func assembled(of streams: [StreamInfo], format: (name: String, longName: String)) -> SourceInfo {
        var whole = self
        (whole.container, whole.containerLongName) = format
        whole.streams = streams.enumerated().map { $1.named(StreamID(source: 0, number: $0)) }
        return whole
    }

    /// The tracks a person can choose among, without cover images.
    public var tracks: [TrackInfo] { streams.compactMap { $0.kind == .attachedPicture ? nil : $0.track } }

    /// Streams of a kind that a decoder exists for, and that are something by themselves.
    public func decodable(_ kind: StreamInfo.Kind) -> [StreamInfo] {
        streams.filter { $0.kind == kind && $0.isDecodable && $0.enhancedStream == nil }
    }
}

/// One stream of a container.
public struct StreamInfo: Sendable {
    /// The kind of media that a stream carries.
    public enum Kind: String, Sendable {
        case video, audio, subtitle
        /// A cover image: stored as a video stream, but not a video.
        case attachedPicture
        case data, attachment, other
    }

    /// The number of the stream's source among those that are read together; 0: the one that was opened.
    public internal(set) var source = 0
    /// The number in the source.
    public internal(set) var index: Int
    /// The kind of the stream.
    public let kind: Kind
    /// Nil for kinds that cannot be chosen.
    public internal(set) var track: TrackInfo?
    /// To open a decoder with.
    public internal(set) var parameters: CodecParameters
    /// The unit of its time stamps.
    public let timeBase: TimeBase
    /// FFmpeg's short codec name, "none" when unknown.
    public let codecName: String
    /// FFmpeg's name of the codec's profile; nil when unknown.
    public let profile: String?
    /// Whether this FFmpeg has a decoder for the codec.
    public let isDecodable: Bool
    /// The lowest rate that holds every frame exactly, nil when unknown.
    public let realFrameRate: Ratio?
    /// Frames by time, nil when unknown.
    public let averageFrameRate: Ratio?
    /// Stored pixels, nil when unknown or not a video or an image.
    public internal(set) var size: PixelSize?
    /// Width by height of one stored pixel: 1:1 where the file is silent or says something no display ever had.
    public internal(set) var sampleAspect: Ratio
    /// Clockwise turn that shows the frame upright: 0 ..< 360.
    public let rotationDegrees: Int
    /// Left and right change places after the turn.
    public let isMirrored: Bool
    /// The coding of brightness by the container's or the codec's header; frames may tell more.
    public internal(set) var videoFormat: VideoFormat
    /// Of Dolby Vision, nil without. Of a base layer also what the stream of its enhancement layer says.
    public internal(set) var dolbyVision: DolbyVisionRecord?
    /// The stream whose frames this one only refines, as an enhancement layer of Dolby Vision; nil for one that is something by itself.
    public internal(set) var enhancedStream: Int?
    /// FFmpeg's name, nil when not known before decoding.
    public let pixelFormat: String?
    /// Declared as interlaced.
    public let isInterlaced: Bool
    /// The first PTS on the source axis; nil when unknown.
    public internal(set) var startTime: MediaTime?
    /// The decoding time of the first packet, where that lies before `startTime`: MP4's edit lists hide frames that others are made of. Nothing
    /// of the stream lies before; nil where `startTime` bounds it.
    public internal(set) var decodingStart: MediaTime?
    /// The duration by the container's word; nil when it does not say.
    public let duration: TimeSpan?
    /// The end of the last sample that was recorded, of audio behind which the encoder's padding may follow; nil where nothing says so.
    public internal(set) var audioEnd: MediaTime?
    /// There are no times in the file: they were counted from packets, at the sample rate of the first.
    public let isCounted: Bool
    /// Number of frames by the container's word, nil when it does not say.
    public let frameCount: Int64?
    /// All tags of the stream in its order, safe to display.
    public let tags: [(key: String, value: String)]
    /// The recording's own level by the tags of the stream and the file; without levels where there are none.
    public let replayGain: ReplayGain
    /// Raw AV_DISPOSITION bits.
    public let disposition: Int32

    /// The stream's name among all that are read together.
    public var id: StreamID { StreamID(source: source, number: index) }

    /// The same stream under another name.
    public func named(_ id: StreamID) -> StreamInfo {
        var renamed = self
        (renamed.source, renamed.index) = (id.source, id.number)
        if track?.id.stream != nil { renamed.track?.id = TrackID(id) }
        return renamed
    }

    /// The same stream, its track with another name and language; nil keeps the name.
    public func renamed(_ name: String?, language: String?, associated: String? = nil) -> StreamInfo {
        var renamed = self
        if let name { renamed.track?.name = name }
        renamed.track?.language = language
        renamed.track?.associatedLanguage = associated
        return renamed
    }

    /// The same stream with all its times moved.
    func shifted(by offset: TimeSpan) -> StreamInfo {
        var moved = self
        moved.startTime = startTime.map { $0 + offset }
        moved.decodingStart = decodingStart.map { $0 + offset }
        moved.audioEnd = audioEnd.map { $0 + offset }
        return moved
    }

    /// Whether packets of this stream can follow those of another one in its format: decoders and the surface see no difference.
    public func hasFormat(of former: StreamInfo) -> Bool {
        guard kind == former.kind, codecName == former.codecName else { return false }
        switch kind {
        case .video:
            return parameters.continuesVideo(of: former.parameters) && sampleAspect == former.sampleAspect
                && orientation == former.orientation && videoFormat == former.videoFormat && dolbyVision == former.dolbyVision
        case .audio: return parameters.continuesAudio(of: former.parameters)
        default: return parameters.header(limit: .max) == former.parameters.header(limit: .max)
        }
    }

    /// The turn that stands the frame upright.
    public var orientation: Orientation {
        Orientation(turn: QuarterTurn(degrees: Double(rotationDegrees)), isMirrored: isMirrored)
    }

    /// Nothing of the stream can be decoded before this point; nil when unknown.
    public var firstPoint: MediaTime? { decodingStart ?? startTime }

    /// The rate to expect frames at: the average, or the real rate without one.
    public var frameRate: Ratio? { averageFrameRate ?? realFrameRate }
}
