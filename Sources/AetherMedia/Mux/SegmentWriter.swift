import AetherCore
import AetherFormats
import CFFmpeg

/// One run of libavformat's MP4 muxer into memory: a header and one fragment. Lives on one thread.
final class SegmentWriter {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let timescale: Int32
    private let name: String
    /// Takes the head of ADTS off packets of AAC: libavformat's own filter does not come to it while the header waits for samples.
    private var filter: UnsafeMutablePointer<AVBSFContext>?
    /// Takes the second layer of Dolby Vision and its metadata out of packets.
    private var layers: HEVCUnits?

    /// `keepsEdits`: times before zero become an edit that leaves those samples out.
    init(_ track: SegmentTrack, number: Int, keepsEdits: Bool) throws(MediaError) {
        FFmpegLog.install()
        name = FFmpegText.string(avcodec_get_name(track.parameters.pointer.pointee.codec_id))
        timescale = track.timescale
        var allocated: UnsafeMutablePointer<AVFormatContext>?
        var status = avformat_alloc_output_context2(&allocated, nil, "mp4", nil)
        guard status >= 0, let context = allocated else {
            throw MediaError(.unsupported, "make a segment", subject: name, averror: status)
        }
        self.context = context
        MediaBalance.contexts.add()
        // From here on the object exists, and its end frees the context.
        context.pointee.avoid_negative_ts = 0
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        // The record of Dolby Vision is not in ISO's own standard: libavformat writes it on request only.
        context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        try SegmentWriter.addStream(to: context, track, name)
        if track.parameters.pointer.pointee.codec_id == AV_CODEC_ID_AAC {
            filter = try SegmentWriter.filter(track, name)
        } else if track.isBaseLayer {
            layers = HEVCUnits(header: track.parameters.header(limit: 64))
        }
        status = avio_open_dyn_buf(&context.pointee.pb)
        guard status >= 0 else { throw MediaError(.internalFailure, "make a segment", subject: name, averror: status) }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "movflags", SegmentWriter.flags(keepsEdits: keepsEdits), 0)
        av_dict_set(&options, "use_editlist", keepsEdits ? "1" : "0", 0)
        av_dict_set(&options, "fragment_index", "\(max(1, number))", 0)
        status = avformat_write_header(context, &options)
        guard status >= 0 else { throw MediaError(.unsupported, "make a segment", subject: name, averror: status) }
    }

    deinit {
        if context.pointee.pb != nil { _ = SegmentWriter.take(context) }
        av_bsf_free(&filter)
        avformat_free_context(context)
        MediaBalance.contexts.add(-1)
    }

    private static func filter(_ track: SegmentTrack, _ name: String) throws(MediaError) -> UnsafeMutablePointer<AVBSFContext>? {
        var filter: UnsafeMutablePointer<AVBSFContext>?
        var status = av_bsf_alloc(av_bsf_get_by_name("aac_adtstoasc"), &filter)
        if status >= 0, let filter {
            filter.pointee.time_base_in = AVRational(num: 1, den: track.timescale)
            status = avcodec_parameters_copy(filter.pointee.par_in, track.parameters.pointer)
            if status >= 0 { status = av_bsf_init(filter) }
        }
        guard status >= 0 else {
            av_bsf_free(&filter)
            throw MediaError(.unsupported, "make a segment", subject: name, averror: status)
        }
        return filter
    }

    /// One fragment for each flush, addressed from its own beginning; the header waits for samples; the fragment stands where its samples say.
    private static func flags(keepsEdits: Bool) -> String {
        "+frag_custom+empty_moov+default_base_moof+delay_moov+skip_trailer+negative_cts_offsets"
            + (keepsEdits ? "" : "+frag_discont")
    }

    private static func addStream(
        to context: UnsafeMutablePointer<AVFormatContext>, _ track: SegmentTrack, _ name: String
    ) throws(MediaError) {
        guard let stream = avformat_new_stream(context, nil), let codec = stream.pointee.codecpar else {
            throw MediaError(.internalFailure, "make a segment", subject: name)
        }
        let status = avcodec_parameters_copy(codec, track.parameters.pointer)
        guard status >= 0 else { throw MediaError(.internalFailure, "make a segment", subject: name, averror: status) }
        // What the segments say is decided below: of Dolby Vision with two layers nothing.
        aether_stream_drop_side_data(stream)
        // A tag of the source's container means nothing here, and with one of MPEG-TS the header of E-AC-3 is not written.
        codec.pointee.codec_tag =
            codec.pointee.codec_id == AV_CODEC_ID_HEVC ? tag("hvc1") : 0
        stream.pointee.time_base = AVRational(num: 1, den: track.timescale)
        let aspect = AVRational(num: track.sampleAspect.numerator, den: track.sampleAspect.denominator)
        stream.pointee.sample_aspect_ratio = aspect
        codec.pointee.sample_aspect_ratio = aspect
        if let language = track.language, language.utf8.count == 3 {
            av_dict_set(&stream.pointee.metadata, "language", language, 0)
        }
        if track.rotationDegrees != 0 { addMatrix(to: stream, degrees: track.rotationDegrees) }
        // Light of the mastering display: HEVC says it itself, AV1 and VP9 need not.
        for (type, bytes) in track.parameters.sideData
        where type == AV_PKT_DATA_MASTERING_DISPLAY_METADATA || type == AV_PKT_DATA_CONTENT_LIGHT_LEVEL {
            aether_stream_new_side_data(stream, type, bytes.count)?.update(from: bytes, count: bytes.count)
        }
        if let record = track.dolbyVision { addRecord(to: stream, record, level: track.dolbyVisionLevel) }
    }

    private static func tag(_ name: String) -> UInt32 { name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    private static func addMatrix(to stream: UnsafeMutablePointer<AVStream>, degrees: Int) {
        guard let data = aether_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * 4) else { return }
        data.withMemoryRebound(to: Int32.self, capacity: 9) { av_display_rotation_set($0, Double(-degrees)) }
    }

    private static func addRecord(to stream: UnsafeMutablePointer<AVStream>, _ record: DolbyVisionRecord, level: Int) {
        let size = MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        guard let data = aether_stream_new_side_data(stream, AV_PKT_DATA_DOVI_CONF, size) else { return }
        var raw = AVDOVIDecoderConfigurationRecord()
        (raw.dv_version_major, raw.dv_version_minor) = (1, 0)
        (raw.dv_profile, raw.dv_level) = (UInt8(clamping: record.profile), UInt8(clamping: level))
        (raw.rpu_present_flag, raw.el_present_flag, raw.bl_present_flag) = (1, 0, 1)
        raw.dv_bl_signal_compatibility_id = UInt8(clamping: record.compatibility)
        UnsafeMutableRawPointer(data).storeBytes(of: raw, as: AVDOVIDecoderConfigurationRecord.self)
    }

    /// Writes one sample.
    func write(_ sample: SegmentSample) throws(MediaError) {
        guard let copy = sample.packet.withAVPacket({ av_packet_clone($0) }) ?? nil else {
            throw MediaError(.internalFailure, "make a segment", subject: name)
        }
        var owned: UnsafeMutablePointer<AVPacket>? = copy
        defer { av_packet_free(&owned) }
        // The warm-up is said by an edit. What else lies beside a packet is the demuxer's, but for a header that changes.
        aether_packet_drop_side_data(copy)
        copy.pointee.stream_index = 0
        (copy.pointee.pts, copy.pointee.dts, copy.pointee.duration) = (sample.pts, sample.dts, max(0, sample.duration))
        copy.pointee.flags = sample.isKey ? AV_PKT_FLAG_KEY : 0
        if let layers { SegmentWriter.keep(baseLayerOf: copy, layers) }
        if let filter {
            // One in, one out.
            var status = av_bsf_send_packet(filter, copy)
            if status >= 0 { status = av_bsf_receive_packet(filter, copy) }
            // A damaged packet is left out: those around it are not worse for that.
            guard status >= 0 else { return av_bsf_flush(filter) }
        }
        let from = AVRational(num: 1, den: timescale)
        guard let base = context.pointee.streams[0]?.pointee.time_base else { return }
        av_packet_rescale_ts(copy, from, base)
        let status = av_write_frame(context, copy)
        guard status >= 0 else { throw MediaError(.unsupported, "make a segment", subject: name, averror: status) }
    }

    /// A packet that cannot be changed stays as it is: clients pass by units that they do not know.
    private static func keep(baseLayerOf packet: UnsafeMutablePointer<AVPacket>, _ layers: HEVCUnits) {
        let payload = UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(max(0, packet.pointee.size)))
        guard let base = layers.baseLayer(of: payload), !base.isEmpty, av_packet_make_writable(packet) >= 0 else { return }
        packet.pointee.data.update(from: base, count: base.count)
        av_shrink_packet(packet, Int32(base.count))
    }

    /// Ends the fragment; what lies before it is the header.
    func finish() throws(MediaError) -> (header: [UInt8], media: [UInt8]) {
        // The first flush writes the header that has waited, the second the fragment.
        var status = av_write_frame(context, nil)
        if status >= 0 { status = av_write_frame(context, nil) }
        let bytes = SegmentWriter.take(context)
        guard status >= 0 else { throw MediaError(.unsupported, "make a segment", subject: name, averror: status) }
        let border = SegmentWriter.firstFragment(bytes)
        return (Array(bytes[..<border]), Array(bytes[border...]))
    }

    private static func firstFragment(_ bytes: [UInt8]) -> Int {
        var rest = bytes[...]
        while let head = BoxHead(rest), head.size <= rest.count {
            if ["moof", "styp", "sidx"].contains(head.kind) { return rest.startIndex }
            rest = rest.dropFirst(head.size)
        }
        return bytes.count
    }

    private static func take(_ context: UnsafeMutablePointer<AVFormatContext>) -> [UInt8] {
        var data: UnsafeMutablePointer<UInt8>?
        let count = avio_close_dyn_buf(context.pointee.pb, &data)
        context.pointee.pb = nil
        defer { av_free(data) }
        guard let data, count > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(count)))
    }
}
