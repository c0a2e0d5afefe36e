public import AetherCore
import CFFmpeg

/// Owns a copy of a stream's codec parameters, so that a decoder on another thread can be opened from it.
public final class CodecParameters: Sendable {
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<AVCodecParameters>
    /// The time base of the stream that the parameters describe.
    public let timeBase: TimeBase
    /// Beside each frame lies a second one of its transparency (VP8 and VP9 in WebM), which FFmpeg's own decoders do not read.
    let hasAlphaBeside: Bool
    /// The version of x264 that made it, where it says so: see `X264Version`.
    let x264Version: Int?
    /// The edges that the container cuts off every frame.
    let edges: FrameEdges
    /// The side data of the whole stream, which libavformat keeps apart up to 6.0: mastering display, turn, Dolby Vision.
    let sideData: [(type: AVPacketSideDataType, bytes: [UInt8])]

    /// Where the stream is decoded, for it came from there; nil: in this process.
    let box: (any DecodingPlace)?

    /// The decoder's header in the container (extradata), at most `limit` bytes; longer ones are left out.
    public func header(limit: Int) -> [UInt8] {
        guard let data = pointer.pointee.extradata, pointer.pointee.extradata_size > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: min(Int(pointer.pointee.extradata_size), limit)))
    }

    /// The side data of a whole stream: of at most 16 kinds, 64 KB each.
    static func sideData(of stream: UnsafeMutablePointer<AVStream>) -> [(type: AVPacketSideDataType, bytes: [UInt8])] {
        var found: [(type: AVPacketSideDataType, bytes: [UInt8])] = []
        for index in 0..<16 {
            var type = AV_PKT_DATA_PALETTE, size = 0
            guard let data = aether_stream_side_data_at(stream, Int32(index), &type, &size) else { break }
            if size <= 64 << 10 { found.append((type, Array(UnsafeBufferPointer(start: data, count: size)))) }
        }
        return found
    }

    /// The parameters of captions that no container declares.
    init(captionsIn timeBase: TimeBase) {
        guard let fresh = avcodec_parameters_alloc() else { preconditionFailure("out of memory") }
        fresh.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        fresh.pointee.codec_id = AV_CODEC_ID_EIA_608
        pointer = fresh
        hasAlphaBeside = false
        x264Version = nil
        edges = FrameEdges()
        sideData = []
        box = nil
        self.timeBase = timeBase
    }

    /// The parameters of an image in a file of its own.
    init(picture codec: AVCodecID) {
        guard let fresh = avcodec_parameters_alloc() else { preconditionFailure("out of memory") }
        fresh.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        fresh.pointee.codec_id = codec
        pointer = fresh
        timeBase = TimeBase(1, 25)
        hasAlphaBeside = false
        x264Version = nil
        edges = FrameEdges()
        sideData = []
        box = ProcessBox.current
    }

    /// Parameters of no stream, with which a decoder of H.264 opens.
    public static var example: CodecParameters { CodecParameters(picture: AV_CODEC_ID_H264) }

    /// Copies the parameters of a stream.
    init(
        copying source: UnsafePointer<AVCodecParameters>, timeBase: TimeBase, hasAlphaBeside: Bool = false,
        x264Version: Int? = nil, edges: FrameEdges = FrameEdges(),
        sideData: [(type: AVPacketSideDataType, bytes: [UInt8])] = [], box: (any DecodingPlace)? = nil
    ) {
        guard let copy = avcodec_parameters_alloc() else { preconditionFailure("out of memory") }
        avcodec_parameters_copy(copy, source)
        pointer = copy
        self.timeBase = timeBase
        self.hasAlphaBeside = hasAlphaBeside
        self.x264Version = x264Version
        self.edges = edges
        self.sideData = sideData
        self.box = box
    }

    deinit {
        var owned: UnsafeMutablePointer<AVCodecParameters>? = pointer
        avcodec_parameters_free(&owned)
    }
}

extension CodecParameters {
    /// Whether a decoder of audio that was opened for one of them goes on with packets of the other.
    public func continuesAudio(of former: CodecParameters) -> Bool {
        let (own, other) = (pointer.pointee, former.pointer.pointee)
        return own.codec_type == AVMEDIA_TYPE_AUDIO && own.codec_id == other.codec_id && own.sample_rate == other.sample_rate
            && own.ch_layout.nb_channels == other.ch_layout.nb_channels && own.profile == other.profile
            && own.block_align == other.block_align && timeBase == former.timeBase
            && header(limit: .max) == former.header(limit: .max)
    }

    /// Whether a decoder of video that was opened for one of them goes on with packets of the other, once it was flushed.
    public func continuesVideo(of former: CodecParameters) -> Bool {
        let (own, other) = (pointer.pointee, former.pointer.pointee)
        return own.codec_type == AVMEDIA_TYPE_VIDEO && own.codec_id == other.codec_id && own.codec_tag == other.codec_tag
            && own.width == other.width && own.height == other.height && own.format == other.format
            && own.profile == other.profile && own.field_order == other.field_order && own.video_delay == other.video_delay
            && own.color_range == other.color_range && own.color_space == other.color_space
            && own.color_primaries == other.color_primaries && own.color_trc == other.color_trc
            && own.chroma_location == other.chroma_location
            && av_cmp_q(own.sample_aspect_ratio, other.sample_aspect_ratio) == 0
            && timeBase == former.timeBase && hasAlphaBeside == former.hasAlphaBeside
            && (x264Version == nil || X264Version.isOld(x264Version) == X264Version.isOld(former.x264Version))
            && edges == former.edges && unitsOfHeader == former.unitsOfHeader
            && sideData.elementsEqual(former.sideData) { $0.type == $1.type && $0.bytes == $1.bytes }
    }

    /// The header as it is compared. Zeros behind the last unit of a byte stream belong to the start code of what follows, of which libavformat cuts
    /// off as many as there are: one or none of x264's.
    private var unitsOfHeader: ArraySlice<UInt8> {
        let header = header(limit: .max)
        guard header.starts(with: [0, 0, 1]) || header.starts(with: [0, 0, 0, 1]) else { return header[...] }
        return header.dropLast(header.reversed().prefix { $0 == 0 }.count)
    }

    /// Of video, as it is coded; nil where it is not known.
    public var size: (width: Int, height: Int)? {
        let (width, height) = (Int(pointer.pointee.width), Int(pointer.pointee.height))
        return width > 0 && height > 0 ? (width, height) : nil
    }
}
