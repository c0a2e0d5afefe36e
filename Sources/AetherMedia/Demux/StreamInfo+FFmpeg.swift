import AetherCore
import AetherFormats
import CFFmpeg

extension StreamInfo {
    /// Reads a stream of an open context. `parameters` are a copy of the stream's, possibly completed.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>, parameters: CodecParameters,
        firstTime: Int64?, isAtmos: Bool
    ) {
        let codec = parameters.pointer
        let timeBase = parameters.timeBase
        let decoder = avcodec_find_decoder(codec.pointee.codec_id)
        index = Int(stream.pointee.index)
        kind = codec.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE ? .subtitle : StreamInfo.kind(stream)
        let isUSF = codec.pointee.codec_id == AV_CODEC_ID_TEXT && codec.pointee.codec_tag == MatroskaText.usfTag
        codecName = isUSF ? "usf" : FFmpegText.string(avcodec_get_name(codec.pointee.codec_id))
        profile = avcodec_profile_name(codec.pointee.codec_id, codec.pointee.profile).map { FFmpegText.string($0) }
        // AV1 is decoded by libdav1d, TTML read by ourselves, whatever libavcodec was built with.
        let isOurs = codec.pointee.codec_id == AV_CODEC_ID_AV1 || codec.pointee.codec_id == AV_CODEC_ID_TTML
        isDecodable = isOurs || (decoder != nil && codec.pointee.codec_id != AV_CODEC_ID_NONE)
        self.parameters = parameters
        self.timeBase = timeBase
        let isVideo = codec.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        realFrameRate = isVideo ? StreamInfo.sane(Ratio(stream.pointee.r_frame_rate)) : nil
        averageFrameRate = isVideo ? StreamInfo.averageRate(stream) : nil
        let hasSize = isVideo && codec.pointee.width > 0 && codec.pointee.height > 0
        size = hasSize ? PixelSize(width: Int(codec.pointee.width), height: Int(codec.pointee.height)) : nil
        sampleAspect = isVideo ? StreamInfo.aspect(av_guess_sample_aspect_ratio(context, stream, nil)) : .one
        let orientation = isVideo ? StreamInfo.orientation(stream) : (degrees: 0, isMirrored: false)
        (rotationDegrees, isMirrored) = (orientation.degrees, orientation.isMirrored)
        dolbyVision = isVideo ? StreamInfo.dolbyVision(stream) : nil
        videoFormat = dolbyVision != nil ? .dolbyVision : isVideo ? VideoFormat(codec.pointee.color_trc) : .sdr
        pixelFormat = isVideo ? av_get_pix_fmt_name(AVPixelFormat(codec.pointee.format)).map { FFmpegText.string($0) } : nil
        let bare: Set = ["aac", "ac3", "dts", "eac3", "loas", "mlp", "mp3", "truehd"]
        isCounted = bare.contains(FFmpegText.string(context.pointee.iformat?.pointee.name))
        isInterlaced = isVideo && codec.pointee.field_order.rawValue > AV_FIELD_PROGRESSIVE.rawValue
        let start = stream.pointee.start_time
        // libavformat derives it from DTS, which Matroska does not have.
        let first = start == aether_nopts() ? firstTime : start
        startTime = first.map { MediaTime(ticks: $0, in: timeBase) }
        let entry = isVideo && Container(of: context) == .isoBMFF ? avformat_index_get_entry(stream, 0)?.pointee.timestamp : nil
        decodingStart = entry.flatMap { ticks in first.map { ticks < $0 } ?? false ? MediaTime(ticks: ticks, in: timeBase) : nil }
        let length = stream.pointee.duration
        duration = length > 0 ? TimeSpan(nanoseconds: timeBase.nanoseconds(ticks: length)) : nil
        audioEnd = kind == .audio ? StreamInfo.recordedEnd(context, start: startTime, codec) : nil
        frameCount = stream.pointee.nb_frames > 0 ? stream.pointee.nb_frames : nil
        tags = FFmpegText.tags(stream.pointee.metadata)
        disposition = stream.pointee.disposition
        replayGain =
            kind == .audio ? StreamInfo.replayGain(stream, tags: tags + FFmpegText.tags(context.pointee.metadata)) : ReplayGain()
        var track = StreamInfo.track(stream, codec: codec, kind: kind, codecName: codecName)
        track?.isAtmos = isAtmos
        self.track = track
    }

    /// From tags, or where there are none from what a demuxer found in its own header (LAME's, Musepack's, APEv2).
    private static func replayGain(
        _ stream: UnsafeMutablePointer<AVStream>, tags: [(key: String, value: String)]
    ) -> ReplayGain {
        let stated = ReplayGain(tags: tags)
        var size = 0
        guard stated.track == nil, stated.album == nil,
            let data = aether_stream_side_data(stream, AV_PKT_DATA_REPLAYGAIN, &size), size >= MemoryLayout<AVReplayGain>.size
        else { return stated }
        let raw = UnsafeRawPointer(data).loadUnaligned(as: AVReplayGain.self)
        func level(_ gain: Int32, _ peak: UInt32) -> ReplayGain.Level? {
            // 1/100000 dB, INT32_MIN for unknown; a peak of 0 is unknown.
            guard gain != .min, abs(Double(gain)) <= 5_100_000 else { return nil }
            return ReplayGain.Level(decibels: Double(gain) / 100_000, peak: peak > 0 ? Double(peak) / 100_000 : nil)
        }
        return ReplayGain(track: level(raw.track_gain, raw.track_peak), album: level(raw.album_gain, raw.album_peak))
    }

    /// iTunes says in a tag of hexadecimal numbers what was recorded: nothing, delay, padding, samples. libavformat cuts the delay only.
    private static func recordedEnd(
        _ context: UnsafeMutablePointer<AVFormatContext>, start: MediaTime?, _ codec: UnsafeMutablePointer<AVCodecParameters>
    ) -> MediaTime? {
        guard let start, let tag = FFmpegText.tag(context.pointee.metadata, "iTunSMPB") else { return nil }
        let numbers = tag.split(separator: " ").prefix(4).map { Int32($0, radix: 16) ?? 0 }
        let rate = codec.pointee.sample_rate
        guard numbers.count == 4, numbers[3] > 0, rate > 0 else { return nil }
        return start + .seconds(Double(numbers[3]) / Double(rate))
    }

    static func kind(_ stream: UnsafeMutablePointer<AVStream>) -> Kind {
        switch stream.pointee.codecpar.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 ? .attachedPicture : .video
        case AVMEDIA_TYPE_AUDIO: .audio
        case AVMEDIA_TYPE_SUBTITLE: .subtitle
        case AVMEDIA_TYPE_DATA: .data
        case AVMEDIA_TYPE_ATTACHMENT: .attachment
        default: .other
        }
    }

    /// 1000 frames/s is the fastest rate that a container states on purpose; more is a time base in disguise.
    private static func sane(_ rate: Ratio?) -> Ratio? {
        guard let rate, rate.value <= 1000 else { return nil }
        return rate
    }

    /// The container's average, or frames by length where it states only those.
    private static func averageRate(_ stream: UnsafeMutablePointer<AVStream>) -> Ratio? {
        if let rate = sane(Ratio(stream.pointee.avg_frame_rate)) { return rate }
        let (count, length, base) = (stream.pointee.nb_frames, stream.pointee.duration, stream.pointee.time_base)
        guard count > 1, length > 0, base.num > 0, base.den > 0 else { return nil }
        var rate = AVRational()
        let (numerator, overflow) = count.multipliedReportingOverflow(by: Int64(base.den))
        let (denominator, overflow2) = length.multipliedReportingOverflow(by: Int64(base.num))
        guard !overflow, !overflow2 else { return nil }
        av_reduce(&rate.num, &rate.den, numerator, denominator, 1_000_000)
        return sane(Ratio(rate))
    }

    /// The widest real pixels are about 2.2:1 (anamorphic DV); ten times that and more is garbage such as 1088:1.
    private static func aspect(_ rational: AVRational) -> Ratio {
        guard let ratio = Ratio(rational), ratio.isSane else { return .one }
        return ratio
    }

    private static func orientation(_ stream: UnsafeMutablePointer<AVStream>) -> (degrees: Int, isMirrored: Bool) {
        var size = 0
        guard let data = aether_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size),
            let matrix = DisplayMatrix(UnsafeRawBufferPointer(start: data, count: size))
        else { return (0, false) }
        return ((Int(matrix.clockwiseDegrees.rounded()) % 360 + 360) % 360, matrix.isMirrored)
    }

    private static func dolbyVision(_ stream: UnsafeMutablePointer<AVStream>) -> DolbyVisionRecord? {
        var size = 0
        guard let data = aether_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
            size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        else { return nil }
        let record = UnsafeRawPointer(data).loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
        return DolbyVisionRecord(
            profile: Int(record.dv_profile), compatibility: Int(record.dv_bl_signal_compatibility_id),
            hasEnhancementLayer: record.el_present_flag != 0, hasBaseLayer: record.bl_present_flag != 0)
    }

    private static func track(
        _ stream: UnsafeMutablePointer<AVStream>, codec: UnsafeMutablePointer<AVCodecParameters>, kind: Kind, codecName: String
    ) -> TrackInfo? {
        let trackKind: TrackKind
        switch kind {
        case .video, .attachedPicture: trackKind = .video
        case .audio: trackKind = .audio
        case .subtitle: trackKind = .subtitle
        default: return nil
        }
        let tags = stream.pointee.metadata
        let flags = stream.pointee.disposition
        let language = FFmpegText.tag(tags, "language")
        let isAudio = kind == .audio
        let properties = avcodec_descriptor_get(codec.pointee.codec_id)?.pointee.props ?? 0
        return TrackInfo(
            id: TrackID(.container, Int(stream.pointee.index)), kind: trackKind, codec: codecName,
            name: FFmpegText.tag(tags, "title") ?? "", language: language == "und" ? nil : language,
            channels: isAudio ? Int(aether_parameters_channels(codec)) : 0,
            channelLayout: isAudio ? FFmpegText.channelLayout(&codec.pointee.ch_layout) : nil,
            sampleRate: isAudio ? Int(codec.pointee.sample_rate) : 0, bitrate: max(0, codec.pointee.bit_rate),
            isDefault: flags & AV_DISPOSITION_DEFAULT != 0, isForced: flags & AV_DISPOSITION_FORCED != 0,
            isHearingImpaired: flags & AV_DISPOSITION_HEARING_IMPAIRED != 0, isCommentary: flags & AV_DISPOSITION_COMMENT != 0,
            isAttachedPicture: kind == .attachedPicture,
            isBitmapSubtitle: kind == .subtitle && properties & AV_CODEC_PROP_BITMAP_SUB != 0,
            assHeader: assHeader(codec))
    }

    /// The script header, at most 1 MB of it.
    private static func assHeader(_ codec: UnsafeMutablePointer<AVCodecParameters>) -> String? {
        guard codec.pointee.codec_id == AV_CODEC_ID_ASS, let data = codec.pointee.extradata, codec.pointee.extradata_size > 0
        else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: data, count: min(1 << 20, Int(codec.pointee.extradata_size))), as: UTF8.self)
    }
}
