import AetherCore
import AetherFormats
import CFFmpeg

/// Completes what a header says of the streams, with as little work as playing needs: the first frame has to be on screen
/// 150 ms after exec, and avformat_find_stream_info decodes about ten 1080p frames on one thread to learn a pixel format.
struct StreamAnalysis: ~Copyable {
    /// Packets read ahead, in order. Owned.
    private(set) var packets: [UnsafeMutablePointer<AVPacket>] = []

    /// Streams of Matroska that hold S_TEXT/USF, by index.
    private var usfStreams: Set<Int> = []

    deinit {
        for packet in packets { StreamAnalysis.free(packet) }
    }

    /// Hands the packets read ahead over to the caller.
    consuming func take() -> [UnsafeMutablePointer<AVPacket>] {
        let taken = packets
        packets = []
        return taken
    }

    /// The lowest PTS of each stream among the packets read ahead, in its ticks; what an edit list cuts off does not count.
    var firstTimes: [Int: Int64] {
        var times: [Int: Int64] = [:]
        for packet in packets where packet.pointee.pts != aether_nopts() && packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0 {
            let index = Int(packet.pointee.stream_index)
            times[index] = min(times[index] ?? .max, packet.pointee.pts)
        }
        return times
    }

    /// The name of the key of the first packet that is encrypted still; nil where none is. Only MP4 says it.
    var missingKey: KeyID? { packets.lazy.compactMap { Self.key(of: $0) }.first }

    /// The name of the key of a packet that is encrypted; nil for a clear one.
    static func key(of packet: UnsafeMutablePointer<AVPacket>) -> KeyID? {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, &size),
            let info = av_encryption_info_get_side_data(data, size)
        else { return nil }
        defer { av_encryption_info_free(info) }
        return KeyID(UnsafeBufferPointer(start: info.pointee.key_id, count: Int(info.pointee.key_id_size)))
    }

    /// Decrypts the packets that were read ahead.
    borrowing func decrypt(_ cipher: inout FrameCipher?) {
        for packet in packets { cipher?.decrypt(packet) }
    }

    static func free(_ packet: UnsafeMutablePointer<AVPacket>) {
        var owned: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&owned)
    }

    /// Analyses the streams of an open context. Blocks. Returns what libavformat said (< 0: an error).
    mutating func run(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ analysis: OpenOptions.Analysis, segments: SegmentStart? = nil
    ) -> Int32 {
        SampleEntry.name(context)
        usfStreams = MatroskaText.usfStreams(context)
        let isFragment = segments != nil && Container(of: context) == .isoBMFF
        let isKnown = segments == .known && Container(of: context).isIndexed
        defer { if isFragment { dropPriming(context) } }
        guard analysis == .playback, isKnown || StreamAnalysis.isDescribed(context) else {
            let status = avformat_find_stream_info(context, nil)
            // The packets come again; only those that say more than a decoder knows are looked at.
            let hasLayers = StreamAnalysis.mayHaveLayers(context)
            return status < 0
                ? status
                : readAhead(context, analysed: true) {
                    // A palette comes with the first packet alone, which a seek would throw away.
                    isFragment || AtmosHeader.isCandidate($0.pointee.codec_id) || PaletteMemory.isCandidate($0)
                        || X264Version.isCandidate($0)
                        || (hasLayers || DynamicMetadata.isCandidate($0)) && $0.pointee.codec_id == AV_CODEC_ID_HEVC
                }
        }
        return readAhead(context) { _ in true }
    }

    /// Whether a stream carries objects, by its first packet; false where none was read ahead.
    func isAtmos(_ index: Int, _ codec: AVCodecID) -> Bool {
        guard AtmosHeader.isCandidate(codec), let packet = packets.first(where: { Int($0.pointee.stream_index) == index }),
            let data = packet.pointee.data, packet.pointee.size > 0
        else { return false }
        return AtmosHeader.isPresent(codec, UnsafeRawBufferPointer(start: data, count: Int(packet.pointee.size)))
    }

    /// The first packet of a stream; nil where none was read ahead.
    func firstPacket(_ index: Int) -> UnsafeRawBufferPointer? {
        guard let packet = packets.first(where: { Int($0.pointee.stream_index) == index }), packet.pointee.size > 0 else {
            return nil
        }
        return UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
    }

    /// Whether one stream of HEVC may be an enhancement layer of another, which its first packet tells.
    private static func mayHaveLayers(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        let videos = (0..<Int(context.pointee.nb_streams)).filter { index in
            context.pointee.streams[index]?.pointee.codecpar.map { $0.pointee.codec_id == AV_CODEC_ID_HEVC } ?? false
        }
        return videos.count > 1
    }

    /// "stpp", as libavformat reads it.
    private static let stpp: UInt32 = 0x7070_7473
    /// "wvtt", too.
    private static let wvtt: UInt32 = 0x7474_7677

    /// Names what libavformat leaves without a codec. In a copy: with the name in the stream, the demuxer of Matroska would take the packets
    /// for WebM's and drop them.
    private static func nameText(
        _ parameters: CodecParameters, of context: UnsafeMutablePointer<AVFormatContext>, isUSF: Bool
    ) {
        let codec = parameters.pointer
        guard codec.pointee.codec_id == AV_CODEC_ID_NONE else { return }
        if codec.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE,
            Container(of: context) == .matroska
        {
            // FFmpeg before 7 knows WebVTT in Matroska by WebM's D_WEBVTT only, and not S_TEXT/WEBVTT. What else could be there has no text,
            // which the subtitle decoder checks.
            codec.pointee.codec_id = isUSF ? AV_CODEC_ID_TEXT : AV_CODEC_ID_WEBVTT
            if isUSF { codec.pointee.codec_tag = MatroskaText.usfTag }
        } else if codec.pointee.codec_type == AVMEDIA_TYPE_DATA, codec.pointee.codec_tag == stpp {
            // TTML in MP4 is data to libavformat, for libavcodec has no decoder; we have one.
            codec.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
            codec.pointee.codec_id = AV_CODEC_ID_TTML
        } else if codec.pointee.codec_tag == wvtt {
            // WebVTT in MP4, which FFmpeg 5.1 does not know; its boxes are read by ourselves.
            codec.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
            codec.pointee.codec_id = AV_CODEC_ID_WEBVTT
        }
    }

    /// Whether the header alone tells all that a decoder needs, so that nothing has to be decoded to find it.
    private static func isDescribed(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        guard Container(of: context).isIndexed, context.pointee.duration > 0 else { return false }
        var mediaStreams = 0
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index], let codec = stream.pointee.codecpar else { return false }
            switch StreamInfo.kind(stream) {
            case .video:
                guard isVideoDescribed(stream, codec) else { return false }
                mediaStreams += 1
            case .audio:
                guard isAudioDescribed(codec) else { return false }
                mediaStreams += 1
            default: break
            }
        }
        return mediaStreams > 0
    }

    private static func isVideoDescribed(
        _ stream: UnsafeMutablePointer<AVStream>, _ codec: UnsafeMutablePointer<AVCodecParameters>
    ) -> Bool {
        guard codec.pointee.width > 0, codec.pointee.height > 0 else { return false }
        guard stream.pointee.avg_frame_rate.num > 0 || stream.pointee.nb_frames > 1 else { return false }
        switch codec.pointee.codec_id {
        case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC: return codec.pointee.extradata_size > 0
        case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1: return true
        // Others may reorder by parsing that only the full analysis sets up.
        default: return false
        }
    }

    private static func isAudioDescribed(_ codec: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
        guard codec.pointee.sample_rate > 0, aether_parameters_channels(codec) > 0 else { return false }
        switch codec.pointee.codec_id {
        case AV_CODEC_ID_NONE: return false
        case AV_CODEC_ID_AAC, AV_CODEC_ID_VORBIS, AV_CODEC_ID_OPUS, AV_CODEC_ID_FLAC, AV_CODEC_ID_ALAC:
            return codec.pointee.extradata_size > 0
        default: return true
        }
    }

    /// Reads until each video and audio stream has shown its first packet: libavformat then knows where each starts. 256
    /// packets or 4 MB are more than a second of any interleaved file; a stream that begins later is not waited for.
    private mutating func readAhead(
        _ context: UnsafeMutablePointer<AVFormatContext>, analysed: Bool = false,
        where isWanted: (UnsafeMutablePointer<AVCodecParameters>) -> Bool
    ) -> Int32 {
        var waiting = Set<Int32>()
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index] else { continue }
            let kind = StreamInfo.kind(stream)
            guard kind == .video || kind == .audio, let codec = stream.pointee.codecpar, isWanted(codec) else { continue }
            waiting.insert(Int32(index))
        }
        var byteCount = 0
        while !waiting.isEmpty, packets.count < 256, byteCount < 4 << 20 {
            guard let packet = av_packet_alloc() else { return aether_averror(ENOMEM) }
            let status = av_read_frame(context, packet)
            guard status >= 0 else {
                StreamAnalysis.free(packet)
                // The end and damage are met again, and dealt with, by the code that reads on.
                return AVError(code: status) == .exit ? status : 0
            }
            packets.append(packet)
            byteCount += Int(packet.pointee.size)
            // Raw HEVC and H.264 have no times; where the analysis has found the others, the first packet is all that is wanted.
            let isEnough =
                analysed
                && context.pointee.streams[Int(packet.pointee.stream_index)].map {
                    DynamicMetadata.isCandidate($0.pointee.codecpar) || X264Version.isCandidate($0.pointee.codecpar)
                } ?? false
            if isEnough || packet.pointee.pts != aether_nopts() { waiting.remove(packet.pointee.stream_index) }
        }
        return 0
    }

    /// Takes back what libavformat lets begin with the priming that an edit list cuts off: that lies at the start of the track, which is at 0
    /// or before, and not where a later segment begins.
    private func dropPriming(_ context: UnsafeMutablePointer<AVFormatContext>) {
        for packet in packets where packet.pointee.pts != aether_nopts() && packet.pointee.pts >= 0 {
            var size = 0
            guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 10,
                data[0] | data[1] | data[2] | data[3] != 0,
                let stream = context.pointee.streams[Int(packet.pointee.stream_index)]
            else { continue }
            for byte in 0..<4 { data[byte] = 0 }
            stream.pointee.start_time = packet.pointee.pts
        }
        let starts = (0..<Int(context.pointee.nb_streams)).compactMap { index -> Int64? in
            guard let stream = context.pointee.streams[index], stream.pointee.start_time != aether_nopts() else { return nil }
            return av_rescale_q(stream.pointee.start_time, stream.pointee.time_base, AVRational(num: 1, den: AV_TIME_BASE))
        }
        if let first = starts.min(), context.pointee.start_time != aether_nopts() { context.pointee.start_time = first }
    }

    /// A copy of every stream's parameters; audio whose header leaves something open is completed by decoding its first packet.
    borrowing func parameters(_ context: UnsafeMutablePointer<AVFormatContext>) -> [CodecParameters] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            guard let stream = context.pointee.streams[index] else { return nil }
            let base = TimeBase(stream.pointee.time_base.num, stream.pointee.time_base.den)
            let copy = CodecParameters(
                copying: stream.pointee.codecpar, timeBase: base,
                hasAlphaBeside: FFmpegText.tag(stream.pointee.metadata, "alpha_mode") == "1",
                x264Version: X264Version.find(
                    stream.pointee.codecpar, packets.filter { Int($0.pointee.stream_index) == index }),
                sideData: CodecParameters.sideData(of: stream))
            StreamAnalysis.nameText(copy, of: context, isUSF: usfStreams.contains(index))
            if index < 32, StreamInfo.kind(stream) == .audio, copy.pointer.pointee.format < 0 {
                StreamAnalysis.complete(copy, with: packets.filter { Int($0.pointee.stream_index) == index })
            }
            return copy
        }
    }

    /// Layout, profile, sample format and true rate (HE-AAC doubles the header's) by decoding the first frame, well under 1 ms.
    /// Vorbis needs two packets for it, and the first of AAC is all encoder delay.
    private static func complete(_ parameters: CodecParameters, with packets: [UnsafeMutablePointer<AVPacket>]) {
        guard var codec = CodecContext(opening: parameters, threadCount: 1) else { return }
        guard let frame = av_frame_alloc() else { return }
        var owned: UnsafeMutablePointer<AVFrame>? = frame
        defer { av_frame_free(&owned) }
        let gaveFrame = packets.prefix(4).contains { codec.send($0) >= 0 && codec.receive(frame) >= 0 }
        if !gaveFrame {
            // Opening alone read the layout out of the codec's header.
            if parameters.pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC,
                codec.pointer.pointee.ch_layout.nb_channels > 0
            {
                av_channel_layout_copy(&parameters.pointer.pointee.ch_layout, &codec.pointer.pointee.ch_layout)
            }
            return
        }
        let pointer = parameters.pointer
        pointer.pointee.format = frame.pointee.format
        pointer.pointee.sample_rate = frame.pointee.sample_rate
        av_channel_layout_copy(&pointer.pointee.ch_layout, &frame.pointee.ch_layout)
        pointer.pointee.profile = codec.pointer.pointee.profile
        if pointer.pointee.bit_rate <= 0 { pointer.pointee.bit_rate = codec.pointer.pointee.bit_rate }
    }
}
