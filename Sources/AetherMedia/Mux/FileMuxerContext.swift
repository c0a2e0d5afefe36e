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
        var tags = stream.tags
        if let language = stream.track?.language { tags.append((key: "language", value: language)) }
        FileMuxerPlan.write(tags, to: &made.pointee.metadata)
        return made.pointee.index
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
