public import AetherCore
public import AetherFormats
import CFFmpeg

extension StreamInfo {
    /// A stream as a manifest states it, before a byte of it is fetched. It is taken for decodable: the segments will tell.
    public init(stated codec: CodecName?, of group: Group, id: StreamID) {
        let type = group.kind == .audio ? AVMEDIA_TYPE_AUDIO : AVMEDIA_TYPE_SUBTITLE
        let name = codec.map(\.libraryName) ?? (type == AVMEDIA_TYPE_AUDIO ? "aac" : "webvtt")
        // Of a codec that is not known here the segments say more.
        let usual = type == AVMEDIA_TYPE_AUDIO ? AV_CODEC_ID_AAC : AV_CODEC_ID_WEBVTT
        let codecID = avcodec_descriptor_get_by_name(name)?.pointee.id ?? usual
        parameters = CodecParameters(type, codecID)
        kind = type == AVMEDIA_TYPE_AUDIO ? .audio : .subtitle
        (source, index) = (id.source, id.number)
        timeBase = TimeBase(1, 90_000)
        codecName = name
        (profile, pixelFormat, startTime, duration, audioEnd, frameCount) = (nil, nil, nil, nil, nil, nil)
        (isDecodable, isInterlaced, isCounted, isMirrored, rotationDegrees) = (true, false, false, false, 0)
        (realFrameRate, averageFrameRate, size, sampleAspect) = (nil, nil, nil, .one)
        (videoFormat, dolbyVision, enhancedStream) = (.sdr, nil, nil)
        (tags, replayGain, disposition) = ([], ReplayGain(), 0)
        let roles = group.characteristics
        var track = TrackInfo(
            id: TrackID(id), kind: kind == .audio ? .audio : .subtitle, codec: name,
            name: DisplayText.singleLine(group.label, limit: 200), language: group.language, channels: group.channels?.count ?? 0,
            isDefault: group.isDefault, isForced: group.isForced,
            isHearingImpaired: roles.contains("public.accessibility.transcribes-spoken-dialog"),
            isCommentary: roles.contains { $0.hasSuffix("describes-video") || $0.hasSuffix("commentary") },
            isAtmos: group.channels?.isImmersive ?? false)
        track.associatedLanguage = group.associatedLanguage == group.language ? nil : group.associatedLanguage
        self.track = track
    }
}

extension CodecParameters {
    /// Nothing but the codec.
    convenience init(_ type: AVMediaType, _ codec: AVCodecID) {
        var parameters = AVCodecParameters()
        parameters.codec_type = type
        parameters.codec_id = codec
        self.init(copying: &parameters, timeBase: TimeBase(1, 90_000))
    }
}

extension SourceInfo {
    /// A source of which nothing is known but what a manifest states of its streams.
    public init(stated streams: [StreamInfo]) {
        (container, containerLongName) = ("hls", "Streaming")
        (startTime, duration, bitRate) = (.zero, nil, nil)
        (isSeekable, timesMayLeap) = (true, false)
        self.streams = streams
        (chapters, titles, metadata, tags) = ([], [], MediaMetadata(), [])
    }
}
