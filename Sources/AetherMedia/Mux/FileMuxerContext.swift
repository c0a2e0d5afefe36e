import AetherCore
import CFFmpeg

/// Owns libavformat's side of a file that is written.
struct FileMuxerContext: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    let port: FileMuxerPort
    private let path: String
    /// A header is written, and no trailer.
    private var isOpen = false

    init(path: String, form: FileMuxerForm, replaces: Bool) throws(MediaError) {
        FFmpegLog.install()
        let port = try FileMuxerPort(path: path, replaces: replaces)
        var fresh: UnsafeMutablePointer<AVFormatContext>?
        let status = avformat_alloc_output_context2(&fresh, nil, form.muxerName, nil)
        guard let pointer = fresh else { throw MediaError(.unsupported, "write", subject: path, averror: status) }
        pointer.pointee.pb = port.makeIO()
        pointer.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        // MP4's index goes to the front of the file by reading that once more.
        pointer.pointee.url = av_strdup("file:" + path)
        (self.pointer, self.port, self.path) = (pointer, port, path)
        MediaBalance.contexts.add()
    }

    deinit {
        let io = pointer.pointee.pb
        if isOpen { av_write_trailer(pointer) }
        avio_flush(io)
        avformat_free_context(pointer)
        FormatContext.free(io)
        MediaBalance.contexts.add(-1)
    }

    /// Throws where the file could not be written.
    func check(_ path: String) throws(MediaError) {
        guard let fault = port.fault else { return }
        throw MediaError(.readFailed, "write", subject: path, reason: fault)
    }

    /// Adds a stream as it is. Returns its place.
    func add(_ stream: StreamInfo) throws(MediaError) -> Int32 {
        guard let made = avformat_new_stream(pointer, nil), let parameters = made.pointee.codecpar else {
            throw MediaError(.internalFailure, "write", averror: aether_averror(ENOMEM))
        }
        avcodec_parameters_copy(parameters, stream.parameters.pointer)
        // Each form has names of its own for the codecs.
        parameters.pointee.codec_tag = 0
        // Files of some kinds give no decode times: libavformat counts them from the order of showing then, with so many frames of delay.
        if stream.kind == .video { parameters.pointee.video_delay = max(parameters.pointee.video_delay, 4) }
        made.pointee.time_base = AVRational(num: stream.timeBase.numerator, den: stream.timeBase.denominator)
        if let rate = stream.averageFrameRate {
            made.pointee.avg_frame_rate = AVRational(num: rate.numerator, den: rate.denominator)
        }
        made.pointee.sample_aspect_ratio = AVRational(num: stream.sampleAspect.numerator, den: stream.sampleAspect.denominator)
        made.pointee.disposition = stream.disposition
        for (type, bytes) in stream.parameters.sideData {
            bytes.withUnsafeBufferPointer { _ = aether_stream_add_side_data(made, type, $0.baseAddress, $0.count) }
        }
        FileMuxerPlan.write(stream.tags + Self.tags(of: stream.track), to: &made.pointee.metadata)
        return made.pointee.index
    }

    /// Adds a track of texts; nil where such a file has none. Returns its place.
    func add(_ text: FileMuxerText, _ form: FileMuxerForm) throws(MediaError) -> Int32? {
        guard form != .mpegTS else { return nil }
        guard let made = avformat_new_stream(pointer, nil), let parameters = made.pointee.codecpar else {
            throw MediaError(.internalFailure, "write", averror: aether_averror(ENOMEM))
        }
        parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters.pointee.codec_id = form == .mp4 ? AV_CODEC_ID_MOV_TEXT : AV_CODEC_ID_SUBRIP
        if form == .mp4 {
            let header = FileMuxerText.timedTextHeader
            guard let room = av_mallocz(header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
                throw MediaError(.internalFailure, "write", averror: aether_averror(ENOMEM))
            }
            header.withUnsafeBytes { if let start = $0.baseAddress { room.copyMemory(from: start, byteCount: $0.count) } }
            parameters.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
            parameters.pointee.extradata_size = Int32(header.count)
        }
        made.pointee.time_base = AVRational(num: 1, den: 1000)
        made.pointee.disposition = text.disposition
        FileMuxerPlan.write(Self.tags(of: text.track), to: &made.pointee.metadata)
        return made.pointee.index
    }

    private static func tags(of track: TrackInfo?) -> [(key: String, value: String)] {
        guard let track else { return [] }
        var tags: [(key: String, value: String)] = []
        if !track.name.isEmpty { tags.append((key: "title", value: track.name)) }
        if let language = track.language { tags.append((key: "language", value: FileMuxerLanguage.code(language))) }
        return tags
    }

    /// Writes the header.
    mutating func begin(_ form: FileMuxerForm, survivesCrashes: Bool) throws(MediaError) {
        guard pointer.pointee.pb != nil else { throw MediaError(.internalFailure, "write", averror: aether_averror(ENOMEM)) }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        switch form {
        case .matroska:
            // A crash loses what is not in a cluster yet.
            if survivesCrashes { av_dict_set(&options, "cluster_time_limit", "1000", 0) }
        case .mp4:
            // ADTS and AC-3 say what the header needs with their first packet.
            let flags = survivesCrashes ? "+frag_keyframe+empty_moov+default_base_moof+delay_moov" : "+faststart"
            av_dict_set(&options, "movflags", flags, 0)
            if survivesCrashes { av_dict_set(&options, "frag_duration", "2000000", 0) }
        case .mpegTS: break
        }
        let status = avformat_write_header(pointer, &options)
        isOpen = status >= 0
        if let fault = port.fault { throw MediaError(.cannotOpen, "write", subject: path, reason: fault) }
        guard isOpen else { throw MediaError(.unsupported, "write", subject: path, averror: status) }
    }

    /// Writes the trailer, once. Returns libavformat's status.
    mutating func end() -> Int32 {
        guard isOpen else { return 0 }
        isOpen = false
        let status = av_write_trailer(pointer)
        avio_flush(pointer.pointee.pb)
        return status
    }
}
