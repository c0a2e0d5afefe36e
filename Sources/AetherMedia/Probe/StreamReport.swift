import AetherCore
import CFFmpeg

/// One stream in ffprobe's words.
struct StreamReport {
    private let stream: StreamInfo
    private let raw: UnsafeMutablePointer<AVStream>
    private let codec: UnsafeMutablePointer<AVCodecParameters>
    private let context: UnsafeMutablePointer<AVFormatContext>
    private var members: [(key: String, value: JSON)] = []

    init(_ stream: StreamInfo, raw: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        self.stream = stream
        self.raw = raw
        self.context = context
        codec = stream.parameters.pointer
        addCodec()
        if codec.pointee.codec_type == AVMEDIA_TYPE_VIDEO { addVideo() }
        if codec.pointee.codec_type == AVMEDIA_TYPE_AUDIO { addAudio() }
        if codec.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE {
            if codec.pointee.width > 0 { add("width", Int64(codec.pointee.width)) }
            if codec.pointee.height > 0 { add("height", Int64(codec.pointee.height)) }
        }
        addTimes()
        members.append(
            (
                "disposition",
                .object(
                    JSON.Members(StreamReport.dispositions.map { ($0.name, .integer(stream.disposition & $0.bit != 0 ? 1 : 0)) }))
            ))
        if !stream.tags.isEmpty { members.append(("tags", ProbeReport.tagObject(stream.tags))) }
        let sideData = SideDataReport.list(raw)
        if !sideData.isEmpty { members.append(("side_data_list", .array(sideData))) }
        addOwn()
    }

    var json: JSON { .object(JSON.Members(members)) }

    private mutating func add(_ key: String, _ text: String?) {
        if let text { members.append((key, .string(text))) }
    }

    private mutating func add(_ key: String, _ number: Int64) { members.append((key, .integer(number))) }

    private mutating func addCodec() {
        let id = codec.pointee.codec_id
        add("index", Int64(stream.index))
        if id != AV_CODEC_ID_NONE {
            add("codec_name", stream.codecName)
            add("codec_long_name", (avcodec_descriptor_get(id)?.pointee.long_name).map { FFmpegText.string($0) })
        }
        // Without a name of its own, ffprobe gives the number.
        let profile = codec.pointee.profile
        add("profile", stream.profile ?? (profile == FF_PROFILE_UNKNOWN ? nil : "\(profile)"))
        add("codec_type", av_get_media_type_string(codec.pointee.codec_type).map { FFmpegText.string($0) })
        var tag = [CChar](repeating: 0, count: 32)
        av_fourcc_make_string(&tag, codec.pointee.codec_tag)
        add("codec_tag_string", FFmpegText.string(tag, limit: tag.count - 1))
        add("codec_tag", "0x" + StreamReport.hex(UInt64(codec.pointee.codec_tag), digits: 4))
    }

    private mutating func addVideo() {
        let aspect = av_guess_sample_aspect_ratio(context, raw, nil)
        add("width", Int64(codec.pointee.width))
        add("height", Int64(codec.pointee.height))
        add("has_b_frames", Int64(codec.pointee.video_delay))
        if aspect.num > 0 {
            var display = AVRational()
            let (width, height) = (
                Int64(codec.pointee.width) * Int64(aspect.num), Int64(codec.pointee.height) * Int64(aspect.den)
            )
            av_reduce(&display.num, &display.den, width, height, 1 << 20)
            add("sample_aspect_ratio", "\(aspect.num):\(aspect.den)")
            add("display_aspect_ratio", "\(display.num):\(display.den)")
        }
        add("pix_fmt", stream.pixelFormat)
        add("level", Int64(codec.pointee.level))
        if codec.pointee.color_range != AVCOL_RANGE_UNSPECIFIED {
            add("color_range", name(av_color_range_name(codec.pointee.color_range)))
        }
        if codec.pointee.color_space != AVCOL_SPC_UNSPECIFIED {
            add("color_space", name(av_color_space_name(codec.pointee.color_space)))
        }
        if codec.pointee.color_trc != AVCOL_TRC_UNSPECIFIED {
            add("color_transfer", name(av_color_transfer_name(codec.pointee.color_trc)))
        }
        if codec.pointee.color_primaries != AVCOL_PRI_UNSPECIFIED {
            add("color_primaries", name(av_color_primaries_name(codec.pointee.color_primaries)))
        }
        if codec.pointee.chroma_location != AVCHROMA_LOC_UNSPECIFIED {
            add("chroma_location", name(av_chroma_location_name(codec.pointee.chroma_location)))
        }
        add("field_order", fieldOrder)
    }

    private mutating func addAudio() {
        add("sample_fmt", name(av_get_sample_fmt_name(AVSampleFormat(codec.pointee.format))))
        add("sample_rate", "\(codec.pointee.sample_rate)")
        add("channels", Int64(aether_parameters_channels(codec)))
        if codec.pointee.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC {
            add("channel_layout", FFmpegText.channelLayout(&codec.pointee.ch_layout))
        }
        add("bits_per_sample", Int64(av_get_bits_per_sample(codec.pointee.codec_id)))
    }

    private mutating func addTimes() {
        if context.pointee.iformat.pointee.flags & AVFMT_SHOW_IDS != 0 {
            add("id", "0x" + StreamReport.hex(UInt64(UInt32(bitPattern: raw.pointee.id)), digits: 1))
        }
        add("r_frame_rate", "\(raw.pointee.r_frame_rate.num)/\(raw.pointee.r_frame_rate.den)")
        add("avg_frame_rate", "\(raw.pointee.avg_frame_rate.num)/\(raw.pointee.avg_frame_rate.den)")
        add("time_base", "\(raw.pointee.time_base.num)/\(raw.pointee.time_base.den)")
        if raw.pointee.start_time != aether_nopts() {
            add("start_pts", raw.pointee.start_time)
            add("start_time", (stream.startTime?.nanoseconds).map(sixDecimals))
        }
        if raw.pointee.duration != aether_nopts(), raw.pointee.duration > 0 {
            add("duration_ts", raw.pointee.duration)
            add("duration", (stream.duration?.nanoseconds).map(sixDecimals))
        }
        if codec.pointee.bit_rate > 0 { add("bit_rate", "\(codec.pointee.bit_rate)") }
        if codec.pointee.bits_per_raw_sample > 0 { add("bits_per_raw_sample", "\(codec.pointee.bits_per_raw_sample)") }
        add("nb_frames", stream.frameCount.map(String.init))
        if codec.pointee.extradata_size > 0 { add("extradata_size", Int64(codec.pointee.extradata_size)) }
    }

    private mutating func addOwn() {
        var own: [(key: String, value: JSON)] = [
            ("kind", .string(stream.kind.rawValue)), ("decodable", .bool(stream.isDecodable)),
            ("decoder", JSON(avcodec_find_decoder(codec.pointee.codec_id).map { FFmpegText.string($0.pointee.name) })),
        ]
        if stream.kind == .video || stream.kind == .attachedPicture {
            own.append(("rotation_degrees", .integer(Int64(stream.rotationDegrees))))
            own.append(("video_format", .string(stream.videoFormat.rawValue)))
            if let record = stream.dolbyVision {
                own.append(("dolby_vision_profile", .integer(Int64(record.profile))))
                own.append(("dolby_vision_compatibility", .integer(Int64(record.compatibility))))
                own.append(("dolby_vision_has_enhancement_layer", .bool(record.hasEnhancementLayer)))
            }
            if let base = stream.enhancedStream { own.append(("dolby_vision_enhances_stream", .integer(Int64(base)))) }
            own.append(("sample_aspect_used", .string("\(stream.sampleAspect.numerator):\(stream.sampleAspect.denominator)")))
        }
        if let track = stream.track {
            own.append(("language", JSON(track.language)))
            own.append(("title", .string(track.name)))
            if track.kind == .audio { own.append(("is_atmos", .bool(track.isAtmos))) }
        }
        members.append(("aether", .object(JSON.Members(own))))
    }

    private func name(_ text: UnsafePointer<CChar>?) -> String? { text.map { FFmpegText.string($0) } }

    private var fieldOrder: String? {
        switch codec.pointee.field_order {
        case AV_FIELD_PROGRESSIVE: "progressive"
        case AV_FIELD_TT: "tt"
        case AV_FIELD_BB: "bb"
        case AV_FIELD_TB: "tb"
        case AV_FIELD_BT: "bt"
        default: nil
        }
    }

    private static func hex(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// ffprobe's names of the bits, in its order.
    static let dispositions: [(name: String, bit: Int32)] = [
        ("default", AV_DISPOSITION_DEFAULT), ("dub", AV_DISPOSITION_DUB), ("original", AV_DISPOSITION_ORIGINAL),
        ("comment", AV_DISPOSITION_COMMENT), ("lyrics", AV_DISPOSITION_LYRICS), ("karaoke", AV_DISPOSITION_KARAOKE),
        ("forced", AV_DISPOSITION_FORCED), ("hearing_impaired", AV_DISPOSITION_HEARING_IMPAIRED),
        ("visual_impaired", AV_DISPOSITION_VISUAL_IMPAIRED), ("clean_effects", AV_DISPOSITION_CLEAN_EFFECTS),
        ("attached_pic", AV_DISPOSITION_ATTACHED_PIC), ("timed_thumbnails", AV_DISPOSITION_TIMED_THUMBNAILS),
        ("captions", AV_DISPOSITION_CAPTIONS), ("descriptions", AV_DISPOSITION_DESCRIPTIONS),
        ("metadata", AV_DISPOSITION_METADATA), ("dependent", AV_DISPOSITION_DEPENDENT),
        ("still_image", AV_DISPOSITION_STILL_IMAGE),
    ]
}
